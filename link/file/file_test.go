package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadTakesRegularFilesOfBoundedSizeOnly(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	if err := os.WriteFile(good, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link") // as secrets are mounted into containers
	if err := os.Symlink(good, link); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		path string
		most int64
		want string // of the error; empty: read
	}{
		{good, 5, ""},
		{link, 5, ""},
		{good, 4, "has more than the 4 bytes that are read"},
		{dir, 5, "is not a regular file"},
		{filepath.Join(dir, "absent"), 5, "no such file"},
	} {
		text, err := Read(c.path, c.most)
		switch {
		case c.want == "" && (err != nil || string(text) != "12345"):
			t.Errorf("%s: %q, %v", c.path, text, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.path) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want the path and %q", c.path, err, c.want)
		case c.want != "" && strings.Contains(Cause(err).Error(), c.path):
			t.Errorf("%s: the cause %v names the path again", c.path, Cause(err))
		}
	}
}

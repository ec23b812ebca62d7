// Package file reads small files that people name in a configuration.
package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular is the cause of a refusal to read what is no file.
var ErrNotRegular = errors.New("it is not a regular file")

// Read reads a regular file of at most so many bytes. A pipe might never end,
// and a device has no end; neither is read. The error is an *fs.PathError, and
// holds nothing of the file's content.
func Read(path string, most int64) ([]byte, error) {
	refuse := func(cause error) ([]byte, error) {
		return nil, &fs.PathError{Op: "read", Path: path, Err: cause}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return refuse(ErrNotRegular)
	case info.Size() > most:
		return refuse(tooBig(most))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// A file can grow meanwhile, and those of /proc tell no size.
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if int64(len(text)) > most {
		return refuse(tooBig(most))
	}
	return text, err
}

func tooBig(most int64) error {
	return fmt.Errorf("it has more than the %d bytes that are read", most)
}

// Cause is what went wrong, less the operation and the path, for messages that
// name the file themselves.
func Cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

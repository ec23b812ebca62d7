// Package file reads small files that people name in a configuration.
package file

import (
	"fmt"
	"io"
	"os"
)

// Read reads a regular file of at most so many bytes. A pipe might never end,
// and a device has no end; neither is read.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > most:
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", path, info.Size(), most)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// A file can grow meanwhile, and those of /proc tell no size.
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if int64(len(text)) > most {
		return nil, fmt.Errorf("%s has more than the %d bytes that are read", path, most)
	}
	return text, err
}

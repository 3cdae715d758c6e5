package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
)

// outputFlags say where a result goes.
type outputFlags struct {
	path  string
	force bool
}

func (f *outputFlags) add(flags *pflag.FlagSet) {
	flags.StringVarP(&f.path, "output", "o", "", "write to `FILE` in place of standard output; one that exists is left alone")
	flags.BoolVar(&f.force, "force", false, "write over the file that exists")
	onlyWritten(flags, "output", "force")
}

// check refuses a file that exists before a result is made that takes long.
func (f *outputFlags) check() error {
	if f.path == "" || f.force {
		return nil
	}
	if _, err := os.Lstat(f.path); err == nil {
		return f.exists()
	}
	return nil
}

func (f *outputFlags) exists() error { return usageErrorf("%s exists; --force writes over it", f.path) }

// write writes a result to standard output or to the file, which then holds all of it or
// is as it was.
func (f *outputFlags) write(standard io.Writer, write func(io.Writer) error) error {
	if f.path == "" {
		return write(standard)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if f.force {
		return replaceFile(f.path, b.Bytes(), 0o644)
	}
	err := createFile(f.path, b.String())
	if errors.Is(err, fs.ErrExist) {
		return f.exists()
	}
	return err
}

// replaceFile puts a whole new file of a mode in the place of what was there.
func replaceFile(path string, content []byte, mode os.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("create a file beside %s: %w", path, err)
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(mode), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/vacscope/tui"
)

// maxSameName is how many frames of one second and one vacuum are kept.
const maxSameName = 1000

// saveFrame keeps a frame as a picture and as text in a folder, and returns the names of
// the two files. No file is written over: where there is one of that name, the next
// number is put behind it.
func saveFrame(folder string, f tui.Frame) ([]string, error) {
	for n := 1; n <= maxSameName; n++ {
		name := f.Name
		if n > 1 {
			name = fmt.Sprintf("%s-%d", f.Name, n)
		}
		files := []string{name + ".svg", name + ".txt"}
		err := createAll(folder, files, []string{f.SVG, f.Text})
		if !errors.Is(err, fs.ErrExist) {
			return files, err
		}
	}
	return nil, fmt.Errorf("there are %d files called %s; move them away", maxSameName, f.Name)
}

// createAll writes new files, all of them or none.
func createAll(folder string, names, contents []string) error {
	for i, name := range names {
		if err := createFile(filepath.Join(folder, name), contents[i]); err != nil {
			for _, written := range names[:i] {
				_ = os.Remove(filepath.Join(folder, written)) // what failed is told already
			}
			return err
		}
	}
	return nil
}

// createFile writes a file that must not exist, whole or not at all.
func createFile(path, content string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("create a file here: %w", err)
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(path)
		return fmt.Errorf("write a file here: %w", err)
	}
	return nil
}

package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// workDir is a folder that belongs to running processes. It is locked by an open
// descriptor of the folder itself, which child processes inherit: as long as one
// of them lives, it is in use; afterwards the next claim of the same kind removes
// it. So what kill -9 left is found without trusting process ids.
type workDir struct {
	path string
	lock *os.File
}

// claimWorkDir makes and locks a new folder in base, named prefix and a random
// number, with mode 0700, after removing those that nobody uses any more.
func claimWorkDir(base, prefix string) (*workDir, error) {
	sweep(base, prefix)
	for range 100 {
		path, err := os.MkdirTemp(base, prefix+"*")
		if err != nil {
			return nil, err
		}
		lock, err := lockDir(path)
		if err == nil {
			return &workDir{path, lock}, nil
		}
		// Another start swept it between the two steps.
		if !errors.Is(err, errInUse) && !errors.Is(err, os.ErrNotExist) {
			return nil, errors.Join(err, os.Remove(path))
		}
	}
	return nil, fmt.Errorf("make a folder in %s: it is removed again and again", base)
}

// remove removes the folder with all that is in it.
func (d *workDir) remove() error {
	defer d.lock.Close()
	return os.RemoveAll(d.path)
}

// keep renames the folder out of the reach of sweep and returns its new path.
func (d *workDir) keep(prefix, keptPrefix string) (string, error) {
	defer d.lock.Close()
	dir, name := filepath.Split(d.path)
	kept := filepath.Join(dir, keptPrefix+name[len(prefix):])
	return kept, os.Rename(d.path, kept)
}

// sweep removes the folders of this user in base that nobody uses any more.
// What cannot be removed stays for the next time.
func sweep(base, prefix string) {
	paths, err := filepath.Glob(filepath.Join(base, prefix+"*"))
	if err != nil {
		return
	}
	for _, path := range paths {
		if strings.Trim(filepath.Base(path)[len(prefix):], "0123456789") != "" {
			continue // not a name that claimWorkDir gives
		}
		if lock, err := lockDir(path); err == nil {
			segmentGone(filepath.Join(path, dataName))
			os.RemoveAll(path)
			lock.Close()
		}
	}
}

var errInUse = errors.New("in use by a running process")

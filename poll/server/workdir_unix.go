//go:build unix

package server

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockDir locks a folder of this user. The error is errInUse when a process
// holds it, os.ErrNotExist when it is gone.
func lockDir(path string) (*os.File, error) {
	dir, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := lockOpenDir(dir, path); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return dir, nil
}

func lockOpenDir(dir *os.File, path string) error {
	opened, err := dir.Stat()
	if err != nil {
		return err
	}
	if owner := opened.Sys().(*syscall.Stat_t).Uid; int(owner) != os.Geteuid() {
		return fmt.Errorf("%s belongs to user %d", path, owner)
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("lock %s: %w", path, errInUse)
	}
	// Whoever held the lock before may have removed the folder.
	now, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !os.SameFile(opened, now) {
		return fmt.Errorf("%s was replaced: %w", path, os.ErrNotExist)
	}
	return nil
}

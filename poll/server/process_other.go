//go:build !unix

package server

import (
	"errors"
	"os/exec"
	"syscall"
)

func helperAttributes() (*syscall.SysProcAttr, error) {
	return nil, errors.New("the throwaway server needs Linux or macOS")
}

func killWholeGroup(*exec.Cmd) {}

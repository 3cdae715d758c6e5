package server

import (
	"os/exec"
	"syscall"
)

// endWithThread lets the kernel shut the command down at once when the thread
// that starts it ends, which must be locked for that (runtime.LockOSThread).
func endWithThread(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
}

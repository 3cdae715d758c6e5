//go:build unix

package poll

import (
	"os/exec"
	"syscall"
)

// alone gives a command a session of its own: without a terminal, and with all that
// it starts in one group, which ends with it.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

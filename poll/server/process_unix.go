//go:build unix

package server

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// helperAttributes puts the helper into a session of its own and, for root,
// under the server's user.
func helperAttributes() (*syscall.SysProcAttr, error) {
	attributes := &syscall.SysProcAttr{Setsid: true}
	if os.Geteuid() != 0 {
		return attributes, nil
	}
	uid, gid, err := serverUser()
	if err != nil {
		return nil, err
	}
	attributes.Credential = &syscall.Credential{Uid: uid, Gid: gid}
	return attributes, nil
}

// serverUser is whom a server runs as when root starts it, because PostgreSQL
// refuses root: the user who called sudo, else postgres, else nobody.
func serverUser() (uid, gid uint32, err error) {
	if uid, gid, ok := ids(os.Getenv("SUDO_UID"), os.Getenv("SUDO_GID")); ok {
		return uid, gid, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			if uid, gid, ok := ids(u.Uid, u.Gid); ok {
				return uid, gid, nil
			}
		}
	}
	return 0, 0, fmt.Errorf("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
}

// ids reads a user's numbers; root's are not ok.
func ids(uidText, gidText string) (uid, gid uint32, ok bool) {
	u, uidErr := strconv.ParseUint(uidText, 10, 32)
	g, gidErr := strconv.ParseUint(gidText, 10, 32)
	return uint32(u), uint32(g), uidErr == nil && gidErr == nil && u != 0
}

// killWholeGroup lets a cancelled command end with its children.
func killWholeGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

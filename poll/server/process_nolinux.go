//go:build !linux

package server

import "os/exec"

// endWithThread does nothing: only Linux tells a process that its parent died.
// A server whose helper is killed stays there; one whose program is killed does
// not, because the helper ends it.
func endWithThread(*exec.Cmd) {}

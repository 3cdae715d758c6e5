//go:build !unix

package poll

import "os/exec"

// alone does nothing: there are no sessions and process groups.
func alone(*exec.Cmd) {}

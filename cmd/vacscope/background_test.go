//go:build unix

package main

import (
	"os/exec"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// timeout without --foreground, in a script, runs the program in the background of
// its terminal, where it is stopped, and ends it there.
func TestAProgramStoppedInTheBackgroundEndsWhenTold(t *testing.T) {
	timeout, err := exec.LookPath("timeout")
	if err != nil {
		pgtest.Missing(t, "timeout of coreutils")
	}
	s := pgtest.Shared(t, 18)
	x := onTerminal(t, false, exec.Command("/bin/sh", "-c", `"$0" 2 "$1" "$2"; echo "ended with $?"`, timeout, program(t), s.ConnString()))
	x.waitForText("ended with 124")
	x.requireRestored()
	requireGone(t, s)
}

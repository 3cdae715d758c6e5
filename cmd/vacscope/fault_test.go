//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/poll/pgtest"
)

var nextTry = regexp.MustCompile(`Next try in ([0-9.]+) s`)

// While the server is away what was read stays on the screen and the pauses between
// attempts to connect grow; R ends such a pause, and what follows is read anew.
func TestConnectNowWhenTheServerIsBack(t *testing.T) {
	s := pgtest.StartRestartable(t, 18)
	s.HeldVacuum(t, "held")
	s.Exec(t, "checkpoint")
	x := onTerminal(t, false, exec.Command(program(t), s.ConnString()))
	x.waitForText("scanning heap")
	s.Shutdown(t, pgtest.Fast)
	x.waitForText("○ lost")
	var pause float64
	x.waitFor("a long pause before the next attempt to connect", func() bool {
		if m := nextTry.FindStringSubmatch(x.screen.String()); m != nil {
			_, _ = fmt.Sscan(m[1], &pause)
		}
		return pause > 6 && strings.Contains(x.screen.String(), "scanning heap")
	})
	began := time.Now()
	s.StartAgain(t)
	if left := pause - time.Since(began).Seconds(); left < 3 {
		t.Skipf("the server took too long to start: the next attempt is due in %.1f s", left)
	}
	x.press("R")
	x.waitForText("● live")
	if waited := time.Since(began).Seconds(); waited >= pause {
		t.Errorf("live after %.1f s, when the pause of %v s was over by itself", waited, pause)
	}
	x.waitForText("the server was restarted")
	x.waitForText("interrupted")
	x.press("q")
	if got := x.status(); got != 0 {
		t.Errorf("q exits with %d", got)
	}
	x.requireRestored()
}

// A standby is said to be one, on the screen with what that means for vacuums, and
// in the document; nothing of it fails to be read.
func TestAStandbyIsNamed(t *testing.T) {
	for _, major := range []int{15, 18} {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) {
			_, standby := pgtest.StartWithStandby(t, major)
			out, err := exec.Command(program(t), "snapshot", "--json", standby.ConnString()).Output()
			var document struct {
				Server struct {
					InRecovery bool `json:"in_recovery"`
				} `json:"server"`
				Problems []any `json:"problems"`
			}
			if err := json.Unmarshal(out, &document); err != nil || !document.Server.InRecovery || len(document.Problems) > 0 {
				t.Errorf("%v: %s", err, out)
			}
			if err != nil {
				t.Error(err)
			}
			x := onTerminal(t, false, exec.Command(program(t), standby.ConnString()))
			x.waitForText("VACUUM runs on the primary of this standby")
			x.waitForText("cancels queries here")
			x.waitForText("standby  ")
			standby.Exec(t, "select pg_promote()")
			x.waitForText("the standby was promoted")
		})
	}
}

//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// The screen ends by itself when what it waits for has, and the status tells how.
func TestUntilDone(t *testing.T) {
	path := program(t)
	for _, major := range []int{13, 18, 19} {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) {
			s := pgtest.Shared(t, major)
			other := s.HeldVacuum(t, "goes_on")
			watchUntil := func(t *testing.T, table string) *terminal {
				t.Helper()
				x := onTerminal(t, false, exec.Command(path, "watch", "--interval", "100ms", "--until-done", "--table", table, s.ConnString()))
				x.waitForText("only " + table)
				return x
			}
			ends := func(t *testing.T, x *terminal, status int, last string) {
				t.Helper()
				if got := x.status(); got != status {
					t.Errorf("exits with %d, want %d", got, status)
				}
				x.requireRestored()
				x.waitForLast(last)
			}
			t.Run("completed", func(t *testing.T) {
				_, release := s.PinnedVacuum(t, "completes")
				x := watchUntil(t, "completes")
				x.waitForText("public.completes")
				release()
				ends(t, x, 0, "VACUUM of public.completes")
			})
			t.Run("the first that starts", func(t *testing.T) {
				x := watchUntil(t, "public.starts_*")
				x.waitForText("1 other vacuum runs")
				_, release := s.PinnedVacuum(t, "starts_later")
				x.waitForText("public.starts_later")
				release()
				ends(t, x, 0, "VACUUM of public.starts_later")
			})
			t.Run("cancelled", func(t *testing.T) {
				v := s.HeldVacuum(t, "cancelled")
				x := watchUntil(t, "cancelled")
				x.waitForText("public.cancelled")
				s.Exec(t, fmt.Sprintf("select pg_cancel_backend(%d)", v.PID))
				ends(t, x, 3, "1 of 1 vacuums did not complete")
			})
			t.Run("no result to see", func(t *testing.T) {
				s.MakeTable(t, pgtest.Table{Name: "rewritten", Rows: 100})
				release := s.LockHold(t, "rewritten", "share")
				s.Vacuum(t, "rewritten", "(full)").Waiting(t, "Lock")
				x := watchUntil(t, "rewritten")
				x.waitForText("public.rewritten")
				release()
				ends(t, x, 4, "the result of 1 of 1 vacuums is not visible")
			})
			t.Run("left before", func(t *testing.T) {
				x := watchUntil(t, "goes_on")
				x.press("q")
				ends(t, x, 4, "left before the vacuums had ended")
			})
			select {
			case err := <-other.Done:
				t.Errorf("the other vacuum has ended: %v", err)
			default:
			}
		})
	}
}

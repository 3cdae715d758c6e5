package poll

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// A server that is shut down and started again while it is watched: what was seen
// stays in sight, attempts to connect are told with the time of the next one, and the
// vacuum that ran is interrupted, whatever runs of that table afterwards.
func TestARestartWhileWatching(t *testing.T) {
	for _, major := range []int{13, 18} {
		for mode, name := range map[syscall.Signal]string{pgtest.Fast: "fast", pgtest.Immediate: "immediate"} {
			t.Run(fmt.Sprintf("pg%d %s", major, name), func(t *testing.T) { restartWhileWatching(t, major, mode) })
		}
	}
}

func restartWhileWatching(t *testing.T, major int, mode syscall.Signal) {
	s := pgtest.StartRestartable(t, major)
	v := s.HeldVacuum(t, "held")
	s.Exec(t, "checkpoint") // an immediate shutdown loses nothing then
	var tracker model.Tracker
	var pauses []time.Duration // as told, before the attempts to connect
	var again *pgtest.Vacuum
	noted := false
	source := openWith(t, s.ConnString(), Options{Interval: 200 * time.Millisecond, TickRate: 20, TickRateGiven: true})
	runUntil(t, source, "the vacuum after the restart", func(sample model.Sample) bool {
		snapshot := tracker.Step(sample)
		noted = noted || has(sample, model.EventNote, "the server was restarted")
		switch {
		case sample.Poll != nil && again == nil:
			mustHave(t, sample.Poll, v.PID)
			s.Shutdown(t, mode)
			return false
		case snapshot.Link.Lost:
			if len(snapshot.Active) != 1 || snapshot.At.IsZero() || snapshot.Link.Reason == "" {
				t.Errorf("while the server is away: active %+v, read at %v, link %+v", snapshot.Active, snapshot.At, snapshot.Link)
			}
			if next, told := snapshot.Link.NextTry.Get(); told && has(sample, model.EventRetry, "") {
				pauses = append(pauses, next.Sub(sample.At))
			}
			if len(pauses) == 2 && again == nil {
				s.StartAgain(t)
				again = s.Vacuum(t, "held", "", "vacuum_cost_delay=100ms", "vacuum_cost_limit=1").Phase(t, "scanning heap")
			}
			return false
		}
		return sample.Poll != nil && len(snapshot.Active) == 1 && snapshot.Active[0].Key.PID == again.PID && checkInterrupted(t, snapshot, v.PID)
	})
	if !noted {
		t.Error("the restart is not told")
	}
	if len(pauses) < 2 || slices.Max(pauses) < 2*firstDelay || slices.Max(pauses) > maxDelay {
		t.Errorf("attempts to connect are %v apart", pauses)
	}
}

func checkInterrupted(t *testing.T, snapshot *model.Snapshot, pid int32) bool {
	t.Helper()
	if len(snapshot.Ended) != 1 || snapshot.Ended[0].Key.PID != pid || !snapshot.Ended[0].End.Restarted.Known() {
		t.Errorf("ended: %+v", snapshot.Ended)
	}
	return true
}

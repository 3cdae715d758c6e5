package poll

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// Where reading the lock table is dear it is read less often, which is said once.
func TestADearLockTableIsReadLessOften(t *testing.T) {
	ago := func(d time.Duration) time.Time { return time.Now().Add(-d) }
	for _, c := range []struct {
		name  string
		cost  time.Duration
		asked time.Time
		now   bool
		note  string
	}{
		{"cheap", 50 * time.Microsecond, ago(time.Second), true, ""},
		{"dear, lately", 12 * time.Millisecond, ago(time.Second), false, "takes the server 12 ms: what sessions wait for is read every 4.0 s"},
		{"dear, long ago", 12 * time.Millisecond, ago(5 * time.Second), true, "takes the server 12 ms"},
	} {
		d := lockDue{waited: true, costly: costly{c.asked, &request{cost: c.cost}}}
		if d.now() != c.now {
			t.Errorf("%s: is due: %v", c.name, d.now())
		}
		if note := string(d.slow()); !strings.Contains(note, c.note) || (note == "") != (c.note == "") {
			t.Errorf("%s: it says %q", c.name, note)
		}
		if d.slow() != "" {
			t.Errorf("%s: it is said again", c.name)
		}
	}
	if nobody := (lockDue{}); nobody.now() {
		t.Error("the lock table is read though nobody waits")
	}
}

// Of many sessions with many locks only those that wait are read, and only they are
// asked who blocks them.
func TestManyHoldersOfManyLocks(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		const waiters, holder = 10, 1
		crowd(t, s, 40, 30, waiters)
		poll := read(t, open(t, s.ConnString()))
		if len(poll.Processes) != waiters+holder || len(poll.Locks) != waiters {
			t.Errorf("%d processes and %d lock requests are read", len(poll.Processes), len(poll.Locks))
		}
		asked := 0
		for _, p := range poll.Processes {
			if (p.BlockedBy != nil) != (p.Wait.Or(model.Wait{}).Type == "Lock") {
				t.Errorf("pid %d: waits for %v, blocked by %v", p.PID, p.Wait, p.BlockedBy)
			}
			asked += len(p.BlockedBy)
		}
		if asked == 0 {
			t.Error("nobody is said to block")
		}
	})
}

// Then a share of what reading may cost is kept for it, while somebody waits.
func TestADearLockTableHasItsShare(t *testing.T) {
	for name, c := range map[string]struct {
		due  lockDue
		want model.Ratio
	}{
		"dear":         {lockDue{waited: true, costly: costly{time.Now(), &request{cost: 12 * time.Millisecond}}}, 1.0 / 300},
		"nobody waits": {lockDue{costly: costly{time.Now(), &request{cost: 12 * time.Millisecond}}}, 0},
		"cheap":        {lockDue{waited: true, costly: costly{time.Now(), &request{cost: time.Millisecond}}}, 0},
		"not yet read": {lockDue{waited: true}, 0},
	} {
		if got := c.due.reserved(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

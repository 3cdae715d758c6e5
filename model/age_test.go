package model

import (
	"testing"
	"time"
)

// Between polls that are far apart ages go on, and what was read does not: neither
// while the server owes an answer for long, nor when the connection is lost.
func TestAgesGoOnBetweenPolls(t *testing.T) {
	waiting := parallelProcess(500, 500)
	waiting.Wait = Some(Wait{Type: "Lock", Event: "relation"})
	read := beat(1, 1000, vacuumer(scanning(1, 10)), waiting)
	read.Poll.Locks = []Lock{{PID: 500, LockType: "relation", Mode: "AccessExclusiveLock", DatID: 5, RelID: 16384, WaitStart: Some(at(600))}}
	for _, c := range []struct {
		name   string
		sample Sample
		ahead  time.Duration
	}{
		{"time goes on", Sample{Seq: 2, At: at(6000)}, 5 * time.Second},
		{"an answer is owed for a moment", Sample{Seq: 2, At: at(6000), AskedAt: Some(at(5500))}, 5 * time.Second},
		{"an answer is owed for long", Sample{Seq: 2, At: at(6000), AskedAt: Some(at(1500))}, 0},
		{"the connection is lost", Sample{Seq: 2, At: at(6000), Events: []Event{{At: at(6000), Kind: EventLost}}}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			snaps := fold([]Sample{read, c.sample})
			before, after := onlyRun(t, snaps[0]), onlyRun(t, snaps[1])
			if got := after.Elapsed().Or(0) - before.Elapsed().Or(0); got != c.ahead {
				t.Errorf("the run has grown older by %v, want %v", got, c.ahead)
			}
			if got := snaps[1].LockWaits[0].Waited.Or(0) - snaps[0].LockWaits[0].Waited.Or(0); got != c.ahead {
				t.Errorf("the wait has grown longer by %v, want %v", got, c.ahead)
			}
			if after.Watched() != before.Watched() || after.ProcessTime != before.ProcessTime {
				t.Errorf("what was read has changed: %+v", after)
			}
		})
	}
}

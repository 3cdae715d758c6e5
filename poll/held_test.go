package poll

import (
	"context"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// heldUp folds what a source reads until the run of a vacuum is held up and the lock
// table was read for it.
func heldUp(t *testing.T, source *Source, pid int32) (*model.Snapshot, *model.Run) {
	t.Helper()
	var tracker model.Tracker
	var snapshot *model.Snapshot
	var run *model.Run
	runUntil(t, source, "a vacuum that is held up", func(sample model.Sample) bool {
		snapshot = tracker.Step(sample)
		for _, r := range snapshot.Active {
			if run = r; r.Key.PID == pid && r.HeldUp != nil && r.HeldUp.HoldersRead {
				return true
			}
		}
		return false
	})
	return snapshot, run
}

// Who has a page in use the server tells nobody: sessions with a lock on the table
// are suspects, those that do nothing first, and others are not named.
func TestAVacuumBehindAnOpenCursor(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		busy, away := s.Conn(t), s.Conn(t)
		v, _ := s.PinnedVacuum(t, "pinned")
		for _, sql := range []string{"begin", "select 1 from pinned limit 1"} {
			if _, err := busy.Exec(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = busy.Exec(ctx, "select pg_sleep(600)")
		}()
		t.Cleanup(func() {
			cancel()
			<-ended
		})
		if _, err := away.Exec(t.Context(), "begin; select 1"); err != nil {
			t.Fatal(err)
		}
		snapshot, run := heldUp(t, open(t, s.ConnString()), v.PID)
		h := run.HeldUp
		if h.Kind != model.HeldCleanup || h.PID != v.PID || h.At != model.Some[model.Blocks](0) || h.Of.Or(0) == 0 || len(h.Holders) != 2 {
			t.Fatalf("%+v", h)
		}
		first, second := h.Holders[0], h.Holders[1]
		if !first.Suspect || first.State.Or("") != "idle in transaction" || first.Query.Or("") != "fetch 1 from held" || !first.XactStart.Known() {
			t.Errorf("the first suspect: %+v", first)
		}
		if second.PID != int32(busy.PgConn().PID()) || second.State.Or("") != "active" {
			t.Errorf("the second suspect: %+v", second)
		}
		for _, w := range snapshot.LockWaits {
			if w.PID == v.PID && (len(w.BlockedBy) != 0 || w.Waited.Known()) {
				t.Errorf("a wait without a lock request has no blocker and no exact beginning: %+v", w)
			}
		}
	})
}

// Those in the way of a truncation are exactly those with a lock on the table.
func TestAVacuumThatCannotTruncate(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "emptied", DeadEvery: -1})
		s.Exec(t, "delete from emptied where id > 10")
		reader := s.Conn(t)
		for _, sql := range []string{"begin", "select 1 from emptied limit 1"} {
			if _, err := reader.Exec(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
		source := openWith(t, s.ConnString(), Options{Interval: 100 * time.Millisecond, TickRate: 20, TickRateGiven: true})
		v := s.Vacuum(t, "emptied", "")
		_, run := heldUp(t, source, v.PID)
		h := run.HeldUp
		if h.Kind != model.HeldTruncate || len(h.Holders) != 1 || h.Holders[0].PID != int32(reader.PgConn().PID()) || h.Holders[0].Suspect || !h.GivesUp().Known() {
			t.Errorf("%+v", h)
		}
	})
}

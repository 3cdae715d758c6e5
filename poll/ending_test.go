package poll

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// Whether a vacuum completed shows in the count of vacuums that the server keeps
// for its table, on every version: a cancelled one does not raise it.
func TestHowVacuumsEnd(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "done", Rows: 20_000})
		s.MakeTable(t, pgtest.Table{Name: "cancelled"})
		slow := []string{"vacuum_cost_delay=10ms", "vacuum_cost_limit=10"}
		source := open(t, s.ConnString())
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		want := map[model.Text]model.Ending{"done": model.EndCompleted, "cancelled": model.EndNotCompleted}
		got := map[model.Text]model.Ending{}
		var tracker model.Tracker
		var held *pgtest.Vacuum
		_ = source.Run(ctx, func(sample model.Sample) {
			snapshot := tracker.Step(sample)
			switch sample.Seq {
			case 2:
				s.Vacuum(t, "done", "", slow...)
				held = s.Vacuum(t, "cancelled", "", "vacuum_cost_delay=100ms", "vacuum_cost_limit=1")
			case 12:
				s.Exec(t, fmt.Sprintf("select pg_cancel_backend(%d)", held.PID))
			}
			for _, run := range snapshot.Ended {
				if table := run.Table.Or(""); !run.End.Open && want[table] != "" {
					got[table] = run.End.How
				}
			}
			if len(got) >= len(want) {
				cancel()
			}
		})
		for table, how := range want {
			if got[table] != how {
				t.Errorf("%s: %q, want %q", table, got[table], how)
			}
		}
	})
}

// Who blocks a waiting session is in the poll, whatever it does.
func TestBlockersAreRead(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "locked", Rows: 100})
		s.LockHold(t, "locked", "share")
		waiting := s.Vacuum(t, "locked", "").Waiting(t, "Lock")
		var tracker model.Tracker
		snapshot := tracker.Step(open(t, s.ConnString()).Beat(t.Context()))
		for _, w := range snapshot.LockWaits {
			if w.PID != waiting.PID {
				continue
			}
			if len(w.Blockers) != 1 || w.Blockers[0].State != model.Some[model.Text]("idle in transaction") || w.Blockers[0].Query.Or("") == "" || !w.Around {
				t.Errorf("the wait: %+v", w)
			}
			return
		}
		t.Errorf("the vacuum's wait is not among %+v", snapshot.LockWaits)
	})
}

// A vacuum whose session counts nothing completes all the same.
func TestAVacuumWithoutCountsCompletes(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "uncounted", Rows: 20_000})
		var tracker model.Tracker
		runUntil(t, open(t, s.ConnString()), "the vacuum's end", func(sample model.Sample) bool {
			snapshot := tracker.Step(sample)
			if sample.Seq == 2 {
				s.Vacuum(t, "uncounted", "", "track_counts=off", "vacuum_cost_delay=10ms", "vacuum_cost_limit=10")
			}
			for _, run := range snapshot.Ended {
				if run.Table.Or("") == "uncounted" && !run.End.Open {
					if run.End.How != model.EndCompleted {
						t.Errorf("ended %+v", run.End)
					}
					return true
				}
			}
			return false
		})
	})
}

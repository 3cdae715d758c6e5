package poll

import (
	"context"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// VACUUM FULL is not in pg_stat_progress_vacuum: ticks read it all the same, with
// phase and wait, and once where a server shows it in two views. It stands still in
// the build of an index, on a lock that the test holds, until a tick has seen it.
func TestTicksReadVacuumFull(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "rewritten", Rows: 1000})
		s.Exec(t, "create table public.gate ()",
			"create function passing(integer) returns integer immutable language plpgsql as"+
				" 'begin perform from public.gate; return $1; end'",
			"create index on rewritten (passing(id))")
		s.AtEnd(t, "drop table public.gate, rewritten", "drop function passing")
		release := s.LockHold(t, "public.gate", "access exclusive")
		source := open(t, s.ConnString())
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var pid int32
		var done <-chan error
		seen := map[model.Text]int{}
		_ = source.Run(ctx, func(sample model.Sample) {
			if done == nil {
				pid, done = s.Statement(t, "vacuum full rewritten")
			}
			for _, tick := range sample.Ticks {
				rows := 0
				for _, row := range tick.Rows {
					if row.PID == pid {
						rows++
						seen[row.Phase]++
					}
				}
				if rows > 1 {
					t.Errorf("%d rows of one process in a tick: %+v", rows, tick.Rows)
				}
			}
			if len(seen) > 0 {
				release()
			}
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
				cancel()
			default:
			}
		})
		if seen["seq scanning heap"]+seen["writing new heap"]+seen["rebuilding index"] == 0 {
			t.Errorf("phases seen by ticks: %v", seen)
		}
	})
}

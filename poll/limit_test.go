package poll

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// An autovacuum goes on at a third of its rate when two more divide the cost limit with
// it, and that is said as what it is.
func TestWorkersThatJoinExplainARateThatFalls(t *testing.T) {
	for _, major := range []int{13, 16, 19} {
		t.Run(fmt.Sprint(major), func(t *testing.T) {
			s := pgtest.Start(t, major, "autovacuum=on", "autovacuum_naptime=1s", "autovacuum_vacuum_cost_delay=20ms", "autovacuum_vacuum_cost_limit=90")
			begin := func(table string) {
				s.Exec(t, "alter table "+table+" set (autovacuum_enabled = on, autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)")
			}
			for _, table := range []string{"first", "second", "third"} {
				s.MakeTable(t, pgtest.Table{Name: table, Rows: 200_000, Indexes: -1, DeadEvery: 2})
				s.Exec(t, "delete from "+table+" where id = 1", "select pg_sleep(0.6)", "select 1") // 13 and 14 send statistics after half a second
			}
			s.Exec(t, "checkpoint") // pages that are clean yet cost the most
			joined := false
			var change model.LimitChange
			watchUntil(t, s, func() { begin("first") }, func(snapshot *model.Snapshot) bool {
				for _, r := range snapshot.Active {
					if r.Table.Or("") != "first" || r.State != model.StateRunning {
						continue
					}
					if !joined && r.Watched() > 4*time.Second {
						joined = true
						begin("second")
						begin("third")
					}
					if n := len(r.LimitChanges); n > 0 {
						change = r.LimitChanges[n-1]
						said := strings.Join(model.Verdict(snapshot, r), " ")
						if want := "2 more workers joined, its limit fell from 90 to ≈30, "; change.After.Known() && len(change.New.Sharing) == 3 && !strings.Contains(said, want) {
							t.Errorf("%q is not in %q", want, said)
						}
					}
				}
				return change.After.Known() && len(change.New.Sharing) == 3
			})
			if before, after := change.Before.Or(0), change.After.Or(0); float64(after) > 0.6*float64(before) && len(change.Old.Sharing) == 1 {
				t.Errorf("%v pages/s before, %v after", before, after)
			}
		})
	}
}

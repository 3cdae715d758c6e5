package poll

import (
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// While the TOAST relation of a partition is vacuumed the command is at that
// partition, though no statement and no tree names the TOAST relation.
func TestATOASTRelationStandsAtItsPartitionsPlace(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Exec(t, "create table parts (id int, wide text) partition by range (id)")
		s.AtEnd(t, "drop table parts")
		s.Exec(t, "create table parts_1 partition of parts for values from (0) to (10)",
			"create table parts_2 partition of parts for values from (10) to (1000000)",
			"alter table parts alter wide set storage external",
			"alter table parts_2 alter wide set storage external",
			"insert into parts select g, repeat('x', 8000) from generate_series(11, 1000) g")
		s.Vacuum(t, "parts", "", "vacuum_cost_delay=100ms", "vacuum_cost_limit=50")
		var tracker model.Tracker
		runUntil(t, open(t, s.ConnString()), "the TOAST relation", func(sample model.Sample) bool {
			snapshot := tracker.Step(sample)
			for _, run := range snapshot.Active {
				g := snapshot.GroupOf(run)
				if !run.ToastOf.Known() || g == nil || !g.Number.Known() {
					continue
				}
				if g.Number.Or(0) != 2 || g.Total.Or(0) != 2 {
					t.Errorf("the TOAST relation is at %+v", g)
				}
				return true
			}
			return false
		})
	})
}

package poll

import (
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// Where the first workers fill the memory for dead rows there is a pass over the
// indexes for nearly every page of the heap, and what is between two of them is mostly
// shorter than a tick.
func TestPassesFollowTheServersCount(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "many_passes", Indexes: 3})
	s.Vacuum(t, "many_passes", "(parallel 2)", "maintenance_work_mem=64kB", "min_parallel_index_scan_size=0", "max_parallel_maintenance_workers=2")
	var tracker model.Tracker
	runUntil(t, open(t, s.ConnString()), "twenty passes", func(sample model.Sample) bool {
		for _, run := range tracker.Step(sample).Active {
			if run.Progress == nil || run.Progress.IndexVacuumCount.Or(0) < 20 {
				continue
			}
			completed := int(run.Progress.IndexVacuumCount.Or(0))
			if pass := run.IndexPass(); pass != completed && pass != completed+1 {
				t.Errorf("pass %d, with %d completed", pass, completed)
			}
			if launched := run.Parallel.Launched.Or(0); launched > 2 {
				t.Errorf("%d workers launched in one pass", launched)
			}
			return true
		}
		return false
	})
}

package poll

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// bigIndex makes a table of few pages with one index of many, whose keys are just not
// compressed, and three of a few pages, so that who cleans them is seen.
func bigIndex(t *testing.T, s *pgtest.Server, name string) {
	t.Helper()
	s.Exec(t, "create table "+name+" (id int, a int, b int, c int) with (autovacuum_enabled = off)",
		"insert into "+name+" select g, g, g, g from generate_series(1, 4000) g",
		"create index "+name+"_big on "+name+" ((repeat(md5(id::text), 15)))",
		"create index on "+name+" (a) where a < 1500", "create index on "+name+" (b) where b < 1500", "create index on "+name+" (c) where c < 1500",
		"delete from "+name+" where id % 3 = 0")
	s.AtEnd(t, "drop table "+name)
}

func TestOneBigIndexAmongSmallOnesLeavesWorkersIdle(t *testing.T) {
	eachOf(t, func(t *testing.T, s *pgtest.Server) {
		bigIndex(t, s, "verdict_uneven")
		v := s.Vacuum(t, "verdict_uneven", "(parallel 3)", "min_parallel_index_scan_size=0", "max_parallel_maintenance_workers=3",
			"vacuum_cost_delay=50ms", "vacuum_cost_limit=20")
		found, _ := judged(t, s, v.PID, "unbalanced", finds("workers unbalanced"))
		f := found["workers unbalanced"]
		wants(t, f.Sentence+" "+f.Helps, "leader and 3 workers are at work for ≈", "Index verdict_uneven_big is ≈9", "more workers would not shorten the pass")
	}, 13, 18)
}

func TestFewerWorkersThanPlannedNamesTheLimit(t *testing.T) {
	s := pgtest.Start(t, 18, "max_parallel_workers=1")
	s.Exec(t, "create table verdict_fewer (id int) with (autovacuum_enabled = off)", "insert into verdict_fewer select generate_series(1, 1000)")
	for range 4 {
		s.Exec(t, "create index on verdict_fewer ((repeat(md5(id::text), 15)))")
	}
	s.Exec(t, "delete from verdict_fewer where id % 3 = 0")
	v := s.Vacuum(t, "verdict_fewer", "(parallel 3)", "min_parallel_index_scan_size=0", "max_parallel_maintenance_workers=3",
		"vacuum_cost_delay=50ms", "vacuum_cost_limit=20")
	found, _ := judged(t, s, v.PID, "fewer workers", finds("fewer workers"))
	f := found["fewer workers"]
	wants(t, f.Sentence+" "+f.Helps, "1 launched: max_parallel_workers is 1", "With 3 workers the busiest process has 1 of 4 indexes, not 2: ≈50 %")
}

// The passes said to come are those that come, and the memory said to be enough is.
func TestPassesForLackOfMemory(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "verdict_passes", Rows: 400_000})
	settings := []string{"maintenance_work_mem=64kB", "vacuum_cost_delay=10ms", "vacuum_cost_limit=200"}
	v := s.Vacuum(t, "verdict_passes", "(parallel 0)", settings...)
	var needed model.Bytes
	found, said := judged(t, s, v.PID, "passes repeated", func(s *model.Snapshot, r *model.Run) bool {
		needed = r.Memory.Needed.Or(0)
		return finds("passes repeated")(s, r)
	})
	f := found["passes repeated"]
	wants(t, f.Sentence+" "+f.Helps, "for lack of maintenance_work_mem", "would spare", "in its next run")
	wants(t, said, f.Sentence)
	if needed <= 64<<10 {
		t.Errorf("needed are %d bytes", needed)
	}
}

// Who kept dead rows is named while the vacuum runs and after it, with how many stayed;
// once that has ended the next vacuum leaves none. The transaction is two minutes old
// to who folds.
func TestAnOldSnapshotKeepsRowsAndIsNamed(t *testing.T) {
	eachOf(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "verdict_kept", DeadEvery: -1})
		holder := s.Conn(t)
		execOn(t, holder, "begin isolation level repeatable read", "select 1 from verdict_kept limit 1")
		s.Exec(t, "delete from verdict_kept where id % 4 = 0")
		v := s.Vacuum(t, "verdict_kept", "", "vacuum_cost_delay=20ms", "vacuum_cost_limit=200")
		var tracker model.Tracker
		running, ended := "", ""
		runUntil(t, open(t, s.ConnString()), "a run that has ended and whose table was read", func(sample model.Sample) bool {
			if p := sample.Poll; p != nil && p.Horizon != nil {
				for i, h := range p.Horizon.Sessions {
					if since, ok := h.Since.Get(); ok {
						p.Horizon.Sessions[i].Since = model.Some(since.Add(-2 * time.Minute))
					}
				}
			}
			snapshot := tracker.Step(sample)
			for _, r := range slices.Concat(snapshot.Active, snapshot.Ended) {
				switch {
				case r.Key.PID != v.PID:
				case r.State == model.StateRunning:
					running = strings.Join(model.Verdict(snapshot, r), " ")
				case r.After != nil && r.End.How == model.EndCompleted:
					ended = strings.Join(model.Verdict(snapshot, r), " ")
				}
			}
			return ended != ""
		})
		wants(t, running, "transactions stay: pid", "may still see them", "would end it. Only the next vacuum profits.")
		wants(t, ended, "≈10,000 dead rows of the last", "stayed: pid", "could still see them")
	}, 16, 18)
}

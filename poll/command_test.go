package poll

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// watchUntil watches a server, begins when the first sample is there, and ends when
// enough has been seen.
func watchUntil(t *testing.T, s *pgtest.Server, begin func(), seen func(*model.Snapshot) bool) {
	t.Helper()
	source := open(t, s.ConnString())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var tracker model.Tracker
	enough := false
	_ = source.Run(ctx, func(sample model.Sample) {
		snapshot := tracker.Step(sample)
		if begin != nil {
			begin()
			begin = nil
		}
		if enough = enough || seen(snapshot); enough {
			cancel()
		}
	})
	if !enough {
		t.Error("what was waited for did not come")
	}
}

// A VACUUM of a partitioned table, in two levels, says which leaf of how many it is
// at, in the order in which the server goes through them.
func TestPartitionsAreNumberedInTheServersOrder(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Exec(t, "create table pt(id int, pad text) partition by range(id)",
			"create table pt_b partition of pt for values from (100) to (200) partition by range(id)",
			"create table pt_z partition of pt for values from (0) to (50)",
			"create table pt_b2 partition of pt_b for values from (150) to (200)",
			"create table pt_a partition of pt for values from (50) to (100)",
			"create table pt_b1 partition of pt_b for values from (100) to (150)",
			"insert into pt select g % 200, repeat('x', 100) from generate_series(1, 2000) g", "analyze pt")
		s.AtEnd(t, "drop table pt")
		want := map[model.Text]int{"pt_z": 1, "pt_a": 2, "pt_b2": 3, "pt_b1": 4}
		got := map[model.Text]int{}
		var command *model.Group
		release := map[model.Text]func(){} // the vacuum waits at each leaf until it has been seen there
		for leaf := range want {
			release[leaf] = s.CursorHold(t, string(leaf))
		}
		watchUntil(t, s, func() {
			s.Vacuum(t, "pt", "(freeze)")
		}, func(snapshot *model.Snapshot) bool {
			for _, g := range snapshot.Groups {
				for _, r := range snapshot.Active {
					if table, known := r.Table.Get(); known && r.Group == g.ID && !r.ToastOf.Known() {
						got[table], command = g.Number.Or(0), g
						release[table]()
					}
				}
			}
			return len(got) == len(want)
		})
		for table, number := range want {
			if got[table] != number {
				t.Errorf("%s is number %d, want %d", table, got[table], number)
			}
		}
		if command == nil || command.Kind != model.GroupTree || command.Total != model.Some(4) || command.Root.Or(model.RelationName{}).Name != "pt" {
			t.Errorf("%+v", command)
		}
	})
}

// A VACUUM of the whole database is numbered in the order of the rows of pg_class:
// what the server's messages tell is what the catalog foretold.
func TestTheWholeDatabaseIsNumberedInTheServersOrder(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		for i := range 12 {
			s.Exec(t, fmt.Sprintf("create table w%d(a int)", i))
			if i%3 == 2 {
				s.Exec(t, fmt.Sprintf("drop table w%d", i-1)) // its row leaves a hole
			}
		}
		s.Exec(t, "insert into w11 select generate_series(1, 1000)")
		var drop []string
		for i := range 12 {
			drop = append(drop, fmt.Sprintf("drop table if exists w%d", i))
		}
		s.AtEnd(t, append(drop, "drop table if exists before_w11")...)
		var command *model.Group
		var place, before int
		s.Exec(t, "create table before_w11 as select count(*)::int n from pg_class c where c.relkind in ('r','m') and c.ctid < (select ctid from pg_class where relname = 'w11')")
		if err := s.Conn(t).QueryRow(t.Context(), "select n from before_w11").Scan(&before); err != nil {
			t.Fatal(err)
		}
		release := s.CursorHold(t, "w11") // it waits there for the page
		watchUntil(t, s, func() { s.Vacuum(t, "", "(freeze)") }, func(snapshot *model.Snapshot) bool {
			for _, r := range snapshot.Active {
				if g := snapshot.GroupOf(r); g != nil && r.Table.Or("") == "w11" {
					command, place = g, g.Number.Or(0)
				}
			}
			return command != nil
		})
		release()
		if command == nil {
			return
		}
		if command.Kind != model.GroupDatabase || command.AtLeast || !command.PagesTotal.Known() || command.Total.Or(0) < 60 {
			t.Errorf("%+v", command)
		}
		if place < before || place > before+2 { // the table that notes it came with it
			t.Errorf("w11 is number %d, %d stand before it in pg_class", place, before)
		}
	})
}

// The ANALYZE half of a VACUUM (ANALYZE) goes on as a part of its command, and how
// both ended is told.
func TestBothHalvesOfVacuumAnalyze(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "halves", Rows: 60_000, DeadEvery: -1})
		s.Exec(t, "alter table halves alter id set statistics 10000", "vacuum halves", // the VACUUM is short, the sample all of the table
			"delete from halves where id <= 1000") // and long enough to be seen before it is counted
		ended := map[bool]model.Ending{}
		analyzing := false
		watchUntil(t, s, func() {
			s.Vacuum(t, "halves", "(analyze)", "vacuum_cost_delay=20ms", "vacuum_cost_limit=10")
		}, func(snapshot *model.Snapshot) bool {
			for _, r := range snapshot.Active {
				if g := snapshot.GroupOf(r); r.Key.Analyze && g != nil && g.Analyzing && r.Left.Done.Known() {
					analyzing = true
				}
			}
			for _, r := range snapshot.Ended {
				if r.Table.Or("") == "halves" && !r.End.Open {
					ended[r.Key.Analyze] = r.End.How
				}
			}
			return len(ended) == 2
		})
		if !analyzing || ended[false] != model.EndCompleted || ended[true] != model.EndCompleted {
			t.Errorf("analyzing seen: %v, ended: %v", analyzing, ended)
		}
	})
}

// Workers of a parallel autovacuum (19) have no text and no statement start: they
// are members of the worker that leads them, not vacuums.
func TestParallelAutovacuumIsOneRun(t *testing.T) {
	s := pgtest.Start(t, 19, "autovacuum_naptime=1s", "autovacuum_max_parallel_workers=4", "autovacuum_vacuum_cost_delay=20ms",
		"min_parallel_index_scan_size=0", "autovacuum=on")
	s.MakeTable(t, pgtest.Table{Name: "pa", Rows: 100_000, Indexes: 4})
	s.Exec(t, "delete from pa where id % 3 = 0")
	var run *model.Run
	most := 0
	watchUntil(t, s, func() {
		s.Exec(t, "alter table pa set (autovacuum_enabled = on, autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0, autovacuum_parallel_workers = 3)")
	}, func(snapshot *model.Snapshot) bool {
		for _, r := range snapshot.Active {
			workers := 0
			for _, m := range r.Processes {
				if m.Worker {
					workers++
				}
			}
			if r.Table.Or("") == "pa" && r.Key.StatementStart.IsZero() {
				t.Errorf("a run without a statement start: %+v", r.Key)
			}
			if workers > most {
				run, most = r, workers
			}
		}
		return most > 1
	})
	if run != nil && (run.StartedBy.Or("") != model.ByAutovacuum || run.Table.Or("") != "pa") {
		t.Errorf("%+v", run)
	}
}

// burn uses up transaction ids.
func burn(t *testing.T, s *pgtest.Server, n int) {
	t.Helper()
	s.Exec(t, fmt.Sprintf("do $$ begin for i in 1..%d loop perform txid_current(); commit; end loop; end $$", n))
}

// A table over the failsafe age: 14 to 18 do not say so, it follows from the age;
// 19 says it; 13 has no such mode.
func TestFailsafeOnEveryVersion(t *testing.T) {
	for _, major := range pgtest.Majors {
		t.Run(fmt.Sprint(major), func(t *testing.T) {
			settings := []string{"autovacuum=off", "autovacuum_freeze_max_age=100000"}
			if major >= 14 {
				settings = append(settings, "vacuum_failsafe_age=0")
			}
			s := pgtest.Start(t, major, settings...)
			s.MakeTable(t, pgtest.Table{Name: "old", Rows: 60_000, Indexes: 1})
			s.Exec(t, "delete from old where id % 2 = 0")
			burn(t, s, 106_000)
			release := s.CursorHold(t, "old")
			var failsafe *model.Failsafe
			seen := false
			watchUntil(t, s, func() { s.Vacuum(t, "old", "(freeze)").Waiting(t, "BufferPin", "Buffer") }, func(snapshot *model.Snapshot) bool {
				for _, r := range snapshot.Active {
					seen = seen || r.Table.Or("") == "old" && r.Relation != nil && len(snapshot.Settings) > 0
					if seen {
						failsafe = r.Failsafe
					}
				}
				return seen
			})
			release()
			switch {
			case major == 13 && failsafe != nil:
				t.Errorf("13 has no failsafe mode: %+v", failsafe)
			case major >= 14 && failsafe == nil:
				t.Error("the failsafe mode is not told")
			case major >= 14 && failsafe.Inferred != (major < 19):
				t.Errorf("%+v", failsafe)
			case major >= 14 && major < 19 && !strings.Contains(failsafe.Reason, "1.05 times autovacuum_freeze_max_age"):
				t.Errorf("the reason: %s", failsafe.Reason)
			}
		})
	}
}

// From 14 on the pass over the indexes is left out where few pages have dead items.
// The run has completed all the same, and says so; 13 makes the pass. What a GIN
// index has pending is worked off in "cleaning up indexes": no counter moves, the
// time in the phase does, and nothing is estimated.
func TestAnIndexPassThatIsLeftOut(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "bp", Rows: 60_000, DeadEvery: -1})
		s.Exec(t, "alter table bp add t tsvector", "vacuum bp", "create index on bp using gin (t) with (fastupdate = on, gin_pending_list_limit = 2000000)",
			"insert into bp select g, g, '', to_tsvector('simple', md5(g::text) || ' ' || md5((g + 1)::text) || ' ' || md5((g * 7)::text)) from generate_series(1, 40000) g",
			"delete from bp where id = 7")
		var version int
		var over *model.Run
		cleaning := time.Duration(0)
		watchUntil(t, s, func() { s.Vacuum(t, "bp", "", "vacuum_cost_delay=1ms", "vacuum_cost_limit=1000") }, func(snapshot *model.Snapshot) bool {
			version = snapshot.Server.VersionNum / 10000
			for _, r := range snapshot.Active {
				if span := r.Phase(); span != nil && span.Phase == "cleaning up indexes" {
					cleaning = max(cleaning, span.Wall)
					if r.Left.Range.Known() || version < 17 && r.Left.WhyNot == "" {
						t.Errorf("time left: %+v", r.Left)
					}
				}
			}
			for _, r := range snapshot.Ended {
				if r.Table.Or("") == "bp" && !r.End.Open {
					over = r
				}
			}
			return over != nil
		})
		if over == nil {
			return
		}
		if cleaning == 0 && version >= 14 { // 13 does it in its pass
			t.Error("the clean-up of the index was not seen to take time")
		}
		why := over.IndexPassSkipped()
		if over.End.How != model.EndCompleted || (version >= 14) != (why == "few dead items") {
			t.Errorf("%s, index pass left out: %q; phases %+v", over.End.How, why, over.Phases)
		}
	})
}

// An autovacuum that gives way again and again: each run is told by its own ending,
// and the one that runs now by how often that has happened.
func TestAutovacuumsThatGiveWayAgainAndAgain(t *testing.T) {
	for _, major := range []int{13, 17, 19} {
		t.Run(fmt.Sprint(major), func(t *testing.T) {
			s := pgtest.Start(t, major, "autovacuum=on", "autovacuum_naptime=1s", "deadlock_timeout=1s")
			s.MakeTable(t, pgtest.Table{Name: "av"})
			var waiter <-chan error
			asked, gaveWay, streak := 0, 0, 0
			var asleepSince time.Time
			watchUntil(t, s, func() {
				s.Exec(t, "delete from av where id % 3 = 1", "select pg_sleep(0.6)", "select 1", // 13 and 14 send statistics after half a second
					"alter table av set (autovacuum_enabled = on, autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)")
			}, func(snapshot *model.Snapshot) bool {
				for _, r := range snapshot.Active {
					if r.Table.Or("") != "av" || r.Key.Analyze {
						continue
					}
					streak = max(streak, snapshot.Streak(r))
					seen := snapshot.At.Sub(r.FirstSeen) > 500*time.Millisecond && !r.FirstSeen.Equal(asleepSince)
					if seen && asked < 3 { // once a run
						asleepSince = r.FirstSeen
						asked++
						_, waiter = s.Statement(t, "alter table av alter pad set statistics 100")
					}
				}
				gaveWay = 0
				for _, r := range snapshot.Ended {
					if r.Table.Or("") == "av" && r.End.How == model.EndGaveWay {
						gaveWay++
					}
				}
				return streak == 3
			})
			if gaveWay != 3 {
				t.Errorf("%d runs gave way, %d asked for", gaveWay, asked)
			}
			if waiter != nil {
				if err := <-waiter; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

package model

import (
	"strings"
	"testing"
	"time"
)

// readings makes one point a second from counter values.
func readings(values ...int64) []point {
	var out []point
	for i, v := range values {
		out = append(out, point{at(1000 * i), v})
	}
	return out
}

func TestLeftInPhase(t *testing.T) {
	ramp := func(n int, step int64) []int64 {
		var out []int64
		for i := range n {
			out = append(out, int64(i)*step)
		}
		return out
	}
	for name, c := range map[string]struct {
		points []point
		total  int64
		low    time.Duration
		high   time.Duration
		why    string
	}{
		"steady": {readings(ramp(11, 10)...), 300, 20 * time.Second, 20 * time.Second, ""},
		"between the slowest and the fastest window":           {readings(0, 10, 30, 40, 60), 160, 5 * time.Second, 10 * time.Second, ""},
		"not before the third window":                          {readings(0, 10, 20), 100, 0, 0, "at 3 different times; so far at 2"},
		"a counter of whole indexes stands still between them": {readings(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3), 9, 17 * time.Second, 17 * time.Second, ""}, // a second of the next has gone by
		"a stall is said, not turned into a growing number":    {readings(append(ramp(10, 10), 90, 90, 90, 90, 90, 90, 90)...), 1000, 0, 0, "nothing moved for 7.0 s"},
		"at its end": {readings(0, 50, 100), 100, 0, 0, "at the end"},
	} {
		t.Run(name, func(t *testing.T) {
			got, why := leftInPhase(c.points, c.total, UnitIndexes)
			r, ok := got.Get()
			if ok != (c.why == "") || !strings.Contains(why, c.why) {
				t.Fatalf("range %v, why not %q", got, why)
			}
			if r.Low != c.low || r.High != c.high {
				t.Errorf("%v to %v, want %v to %v", r.Low, r.High, c.low, c.high)
			}
		})
	}
}

func TestMemory(t *testing.T) {
	p := scanning(250, 1000)
	p.MaxDeadTupleBytes, p.DeadTupleBytes, p.NumDeadItemIDs = Some(Bytes(1<<20)), Some(Bytes(1310720)), Some[int64](9)
	m := memoryOf(&p, Some[Blocks](0))
	if m.Fill() != 1.25 || m.Projected != Some(Ratio(5)) || m.Passes != Some(5) || m.Needed != Some(Bytes(5242880)) {
		t.Errorf("over its limit: %+v", m)
	}
	p.HeapBlksScanned = Some[Blocks](99)
	if m := memoryOf(&p, Some[Blocks](0)); m.Projected.Known() {
		t.Errorf("projected before a tenth of the scan: %+v", m)
	}
	for _, c := range []struct {
		phase             Text
		count             int64
		scanned, vacuumed Blocks
		want              Opt[int]
	}{
		{"vacuuming indexes", 0, 1000, 0, Some(1)},
		{"vacuuming indexes", 1, 600, 300, Some(4)},
		{"vacuuming heap", 1, 1000, 40, Some(1)}, // how far the heap pass is does not matter
		{"vacuuming heap", 2, 600, 310, Some(4)},
		{"scanning heap", 2, 610, 599, Some(4)},
		{"scanning heap", 0, 10, 0, None[int]()},
	} {
		p.Phase, p.IndexVacuumCount, p.HeapBlksScanned, p.HeapBlksVacuumed = Some(c.phase), Some(c.count), Some(c.scanned), Some(c.vacuumed)
		if m := memoryOf(&p, None[Blocks]()); m.Passes != c.want {
			t.Errorf("passes of %+v: %v", c, m.Passes)
		}
	}
	old := scanning(1, 10)
	if memoryOf(&old, None[Blocks]()).Known() {
		t.Error("a version without the columns has no memory to show")
	}
}

func TestParallel(t *testing.T) {
	indexes := []Index{{Name: "a", AccessMethod: "btree", RelPages: 100}, {Name: "b", AccessMethod: "gin", RelPages: 100},
		{Name: "c", AccessMethod: "btree", RelPages: 100}, {Name: "tiny", AccessMethod: "btree", RelPages: 1}, {Name: "r", AccessMethod: "brin", RelPages: 100}}
	setting := func(name, value string) Setting { return Setting{Name: name, Setting: Text(value)} }
	settings := func(maintenance, workers, processes string) []Setting {
		return []Setting{setting("max_parallel_maintenance_workers", maintenance), setting("max_parallel_workers", workers),
			setting("max_worker_processes", processes), setting("min_parallel_index_scan_size", "64")}
	}
	for name, c := range map[string]struct {
		statement Text
		settings  []Setting
		launched  int
		planned   int
		reason    string
	}{
		"the leader takes one of three":           {"vacuum (parallel 4) t", settings("8", "8", "8"), 2, 2, "3 indexes are large enough and the leader takes one"},
		"capped by the setting":                   {"vacuum (parallel 4) t", settings("1", "8", "8"), 1, 1, "max_parallel_maintenance_workers is 1 here"},
		"none asked is as many as go":             {"vacuum t", settings("8", "8", "8"), 2, 2, ""},
		"fewer asked than would go":               {"vacuum (parallel 1) t", settings("8", "8", "8"), 1, 1, ""},
		"more than this session's settings allow": {"vacuum (parallel 2) t", settings("1", "8", "8"), 2, 2, ""},
		"no worker may run":                       {"vacuum (parallel 2) t", settings("8", "0", "8"), 0, 2, "max_parallel_workers is 0"},
		"indexes are left alone":                  {"vacuum (parallel 2, index_cleanup off) t", settings("8", "8", "8"), 0, 0, "INDEX_CLEANUP is off"},
		"processes used up":                       {"vacuum (parallel 2) t", settings("8", "8", "2"), 1, 2, "max_worker_processes is 2"},
	} {
		t.Run(name, func(t *testing.T) {
			run := Run{Command: "VACUUM", StartedBy: Some(ByManual), Statement: Some(c.statement), Indexes: indexes,
				Phases: []Span{{Phase: "vacuuming indexes", Wall: 5 * time.Second}}}
			got := parallelOf(&run, c.launched, c.settings)
			if got.Planned != Some(c.planned) || got.Launched != Some(c.launched) || got.Reason != c.reason {
				t.Errorf("%+v", got)
			}
		})
	}
	auto := Run{Command: "VACUUM", StartedBy: Some(ByAutovacuum), Indexes: indexes}
	if got := parallelOf(&auto, 0, settings("8", "8", "8")); got.Planned != Some(0) || got.Asked.Known() {
		t.Errorf("before 19 autovacuum is never parallel: %+v", got)
	}
	for statement, reason := range map[Text]string{"vacuum t": "", "vacuum (parallel 2) t": "a temporary table is vacuumed without workers"} {
		temporary := Run{Command: "VACUUM", StartedBy: Some(ByManual), Statement: Some(statement), Indexes: indexes, Schema: Some[Text]("pg_temp_3")}
		if got := parallelOf(&temporary, 0, settings("8", "8", "8")); got.Planned != Some(0) || got.Reason != reason {
			t.Errorf("%s of a temporary table: %+v", statement, got)
		}
	}
}

// Passes too short to be sampled say nothing about workers that were not launched.
func TestShortPassesBlameNoSetting(t *testing.T) {
	run := Run{Phases: []Span{{Phase: phaseVacuumingIndexes, Passes: 400, Wall: 7 * time.Second}}}
	if run.launchSeen() {
		t.Error("400 passes in 7 s show the workers of none")
	}
	run.Phases = []Span{{Phase: phaseVacuumingIndexes, Passes: 1, Wall: 400 * time.Millisecond}, {Phase: phaseVacuumingHeap, Passes: 1}}
	if !run.launchSeen() {
		t.Error("a pass of 400 ms shows its workers")
	}
}

package lab_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/pgtest"
)

// runWorkload runs a workload once, small, with options "name", "value" other than usual.
func runWorkload(t *testing.T, major int, name string, settings []string, options ...string) experiment.Run {
	t.Helper()
	all := lab.Workloads()
	i := slices.IndexFunc(all, func(w lab.Workload) bool { return w.Name == name })
	if i < 0 {
		t.Fatalf("there is no workload %s", name)
	}
	p := lab.Params{Duration: 5 * time.Second, Clients: 2, Scale: 0.02, Seed: 1, Options: map[string]string{}, Note: func(string) {}}
	for _, o := range all[i].Options {
		p.Options[o.Name] = o.Default
	}
	for o := range slices.Chunk(options, 2) {
		p.Options[o[0]] = o[1]
	}
	bench := lab.Bench{
		Workload: all[i], Params: p, Runs: 1, Begin: func(int, int, string) {},
		Sides: []lab.BenchSide{{Name: "side", Programs: pgtest.Programs(t, major), Settings: settings}},
	}
	measured, err := bench.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return measured.Sides[0].Runs[0]
}

// What is measured of a run is there on the versions between which it differs.
func TestHotTailIsMeasured(t *testing.T) {
	for _, major := range []int{13, 16, 18, 19} {
		t.Run(fmt.Sprint("pg", major), func(t *testing.T) {
			t.Parallel()
			r := runWorkload(t, major, "hot-tail-delete", nil, "rate", "400", "tail", "1000", "delete-rate", "1000")
			if n := r.Latency.Whole().N; n < 1000 || n > 2000 {
				t.Errorf("%d statements were measured, of 2000 that were due", n)
			}
			// What was counted last may come after the end.
			if r.Rows.Inserted < 10_000 || r.Rows.Updated < 500 || r.Rows.Deleted < 2000 || r.Rows.UpdatedHOT < r.Rows.Updated*9/10 {
				t.Errorf("rows: %+v", r.Rows)
			}
			if !r.FirstAggressive().Known() || r.Vacuuming().Count[experiment.VacuumNormal] == 0 {
				t.Errorf("vacuums: %+v", r.Vacuums)
			}
			for _, v := range r.Vacuums {
				if v.Table != "hot_tail" || v.End.Before(r.At) || v.Start.After(v.End) {
					t.Errorf("a vacuum of another time or table: %+v", v)
				}
			}
			checkVersion(t, major, r)
		})
	}
}

// checkVersion checks what a version gives of a run, and that nothing else is claimed.
func checkVersion(t *testing.T, major int, r experiment.Run) {
	t.Helper()
	if r.WAL.Bytes.Or(0) < 1<<20 {
		t.Errorf("WAL: %v", r.WAL)
	}
	if images, known := r.WAL.FullPageImages.Get(); known != (major >= 14) || known && images == 0 {
		t.Errorf("full page images: %v", r.WAL)
	}
	if from := map[bool]string{true: "pg_stat_io", false: "pg_stat_bgwriter"}[major >= 16]; r.IO.From != from {
		t.Errorf("I/O is from %s", r.IO.From)
	}
	if !r.IO.CheckpointerWriter.Known() || !r.IO.OtherReads.Known() || !r.IO.OtherWrites.Known() || r.IO.AutovacuumTime.Known() != (major >= 16) {
		t.Errorf("I/O: %+v", r.IO)
	}
	if written := slices.ContainsFunc(r.WALBackends, func(b experiment.WALBackend) bool { return b.Written.Or(0) > 0 }); written != (major >= 18) {
		t.Errorf("WAL by backend: %+v", r.WALBackends)
	}
	if frozen, known := r.Pages.Frozen.Get(); known != (major >= 16) || known && frozen == 0 {
		t.Errorf("pages: %+v", r.Pages)
	}
	if !slices.ContainsFunc(r.Waits, func(w experiment.Wait) bool { return w.Backend == "client backend" }) {
		t.Errorf("waits: %+v", r.Waits)
	}
	if slices.ContainsFunc(r.Waits, func(w experiment.Wait) bool { return w.Event == "PgSleep" }) {
		t.Errorf("clients that wait for what is due count as at work: %+v", r.Waits)
	}
}

func TestWorkQueueIsWorkedOff(t *testing.T) {
	for _, indexed := range []string{"yes", "no"} {
		t.Run("indexed "+indexed, func(t *testing.T) {
			t.Parallel()
			r := runWorkload(t, 18, "work-queue", nil, "rate", "600", "indexed", indexed, "copy", "yes")
			if r.Rows.Deleted < 500 || r.Rows.Updated < r.Rows.Deleted || (r.Rows.UpdatedHOT > r.Rows.Updated/2) != (indexed == "no") {
				t.Errorf("rows: %+v", r.Rows)
			}
			if len(r.Durations) != 1 || r.Durations[0].What != "COPY" || len(r.Durations[0].Each) < 2 {
				t.Errorf("durations: %+v", r.Durations)
			}
		})
	}
}

func TestCopiesBringTheirRows(t *testing.T) {
	t.Parallel()
	r := runWorkload(t, 18, "copy", nil, "rate", "0")
	copies := int64(len(r.Durations[0].Each))
	if brought := r.Rows.Inserted; brought < copies*1000 || brought > (copies+2)*1000 { // two clients were within another one
		t.Errorf("%d COPYs of 1000 rows brought %d", copies, brought)
	}
	if len(r.Remarks) == 0 {
		t.Error("it is not said that the loop was closed")
	}
}

// The freeze ages that a person sets are not scaled.
func TestAFreezeAgeThatIsSetStays(t *testing.T) {
	t.Parallel()
	r := runWorkload(t, 18, "hot-tail", []string{"vacuum_freeze_table_age=150000000"}, "rate", "400", "tail", "1000")
	if r.FirstAggressive().Known() {
		t.Errorf("vacuums: %+v", r.Vacuums)
	}
	if r.Vacuuming().Count[experiment.VacuumNormal] == 0 {
		t.Error("there was no vacuum")
	}
}

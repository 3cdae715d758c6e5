package model

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Phases far shorter than a beat are seen by ticks, and the delay of each adds up
// to the server's number: nothing is lost at an edge.
func TestDelayOfShortPhasesAddsUpToTheServersNumber(t *testing.T) {
	s := beat(2, 1000, vacuumer(func() Progress { p := inPhase("cleaning up indexes"); p.DelayTime = Some(700.0); return p }()))
	s.Ticks = []Tick{
		tickAt(50, "scanning heap", 40, asleep),
		tickAt(100, "scanning heap", 80, asleep),
		tickAt(150, "vacuuming indexes", 120, asleep, workerRow(201, 120, asleep)),
		tickAt(200, "vacuuming indexes", 160, asleep, workerRow(201, 120, asleep)),
		tickAt(250, "vacuuming heap", 300, onCPU), // the worker added its 100 ms when it exited
		tickAt(300, "vacuuming heap", 340, asleep),
		tickAt(350, "cleaning up indexes", 390, onCPU), // launches no worker, and does not undo the one of the pass
	}
	run := onlyRun(t, last(fold([]Sample{beat(1, -5), s})))

	want := []struct {
		phase    Text
		reported time.Duration
	}{
		{"scanning heap", 105 * time.Millisecond},     // 80, and half of the gap to the next reading
		{"vacuuming indexes", 195 * time.Millisecond}, // the rest of that gap, and all up to the worker's exit
		{"vacuuming heap", 65 * time.Millisecond},
		{"cleaning up indexes", 335 * time.Millisecond},
	}
	if len(run.Phases) != len(want) {
		t.Fatalf("phases: %+v", run.Phases)
	}
	var sum time.Duration
	for i, w := range want {
		got := run.Phases[i]
		if got.Phase != w.phase || got.Delay.Reported != Some(w.reported) {
			t.Errorf("phase %d: %s reported %v, want %s %v", i, got.Phase, got.Delay.Reported, w.phase, w.reported)
		}
		sum += got.Delay.Reported.Or(0)
	}
	if total := run.Delay.Reported.Or(0); sum != total || total != 700*time.Millisecond {
		t.Errorf("sum of phases %v, run %v, want 700ms", sum, total)
	}
	if got := run.Phases[1].ProcessTime; got != 180*time.Millisecond {
		t.Errorf("process-time of the index phase %v, want leader 100 ms + worker 30 + 50 ms", got)
	}
	if run.Phases[0].Uncertain != 50*time.Millisecond || run.Phases[1].Uncertain != 25*time.Millisecond {
		t.Errorf("edges known to %v and %v", run.Phases[0].Uncertain, run.Phases[1].Uncertain)
	}
	if run.Parallel.Launched != Some(1) || run.Parallel.Asked != Some(2) {
		t.Errorf("parallel: %+v", run.Parallel)
	}
}

func TestProfileCountsEveryProcessByPhase(t *testing.T) {
	s := beat(2, 1000, vacuumer(inPhase("vacuuming indexes")))
	finish, wal := Some(Wait{"IPC", "ParallelFinish"}), Some(Wait{"LWLock", "WALWrite"})
	s.Ticks = []Tick{
		tickAt(50, "scanning heap", 0, onCPU),
		tickAt(100, "vacuuming indexes", 0, asleep, workerRow(201, 60, onCPU), TickRow{PID: 202, BackendStart: at(99), LeaderPID: Some[int32](100)}),
		tickAt(150, "vacuuming indexes", 0, finish, workerRow(201, 60, wal), workerRow(202, 99, asleep)),
	}
	s.TicksMissed = 2
	run := onlyRun(t, last(fold([]Sample{beat(1, -5), s})))
	if len(run.Processes) != 3 {
		t.Fatalf("processes: %+v", run.Processes)
	}
	leader, second := run.Processes[0], run.Processes[2]
	if leader.Worker || leader.Samples != (Count{3, 2}) || len(leader.Profile) != 3 || len(leader.PhaseProfile) != 2 {
		t.Errorf("leader: %+v", leader)
	}
	if !second.Worker || second.Samples.Taken != 1 || second.PhaseProfile[0].Class != ClassDelay {
		t.Errorf("a worker that is starting is neither on CPU nor waiting: %+v", second)
	}
	if run.Samples.Taken != 6 || run.Samples.Missed != 2 {
		t.Errorf("samples %+v", run.Samples)
	}
	cell := leader.Lane[0]
	if cell.Taken() != 3 || cell.AwakeClass() == None[Class]() || cell.Samples[ClassDelay] != 1 {
		t.Errorf("lane %+v", leader.Lane)
	}
}

// A new run begins whenever the relation changes under the same process, and a
// statement repeated within one beat is a run of its own.
func TestRunBoundaries(t *testing.T) {
	toast := scanning(0, 0)
	toast.RelID = 16390
	again := vacuumer(scanning(10, 1000))
	again.StatementStart = Some(at(2500))
	third := beat(4, 3000, again)
	repeated := tickAt(2450, "performing final cleanup", 0, onCPU)
	repeated.Rows[0].StatementStart = Some(at(2200))
	third.Ticks = []Tick{repeated}
	snaps := fold([]Sample{
		beat(1, -5),
		beat(2, 1000, vacuumer(scanning(500, 1000))),
		beat(3, 2000, vacuumer(toast)),
		third,
	})
	var got []uint32
	for _, r := range last(snaps).Ended {
		got = append(got, r.Key.RelID)
		if !r.FromStart || r.End.How != EndNotVisible {
			t.Errorf("run %+v ended %+v", r.Key, r.End)
		}
	}
	if !reflect.DeepEqual(got, []uint32{16384, 16390, 16384}) {
		t.Errorf("ended relations %v: the short statement, the TOAST table, the table", got)
	}
	if run := onlyRun(t, last(snaps)); run.Key.StatementStart != at(2500) {
		t.Errorf("active: %+v", run.Key)
	}
	if done := last(snaps).Ended[1].Left.Done; done.Known() {
		t.Errorf("a relation of no pages has no percentage, got %v", done)
	}
}

// A vacuum that only ticks saw has its name all the same, also when the catalog is
// read after it has gone.
func TestAVacuumBetweenTwoPollsGetsItsName(t *testing.T) {
	s := beat(2, 1000)
	s.Ticks = []Tick{tickAt(300, "scanning heap", 0, asleep), tickAt(350, "vacuuming heap", 0, asleep), {At: at(400), Gap: 50 * time.Millisecond}}
	for i := range s.Ticks[:2] {
		s.Ticks[i].Rows[0].DatID = 5
	}
	later := beat(3, 2000)
	later.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t"}}
	snaps := fold([]Sample{beat(1, -5), s, later})
	run := last(snaps).Ended[0]
	if run.Table != Some[Text]("t") || len(run.Phases) != 2 || run.End.At != at(400) || run.End.Within != 50*time.Millisecond {
		t.Errorf("%+v ended %+v", run, run.End)
	}
	if snaps[1].Ended[0].Table.Known() {
		t.Error("the snapshot before was written again")
	}
}

func TestAttachedInTheMiddle(t *testing.T) {
	p := scanning(700, 1000)
	p.DelayTime = Some(600000.0)
	q := scanning(710, 1000)
	q.DelayTime = Some(600900.0)
	snaps := fold([]Sample{beat(1, 700000, vacuumer(p)), beat(2, 701000, vacuumer(q))})
	run := onlyRun(t, last(snaps))
	if run.FromStart || run.Phases[0].Complete {
		t.Errorf("taken for seen from the start: %+v", run)
	}
	if got := run.Phases[0].Delay.Reported; got != Some(900*time.Millisecond) {
		t.Errorf("delay of the phase since watching began: %v", got)
	}
	if run.Delay.Reported != Some(900*time.Millisecond) || run.DelayBefore != Some(10*time.Minute) {
		t.Errorf("delay of the run since watching began: %v, and before: %v", run.Delay.Reported, run.DelayBefore)
	}
	if m := run.Phases[0].Moved; m.From != 700 || m.To != 710 {
		t.Errorf("moved %+v", m)
	}
	if e := run.Elapsed(); e != Some(701*time.Second) {
		t.Errorf("elapsed %v", e)
	}
}

// delay_time is 0 when the timing is off: that is not a delay of nothing.
func TestDelayTimeThatNeverMovedIsAbsent(t *testing.T) {
	p := scanning(10, 1000)
	p.DelayTime = Some(0.0)
	run := onlyRun(t, last(fold([]Sample{beat(1, -5), beat(2, 1000, vacuumer(p))})))
	if run.Delay.Reported.Known() || run.Phases[0].Delay.Reported.Known() {
		t.Errorf("reported %v, phase %v", run.Delay.Reported, run.Phases[0].Delay.Reported)
	}
}

// Workers report what they slept about once a second: early in an index phase the
// reported number says too little, and the estimate is shown.
func TestDelayThatLagsBehindGivesWayToTheEstimate(t *testing.T) {
	d := Delay{Reported: Some(15 * time.Second), Sampled: Some(18 * time.Second), Unreported: 2 * time.Second}
	if got, estimated := d.Best(18600 * time.Millisecond); got != Some(18*time.Second) || !estimated {
		t.Errorf("4 workers after 3.7 s: %v, estimated %v", got, estimated)
	}
	if got, estimated := d.Best(101 * time.Second); got != Some(15*time.Second) || estimated {
		t.Errorf("under 2 %% of the process-time unreported: %v, estimated %v", got, estimated)
	}
	if share, _ := d.Share(20*time.Second, 2900*time.Millisecond); share.Known() {
		t.Errorf("a share over less than 3 s: %v", share)
	}
	s := beat(2, 1000, vacuumer(inPhase("vacuuming indexes")))
	s.Ticks = []Tick{tickAt(50, "vacuuming indexes", 40, asleep, workerRow(201, 20, asleep), workerRow(202, 20, asleep))}
	s.Poll.Processes = append(s.Poll.Processes, parallelProcess(201, 20), parallelProcess(202, 20))
	if run := onlyRun(t, last(fold([]Sample{beat(1, -5), s}))); run.Delay.Unreported != time.Second || run.Phases[0].Delay.Unreported != time.Second {
		t.Errorf("two live workers have half a second each: %v", run.Delay.Unreported)
	}
}

func TestMaskedVacuumIsHiddenNotAbsent(t *testing.T) {
	masked := Process{PID: 100, DatID: Some[uint32](5), Database: Some[Text]("app"), Masked: true, Query: Some[Text]("<insufficient privilege>"), Progress: &Progress{View: ViewVacuum}}
	snaps := fold([]Sample{beat(1, 0, masked), beat(2, 1000, masked)})
	run := onlyRun(t, last(snaps))
	if run.State != StateHidden || run.StartedBy.Known() || run.Elapsed().Known() || len(run.Phases) != 0 {
		t.Errorf("%+v", run)
	}
	if got := Verdict(last(snaps), run)[0]; got != "A vacuum runs in app that this role may not see: GRANT pg_monitor TO dba." {
		t.Errorf("verdict %q", got)
	}
}

// A relation of another database can have the number of a local one.
func TestNamesOfOtherDatabasesAreNotTakenFromHere(t *testing.T) {
	elsewhere := vacuumer(scanning(1, 10))
	elsewhere.DatID, elsewhere.Database = Some[uint32](9), Some[Text]("other")
	s := beat(1, 1000, elsewhere)
	s.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "wrong"}}
	snap := last(fold([]Sample{s}))
	if got := snap.NameOf(onlyRun(t, snap)); got != "relation 16384 in other" {
		t.Errorf("name %q", got)
	}
	elsewhere.BackendType, elsewhere.Query = Some[Text]("autovacuum worker"), Some[Text]("autovacuum: VACUUM s.T")
	s.Poll.Processes[0] = elsewhere
	snap = last(fold([]Sample{s}))
	if got := snap.NameOf(onlyRun(t, snap)); got != `s."T" in other` {
		t.Errorf("name from the worker's own text: %q", got)
	}
	elsewhere.Progress.RelID = 1262
	s.Poll.Processes[0].Query = Some[Text]("vacuum")
	s.Poll.Relations = []Relation{{DatID: 0, RelID: 1262, Schema: "pg_catalog", Name: "pg_database"}}
	snap = last(fold([]Sample{s}))
	if got := snap.NameOf(onlyRun(t, snap)); got != "pg_catalog.pg_database in other" {
		t.Errorf("a shared catalog has one name everywhere: %q", got)
	}
}

func TestARunThatWentWhileNobodyWatchedIsLost(t *testing.T) {
	running := beat(1, 1000, vacuumer(scanning(1, 10)))
	lost := Sample{Seq: 2, At: at(2000), Events: []Event{{At: at(2000), Kind: EventLost, Text: "server closed the connection"}}}
	back := beat(3, 9000)
	back.Events = []Event{{At: at(9000), Kind: EventConnected}}
	snaps := fold([]Sample{running, lost, back})
	if mid := snaps[1]; !mid.Link.Lost || len(mid.Active) != 1 || mid.At != at(1000) || mid.Now != at(2000) {
		t.Errorf("while the link is lost the last data stay, with their age: %+v", mid)
	}
	if end := last(snaps).Ended[0].End; end.How != EndLost || last(snaps).Link.Lost {
		t.Errorf("end %+v, link %+v", end, last(snaps).Link)
	}
	restarted := beat(2, 2000, vacuumer(scanning(5, 10)))
	restarted.Poll.Server.StartedAt = at(1500)
	if snap := last(fold([]Sample{running, restarted})); snap.Ended[0].End.How != EndLost {
		t.Errorf("a restart ends what ran before it: %+v", snap.Ended[0].End)
	} else if got := Verdict(snap, snap.Ended[0])[0]; !strings.Contains(got, "was interrupted: the server was started anew 500 ms after it was last seen") {
		t.Error(got)
	}
	restarted.Poll.Server.SystemIdentifier = "2"
	if end := last(fold([]Sample{running, restarted})).Ended[0].End; end.How != EndLost || end.Restarted.Known() {
		t.Errorf("what another server does not run was not interrupted: %+v", end)
	}
}

// A beat whose activity could not be read says nothing about which runs are gone.
func TestAFailedReadEndsNothing(t *testing.T) {
	failed := beat(2, 2000)
	failed.Poll.Processes = nil
	failed.Problems = []Problem{{Part: "activity", SQLState: "57014", Message: "canceling statement due to statement timeout"}}
	snap := last(fold([]Sample{beat(1, 1000, vacuumer(scanning(1, 10))), failed}))
	if len(snap.Active) != 1 || len(snap.Problems) != 1 || !snap.Blind || snap.At != at(1000) || snap.Now != at(2000) {
		t.Errorf("active %d, problems %v, blind %v, from %v", len(snap.Active), snap.Problems, snap.Blind, snap.At)
	}
}

func TestSeveralPasses(t *testing.T) {
	step := func(seq uint64, ms int, phase Text, scanned, vacuumed Blocks, passes int64) Sample {
		p := scanning(scanned, 1000)
		p.Phase, p.HeapBlksVacuumed, p.IndexVacuumCount = Some(phase), Some(vacuumed), Some(passes)
		p.MaxDeadTuples, p.NumDeadTuples = Some[int64](100), Some(int64(scanned)%400/4)
		return beat(seq, ms, vacuumer(p))
	}
	run := onlyRun(t, last(fold([]Sample{
		beat(1, -5),
		step(2, 1000, "scanning heap", 200, 0, 0),
		step(3, 2000, "vacuuming indexes", 400, 0, 0),
		step(4, 3000, "vacuuming indexes", 400, 0, 1), // the count rises a moment before the phase changes
		step(5, 4000, "vacuuming heap", 400, 200, 1),
		step(6, 5000, "scanning heap", 600, 399, 1),
	})))
	type line struct {
		phase    Text
		pass, n  int
		from, to int64
	}
	want := []line{{"scanning heap", 1, 1, 0, 400}, {"vacuuming indexes", 1, 1, 0, 0}, {"vacuuming heap", 1, 1, 0, 399}, {"scanning heap", 2, 1, 400, 600}}
	for i, w := range want {
		s := run.Phases[i]
		if got := (line{s.Phase, s.Pass, s.Passes, s.Moved.From, s.Moved.To}); got != w {
			t.Errorf("span %d: %+v, want %+v", i, got, w)
		}
	}
	// 200 of the 600 blocks left filled half of the memory: it will be full 1.5 times.
	if m := run.Memory; m.Projected != Some(Ratio(1.5)) || m.Passes != Some(3) {
		t.Errorf("memory %+v", m)
	}
}

// A heap pass ends where the scan stopped, and a scan where the memory is full.
func TestLeftOfAPhaseThatEndsBeforeTheHeapDoes(t *testing.T) {
	stream := []Sample{beat(1, -5)}
	for i := range 8 {
		p := scanning(Blocks(100+50*i), 1000)
		p.MaxDeadTuples, p.NumDeadTuples = Some[int64](50), Some(int64(10+5*i)) // one in ten blocks: full at block 500
		stream = append(stream, beat(uint64(i+2), 1000*(i+1), vacuumer(p)))
	}
	run := onlyRun(t, last(fold(stream)))
	if r := run.Left.Range.Or(Range{}); !run.Left.UntilFull || r.High != time.Second || run.Left.Done != Some(Ratio(0.45)) {
		t.Errorf("50 blocks short of full memory, at 50 a second: %+v", run.Left)
	}
	for i := range 5 {
		p := scanning(500, 1000)
		p.Phase, p.HeapBlksVacuumed, p.IndexVacuumCount = Some[Text]("vacuuming heap"), Some(Blocks(100*i)), Some[int64](1)
		stream = append(stream, beat(uint64(10+i), 9000+1000*i, vacuumer(p)))
	}
	run = onlyRun(t, last(fold(stream)))
	if r := run.Left.Range.Or(Range{}); r.High != time.Second || run.Left.Done != Some(Ratio(0.8)) {
		t.Errorf("100 blocks short of where the scan stopped, at 100 a second: %+v", run.Left)
	}
}

func TestRebuiltIndexesAreCounted(t *testing.T) {
	full := func(phase Text, rebuilt string) Process {
		p := vacuumer(scanning(1000, 1000))
		p.Progress.View, p.Progress.Phase, p.Progress.Command = ViewCluster, Some(phase), Some[Text]("VACUUM FULL")
		p.Progress.Other = map[string]json.RawMessage{"index_rebuild_count": json.RawMessage(rebuilt)}
		return p
	}
	first := beat(2, 1000, full("seq scanning heap", "0"))
	first.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t", Indexes: make([]Index, 4)}}
	run := onlyRun(t, last(fold([]Sample{beat(1, -5), first, beat(3, 2000, full("rebuilding index", "0")), beat(4, 3000, full("rebuilding index", "3"))})))
	if m := run.Phase().Moved; m.Unit != UnitIndexes || m.To != 3 || m.Total != 4 || run.Left.Done != Some(Ratio(0.75)) || run.Command != "VACUUM FULL" {
		t.Errorf("%s moved %+v, left %+v", run.Command, m, run.Left)
	}
}

// A command over several tables: each relation's run has its own time.
func TestElapsedIsTheRunsOwn(t *testing.T) {
	second := scanning(5, 10)
	second.RelID = 16390
	run := onlyRun(t, last(fold([]Sample{beat(1, -5), beat(2, 30000, vacuumer(scanning(5, 10))), beat(3, 31000, vacuumer(second)), beat(4, 33000, vacuumer(second))})))
	if run.Elapsed() != Some(3*time.Second) || run.StatementElapsed() != Some(33*time.Second) {
		t.Errorf("elapsed %v, statement %v", run.Elapsed(), run.StatementElapsed())
	}
}

// Passes shorter than a tick show in the count only, and thousands of them stay
// within bounds.
func TestThousandsOfPassesStayBounded(t *testing.T) {
	var tracker Tracker
	tracker.Step(beat(1, -5))
	var snap *Snapshot
	for i := range 3000 {
		p := scanning(Blocks(i), 3000)
		p.IndexVacuumCount = Some(int64(i))
		if i%2 == 1 {
			p.Phase = Some[Text]("vacuuming indexes")
		}
		s := beat(uint64(i+2), 100*i, vacuumer(p))
		row := tickAt(100*i, p.Phase.Or(""), 0, onCPU, workerRow(int32(1000+i), 100*i-1, asleep))
		row.Rows[0].IndexVacuumCount = int64(i)
		s.Ticks = []Tick{row}
		snap = tracker.Step(s)
	}
	run := onlyRun(t, snap)
	if len(run.Phases) > maxSpans || len(run.Processes) > 10 {
		t.Errorf("%d spans, %d processes kept", len(run.Phases), len(run.Processes))
	}
	samples := 0
	for _, span := range run.Phases {
		for _, w := range span.Waits {
			samples += w.Samples
		}
	}
	if samples != 6000 {
		t.Errorf("%d samples kept in the spans, want all 6000", samples)
	}
}

func TestSnapshotsAreNeverWrittenAgain(t *testing.T) {
	var tracker Tracker
	tracker.Step(beat(1, -5))
	s := beat(2, 1000, vacuumer(scanning(10, 1000)))
	s.Ticks = []Tick{tickAt(50, "scanning heap", 10, asleep, workerRow(201, 20, asleep))}
	first := tracker.Step(s)
	before := *first.Active[0]
	phases, profile, lane := before.Phases[0], before.Processes[0].Profile[0], before.Processes[0].Lane[0]

	clone := tracker.Clone()
	s3 := beat(3, 2000, vacuumer(scanning(20, 1000)))
	s3.Ticks = []Tick{tickAt(1050, "scanning heap", 50, asleep), tickAt(1990, "scanning heap", 60, onCPU)}
	one := tracker.Step(s3)
	two := clone.Step(s3)
	if !reflect.DeepEqual(one, two) {
		t.Error("a clone folds the same sample into another snapshot")
	}
	again := first.Active[0]
	if !reflect.DeepEqual(phases, again.Phases[0]) || profile != again.Processes[0].Profile[0] || lane != again.Processes[0].Lane[0] {
		t.Error("a published snapshot changed")
	}
}

// What ticks read of the progress row is newer than the last poll's: a run that
// ends between two polls shows how far it was last seen.
func TestTicksRefreshTheProgressRow(t *testing.T) {
	s := beat(3, 2000)
	s.Ticks = []Tick{tickAt(1100, "vacuuming heap", 70, asleep)}
	snaps := fold([]Sample{beat(1, -5), beat(2, 1000, vacuumer(inPhase("vacuuming indexes"))), s})
	if p := last(snaps).Ended[0].Progress; p.Phase != Some[Text]("vacuuming heap") || p.IndexVacuumCount != Some[int64](1) || p.DelayTime != Some(70.0) {
		t.Errorf("last progress %+v", p)
	}
	if p := snaps[1].Active[0].Progress; p.Phase != Some[Text]("vacuuming indexes") {
		t.Errorf("the snapshot before was written again: %+v", p)
	}
}

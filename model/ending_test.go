package model

import (
	"testing"
	"time"
)

// counted is the table's catalog entry with its count of vacuums by hand.
func counted(n int64) []Relation {
	return []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t", VacuumCount: n, AutovacuumCount: 10 * n}}
}

// ends folds a vacuum that was seen for two beats, and then beats without it in
// which its table's count is as given.
func ends(change func(*Process), counts ...int64) *Snapshot {
	proc := vacuumer(scanning(5, 10))
	change(&proc)
	first, second := beat(2, 1000, proc), beat(3, 2000, proc)
	second.Poll.Relations = counted(7)
	second.Poll.Settings = []Setting{{Name: "deadlock_timeout", Setting: "1000"}}
	stream := []Sample{beat(1, -5), first, second}
	for i, n := range counts {
		s := beat(uint64(4+i), 3000+1000*i)
		s.Poll.Relations = counted(n)
		stream = append(stream, s)
	}
	return last(fold(stream))
}

func TestEndings(t *testing.T) {
	manual := func(*Process) {}
	auto := func(p *Process) {
		p.BackendType, p.Query, p.Role = Some[Text](autovacuumWorker), Some[Text]("autovacuum: VACUUM public.t"), None[Text]()
	}
	elsewhere := func(p *Process) { p.DatID = Some[uint32](9) }
	full := func(p *Process) { p.Progress.View, p.Progress.Command = ViewCluster, Some[Text]("VACUUM FULL") }
	for name, c := range map[string]struct {
		who    func(*Process)
		counts []int64
		how    Ending
		open   bool
	}{
		"the count rose":                      {manual, []int64{8}, EndCompleted, false},
		"it rose late":                        {manual, []int64{7, 8}, EndCompleted, false},
		"not yet":                             {manual, []int64{7}, EndNotVisible, true},
		"it did not rise":                     {manual, []int64{7, 7, 7}, EndNotCompleted, false},
		"an autovacuum's own count":           {auto, []int64{8}, EndCompleted, false},
		"an autovacuum that did not complete": {auto, []int64{7, 7, 7, 7}, EndNotCompleted, false},
		"another database's table":            {elsewhere, []int64{8, 8, 8, 8}, EndNotVisible, false},
		"VACUUM FULL is not counted":          {full, []int64{7, 7, 7, 7}, EndNotVisible, false},
	} {
		t.Run(name, func(t *testing.T) {
			if end := ends(c.who, c.counts...).Ended[0].End; end.How != c.how || end.Open != c.open {
				t.Errorf("%+v, want %s, open %v", end, c.how, c.open)
			}
		})
	}
}

// Two vacuums of a table that end between two readings of its count cannot be told
// apart by it, but by the time of the last one that completed.
func TestTheCountOfAnotherRunIsNotTaken(t *testing.T) {
	first := vacuumer(scanning(5, 10))
	second := tickAt(2900, "scanning heap", 0, asleep)
	second.Rows[0].PID, second.Rows[0].StatementStart, second.Rows[0].DatID = 101, Some(at(2880)), 5
	begin, gone, after := beat(2, 1000, first), beat(3, 3000), beat(4, 4000)
	begin.Poll.Relations, after.Poll.Relations = counted(7), counted(8)
	gone.Ticks = []Tick{{At: at(2500), Gap: 50 * time.Millisecond}, second, {At: at(2950), Gap: 50 * time.Millisecond}}
	for _, run := range last(fold([]Sample{beat(1, -5), begin, gone, after})).Ended {
		if run.Key.PID == 100 && (run.End.How != EndNotVisible || run.End.Open) {
			t.Errorf("one of two completed, and this is said of the first: %+v", run.End)
		}
	}
	after.Poll.Relations[0].LastVacuum = Some(at(2940))
	for _, run := range last(fold([]Sample{beat(1, -5), begin, gone, after})).Ended {
		if run.Key.PID == 100 && run.End.How != EndNotCompleted {
			t.Errorf("the only one that completed did so after the first had ended: %+v", run.End)
		}
	}
	after.Poll.Relations = counted(9)
	for _, run := range last(fold([]Sample{beat(1, -5), begin, gone, after})).Ended {
		if run.Key.PID == 100 && run.End.How != EndCompleted {
			t.Errorf("both completed: %+v", run.End)
		}
	}
}

// The VACUUM (ANALYZE) after a cancelled one is still in sight when it has raised the
// count.
func TestTheCountOfAVacuumInSightIsNotTaken(t *testing.T) {
	first, second := vacuumer(scanning(5, 10)), vacuumer(scanning(1, 10))
	second.PID, second.StatementStart = 101, Some(at(2100))
	stream := []Sample{beat(1, -5), beat(2, 1000, first), beat(3, 2000), beat(4, 3000, second)}
	for i, n := range []int64{7, 7, 8} {
		stream[i+1].Poll.Relations = counted(n)
	}
	stream[3].Poll.Relations[0].LastVacuum = Some(at(2900))
	if end := last(fold(stream)).Ended[0].End; end.How != EndNotCompleted {
		t.Errorf("%+v: the count rose 900 ms after it had ended", end)
	}
}

// An autovacuum for which a session waited deadlock_timeout was cancelled by it.
func TestAnAutovacuumGivesWay(t *testing.T) {
	auto := vacuumer(scanning(5, 10))
	auto.BackendType, auto.Query = Some[Text](autovacuumWorker), Some[Text]("autovacuum: VACUUM public.t")
	alter := Process{PID: 300, State: Some[Text]("active"), StatementStart: Some(at(900)), Wait: Some(Wait{"Lock", "relation"}), BlockedBy: []int32{100}, Query: Some[Text]("alter table t set (x=1)")}
	first, second := beat(2, 1000, auto, alter), beat(3, 1900, auto, alter)
	first.Poll.Settings = []Setting{{Name: "deadlock_timeout", Setting: "1000"}}
	second.Poll.Relations = counted(7)
	second.Poll.Locks = []Lock{{PID: 300, LockType: "relation", Mode: "ShareUpdateExclusiveLock", DatID: 5, RelID: 16384, WaitStart: Some(at(950))}}
	stream := []Sample{beat(1, -5), first, second}
	for i := range 4 {
		s := beat(uint64(4+i), 2900+1000*i)
		s.Poll.Relations = counted(7)
		stream = append(stream, s)
	}
	snaps := fold(stream)
	if w := snaps[2].LockWaits[0]; w.GivesWay != Some(at(1950)) || !w.Blockers[0].Vacuum {
		t.Errorf("the wait: %+v", w)
	}
	if end := last(snaps).Ended[0].End; end.How != EndGaveWay {
		t.Errorf("ended %+v", end)
	}
	past := last(snaps).PastWaits
	if len(past) != 1 || past[0].PID != 300 || past[0].Ended != Some(at(2900)) || past[0].Mode.Or("") == "" || past[0].SeenFor != 950*time.Millisecond {
		t.Errorf("the log of waits: %+v", past)
	}
	wraparound := auto
	wraparound.Query = Some[Text]("autovacuum: VACUUM public.t (to prevent wraparound)")
	first.Poll.Processes[0] = wraparound
	if w := last(fold([]Sample{beat(1, -5), first})).LockWaits[0]; w.GivesWay.Known() || !w.Blockers[0].AntiWraparound {
		t.Errorf("one that prevents wraparound gives no way: %+v", w)
	}
}

// A wait of deadlock_timeout is mostly seen once where that is as long as a beat: it
// can have begun after the beat before, and after its statement.
func TestAnAutovacuumGivesWayToAWaitThatWasSeenOnce(t *testing.T) {
	auto := vacuumer(scanning(5, 10))
	auto.BackendType, auto.Query = Some[Text](autovacuumWorker), Some[Text]("autovacuum: VACUUM public.t")
	for began, want := range map[int]Ending{900: EndGaveWay, 1850: EndNotCompleted} {
		alter := Process{PID: 300, State: Some[Text]("active"), StatementStart: Some(at(began)), Wait: Some(Wait{"Lock", "relation"}), BlockedBy: []int32{100}}
		first, second := beat(2, 1000, auto), beat(3, 1900, auto, alter)
		first.Poll.Settings = []Setting{{Name: "deadlock_timeout", Setting: "1000"}}
		stream := []Sample{beat(1, -5), first, second}
		for i := range 4 {
			s := beat(uint64(4+i), 2900+1000*i)
			stream = append(stream, s)
		}
		stream[3].Ticks = []Tick{{At: at(2100), Gap: 50 * time.Millisecond}}
		for _, s := range stream[1:] {
			s.Poll.Relations = counted(7)
		}
		if end := last(fold(stream)).Ended[0].End; end.How != want {
			t.Errorf("statement since %d ms: %+v, want %s", began, end, want)
		}
	}
}

func TestLockTree(t *testing.T) {
	waits := []LockWait{{PID: 1, BlockedBy: []int32{100}}, {PID: 2, BlockedBy: []int32{1, 100}}, {PID: 3, BlockedBy: []int32{2}}, {PID: 4, BlockedBy: []int32{1}}, {PID: 8, BlockedBy: []int32{9}}, {PID: 9, BlockedBy: []int32{8}}}
	type line struct {
		pid         int32
		depth, also int
		last        bool
	}
	want := []line{{1, 0, 0, true}, {2, 1, 1, false}, {3, 2, 0, true}, {4, 1, 0, true}, {8, 0, 0, true}, {9, 1, 0, true}}
	got := LockTree(waits)
	for i, n := range got {
		if l := (line{n.Wait.PID, n.Depth, n.Also, n.Last}); i >= len(want) || l != want[i] {
			t.Errorf("line %d: %+v", i, l)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
}

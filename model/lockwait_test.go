package model

import (
	"strings"
	"testing"
	"time"
)

// A vacuum that waits for its lock has no progress row; it is the same run once
// the lock is there, and a wait in the lock list.
func TestWaitingVacuumBecomesTheRunItWaitsToBe(t *testing.T) {
	pending := vacuumer(Progress{})
	pending.Progress = nil
	pending.Query = Some[Text]("/* nightly */ vacuum t")
	pending.Wait = Some(Wait{"Lock", "relation"})
	pending.BlockedBy = []int32{300}
	first, second := beat(1, 1000, pending), beat(2, 2000, pending)
	second.Poll.Locks = []Lock{{PID: 100, LockType: "relation", Mode: "ShareUpdateExclusiveLock", DatID: 5, RelID: 16384, WaitStart: Some(at(500))}}
	second.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t"}}
	var tracker Tracker
	tracker.Step(first)
	waiting := onlyRun(t, tracker.Step(second))
	if waiting.State != StateWaiting || waiting.Table != Some[Text]("t") || waiting.WaitedForLock != Some(time.Second) || waiting.BlockedBy[0] != 300 {
		t.Errorf("waiting: %+v", waiting)
	}
	snap := tracker.Step(beat(3, 3000, vacuumer(scanning(10, 100))))
	running := onlyRun(t, snap)
	if running.State != StateRunning || running.FirstSeen != at(1000) || len(snap.Ended) != 0 || running.BlockedBy != nil {
		t.Errorf("running: %+v, ended %d", running, len(snap.Ended))
	}
	if span := running.Phases[0]; span.From.Before(at(2000)) {
		t.Errorf("the scan began at %v, before the lock was there", span.From)
	}
	if w := waitOf(tracker.Clone().Step(second), 100); w.Waited != Some(1500*time.Millisecond) || w.Mode != Some[Text]("ShareUpdateExclusiveLock") || !w.Around {
		t.Errorf("lock wait: %+v", w)
	}
}

// One that ends without its lock took as long as its statement, not no time at all.
func TestVacuumThatGaveUpWaitingTookItsTime(t *testing.T) {
	pending := vacuumer(Progress{})
	pending.Progress = nil
	pending.Query = Some[Text]("vacuum t")
	pending.Wait = Some(Wait{"Lock", "relation"})
	var tracker Tracker
	for seq, s := range []int{1000, 2000, 3000} {
		tracker.Step(beat(uint64(seq+1), s, pending))
	}
	snap := tracker.Step(beat(4, 4000))
	if len(snap.Ended) != 1 {
		t.Fatalf("ended: %+v", snap.Ended)
	}
	ended := snap.Ended[0]
	if elapsed := ended.Elapsed(); elapsed != Some(3*time.Second) {
		t.Errorf("it took %v", elapsed)
	}
	if got := Verdict(snap, ended)[0]; !strings.Contains(got, "after 3.0 s, last seen waiting for its table lock.") {
		t.Error(got)
	}
}

func waitOf(s *Snapshot, pid int32) LockWait {
	for _, w := range s.LockWaits {
		if w.PID == pid {
			return w
		}
	}
	return LockWait{}
}

// A vacuum waits for other locks than its table's: for the catalog when it is
// done, for another vacuum that updates it. That is no vacuum that has not begun.
func TestOtherLocksOfAVacuumAreNotItsTables(t *testing.T) {
	pending := vacuumer(Progress{})
	pending.Progress, pending.Wait = nil, Some(Wait{"Lock", "relation"})
	lock := func(kind, mode Text) Sample {
		s := beat(3, 2000, pending)
		s.Poll.Locks = []Lock{{PID: 100, LockType: kind, Mode: mode, DatID: 5, RelID: 16384}}
		return s
	}
	before := []Sample{beat(1, -5), beat(2, 1000, vacuumer(scanning(9, 10)))}
	for name, c := range map[string]struct {
		stream  []Sample
		waiting bool
	}{
		"its table":                     {[]Sample{lock("relation", "ShareUpdateExclusiveLock")}, true},
		"its table's name":              {[]Sample{lock("relation", "AccessShareLock")}, true},
		"the catalog's rows":            {[]Sample{lock("relation", "RowExclusiveLock")}, false},
		"a catalog after its table":     {append(before, lock("relation", "AccessShareLock")), false},
		"its next table":                {append(before, lock("relation", "ShareUpdateExclusiveLock")), true},
		"not read yet, after its table": {append(before, beat(3, 2000, pending)), false},
	} {
		active := last(fold(c.stream)).Active
		if got := len(active) == 1 && active[0].State == StateWaiting; got != c.waiting {
			t.Errorf("%s: waiting to begin %v, want %v (%d active)", name, got, c.waiting, len(active))
		}
	}
	frozen := pending
	frozen.Wait = Some(Wait{"Lock", "frozenid"})
	if snap := last(fold([]Sample{beat(1, 1000, frozen)})); len(snap.Active) != 0 || len(snap.LockWaits) != 1 {
		t.Errorf("a wait for frozenid: %d active, %d waits", len(snap.Active), len(snap.LockWaits))
	}
}

func TestLockWaitsAroundVacuumsThroughAnyNumberOfSteps(t *testing.T) {
	queued := func(pid int32, by ...int32) Process {
		return Process{PID: pid, State: Some[Text]("active"), Wait: Some(Wait{"Lock", "relation"}), BlockedBy: by, Query: Some[Text]("select")}
	}
	snap := last(fold([]Sample{beat(1, 1000, vacuumer(scanning(1, 10)), queued(301, 100), queued(302, 301), queued(303, 302), queued(400, 401), queued(401, 400))}))
	for pid, around := range map[int32]bool{301: true, 302: true, 303: true, 400: false, 401: false} {
		if got := waitOf(snap, pid); got.Around != around || got.PID != pid {
			t.Errorf("pid %d: around %v, want %v", pid, got.Around, around)
		}
	}
}

func TestBehindARunWaitWhoWaitsForItAndWhoWaitsBehindThem(t *testing.T) {
	s := &Snapshot{LockWaits: []LockWait{
		{PID: 301, BlockedBy: []int32{100}, Waited: Some(12400 * time.Millisecond)}, {PID: 302, BlockedBy: []int32{301}, SeenFor: time.Second},
		{PID: 400, BlockedBy: []int32{401}}, {PID: 401, BlockedBy: []int32{400}},
	}}
	run := &Run{Key: RunKey{PID: 100}}
	if got := s.Behind(run); len(got) != 2 {
		t.Errorf("behind: %+v", got)
	}
	if got := behindSentence(s, run); got != "2 sessions wait behind it, the longest for 12.4 s." {
		t.Errorf("sentence %q", got)
	}
}

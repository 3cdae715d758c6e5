package model

import (
	"strings"
	"testing"
	"time"
)

// aged is a beat in which the vacuumed table has the ages, with the settings that
// the failsafe goes by.
func aged(version int, xid, mxid int64, progress Progress) Sample {
	s := beat(1, 1000, vacuumer(progress))
	s.Poll.Server.VersionNum = version
	s.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t", XIDAge: Some(xid), MXIDAge: Some(mxid)}}
	for name, value := range map[string]Text{
		"vacuum_failsafe_age": "1600000000", "autovacuum_freeze_max_age": "200000000",
		"vacuum_multixact_failsafe_age": "1000", "autovacuum_multixact_freeze_max_age": "400000000",
	} {
		if version >= 140000 || !strings.Contains(name, "failsafe") {
			s.Poll.Settings = append(s.Poll.Settings, Setting{Name: name, Setting: value})
		}
	}
	return s
}

// From 14 to 18 the failsafe mode follows from the table's age and is said to be
// inferred; 19 says it itself; 13 has none.
func TestFailsafeIsInferredFromTheAge(t *testing.T) {
	shown := scanning(1, 10)
	shown.Mode = Some[Text]("failsafe")
	for _, c := range []struct {
		what   string
		sample Sample
		want   string // in the reason; "-" for none
	}{
		{"old enough", aged(180000, 1_620_000_000, 0, scanning(1, 10)), "age 1,620,000,000 is over vacuum_failsafe_age 1,600,000,000"},
		{"young", aged(180000, 1_599_999_999, 0, scanning(1, 10)), "-"},
		{"multixacts, never below the floor", aged(140000, 0, 419_000_000, scanning(1, 10)), "-"},
		{"multixacts over the floor", aged(140000, 0, 421_000_000, scanning(1, 10)), "multixact age 421,000,000 is over 420,000,000, 1.05 times autovacuum_multixact_freeze_max_age"},
		{"before it was made", aged(130000, 2_000_000_000, 0, scanning(1, 10)), "-"},
		{"19 would say so", aged(190000, 2_000_000_000, 0, scanning(1, 10)), "-"},
		{"19 says so", aged(190000, 0, 0, shown), ""},
		{"it vacuums indexes", aged(170000, 2_000_000_000, 0, inPhase("vacuuming indexes")), "-"},
	} {
		run := onlyRun(t, last(fold([]Sample{c.sample})))
		switch got := run.Failsafe; {
		case c.want == "-":
			if got != nil {
				t.Errorf("%s: %+v", c.what, got)
			}
		case got == nil || !strings.Contains(got.Reason, c.want) || got.Inferred != (c.want != ""):
			t.Errorf("%s: %+v, want %q", c.what, got, c.want)
		case got.Inferred != strings.Contains(failsafeSentence(run), "inferred"):
			t.Errorf("%s: %s", c.what, failsafeSentence(run))
		}
	}
}

// A table can come of age in the middle: until the server looks, which is every 4 GB, its
// vacuum goes on sleeping, and its time left goes by that.
func TestAVacuumThatSleepsIsNotInFailsafeModeYet(t *testing.T) {
	var tracker Tracker
	var run *Run
	for i := range 20 {
		wait := asleep
		if i >= 17 {
			wait = onCPU
		}
		age := int64(1_000_000_000)
		if i >= 10 {
			age = 1_620_000_000
		}
		s := aged(180000, age, 0, scanning(Blocks(100*i), 10_000))
		s.Seq, s.At = uint64(i+1), at(1000*i)
		for ms := 50; ms < 1000; ms += 100 {
			s.Ticks = append(s.Ticks, tickAt(1000*(i-1)+ms, phaseScanningHeap, 0, wait))
		}
		run = onlyRun(t, tracker.Step(s))
		if failsafe := run.Failsafe != nil; failsafe != (i >= 17) {
			t.Fatalf("after %d s: failsafe %v", i, failsafe)
		}
		left := run.Whole.Left.Or(Range{})
		if truth := time.Duration(100-i) * time.Second; i > 10 && i < 17 && (left.Low > truth || left.High < truth || run.Whole.Middle.Or(0) < truth/2) {
			t.Errorf("%v left of %v", left, truth)
		}
	}
}

// A completed run says that it made no pass over the indexes, and why, only where
// the phases that were seen show it.
func TestSkippedIndexPasses(t *testing.T) {
	run := func(last Text, passes int64, change func(*Run)) *Run {
		p := inPhase(last)
		p.IndexVacuumCount, p.NumDeadItemIDs = Some(passes), Some[int64](3000)
		r := &Run{Command: "VACUUM", End: &End{How: EndCompleted}, Progress: &p, Indexes: make([]Index, 1), StartedBy: Some(ByManual),
			Phases: []Span{{Phase: "scanning heap"}, {Phase: last}}, Memory: Memory{Items: Some[int64](3000)}}
		change(r)
		return r
	}
	nothing := func(*Run) {}
	for _, c := range []struct {
		what string
		run  *Run
		want string
	}{
		{"few dead items", run("cleaning up indexes", 0, nothing), "few dead items"},
		{"made a pass", run("cleaning up indexes", 1, nothing), ""},
		{"what came after the scan was not seen", run("scanning heap", 0, nothing), ""},
		{"there was no time for indexes after the scan", run("scanning heap", 0, func(r *Run) {
			r.End.Within, r.Indexes[0].RelPages = 50*time.Millisecond, 20_000
		}), "few dead items"},
		{"there was", run("scanning heap", 0, func(r *Run) {
			r.End.Within, r.Indexes[0].RelPages = 50*time.Millisecond, 10_000
		}), ""},
		{"nothing was dead", run("cleaning up indexes", 0, func(r *Run) { r.Memory.Items = Some[int64](0) }), ""},
		{"no indexes", run("cleaning up indexes", 0, func(r *Run) { r.Indexes = nil }), ""},
		{"it was told to", run("scanning heap", 0, func(r *Run) { r.Statement = Some[Text]("vacuum (index_cleanup off) t") }), "INDEX_CLEANUP is off"},
		{"autovacuum's option", run("scanning heap", 0, func(r *Run) {
			r.StartedBy, r.Relation = Some(ByAutovacuum), &Relation{RelOptions: []Text{"vacuum_index_cleanup=off"}}
		}), "INDEX_CLEANUP is off"},
		{"failsafe", run("performing final cleanup", 0, func(r *Run) { r.Failsafe = &Failsafe{} }), "failsafe"},
		{"cancelled", run("cleaning up indexes", 0, func(r *Run) { r.End.How = EndNotCompleted }), ""},
	} {
		if got := c.run.IndexPassSkipped(); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		// A table with its TOAST relation is a command whose verdict says it as well; one
		// over many tables is not judged by one of them.
		for kind, says := range map[GroupKind]bool{GroupTable: c.want != "", GroupTree: false} {
			g := &Group{Kind: kind, Command: "VACUUM", End: c.run.End}
			if got := strings.Contains(strings.Join(GroupVerdict(g, c.run), " "), "no pass over the indexes: "+c.want); got != says {
				t.Errorf("%s: the verdict on a %s: %q", c.what, kind, GroupVerdict(g, c.run))
			}
		}
	}
}

// An autovacuum that gives way again and again says how often in a row, and how long
// ago a vacuum of the table completed.
func TestStreakOfAutovacuumsThatGaveWay(t *testing.T) {
	s := &Snapshot{At: at(0)}
	key := RunKey{DatID: 5, RelID: 16384}
	add := func(ago time.Duration, how Ending, relid uint32) {
		k := key
		k.RelID = relid
		s.Ended = append(s.Ended, &Run{Key: k, Command: "VACUUM", StartedBy: Some(ByAutovacuum), End: &End{At: at(0).Add(-ago), How: how}})
	}
	add(time.Minute, EndGaveWay, 16384)
	add(90*time.Second, EndCompleted, 1)
	add(2*time.Minute, EndGaveWay, 16384)
	add(3*time.Minute, EndNotCompleted, 16384)
	add(4*time.Minute, EndCompleted, 16384)
	add(5*time.Minute, EndGaveWay, 16384)
	running := &Run{Key: key, Command: "VACUUM", State: StateRunning, StartedBy: Some(ByAutovacuum), Relation: &Relation{LastAutovacuum: Some(at(-240_000))}}
	if got, want := streakSentence(s, running), "Autovacuum of this table ended without completing 3 times in a row before; a vacuum of it completed last 4:00 ago."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := s.Streak(s.Ended[2]); got != 2 {
		t.Errorf("up to the last but one: %d", got)
	}
	running.Relation.LastVacuum = Some(at(-100_000)) // somebody's own vacuum completed
	if got := s.Streak(running); got != 1 {
		t.Errorf("since a vacuum by hand completed: %d", got)
	}
	running.Relation = &Relation{}
	if got := streakSentence(s, running); !strings.Contains(got, "know of no vacuum") {
		t.Error(got)
	}
}

package model

import (
	"testing"
	"time"
)

// scanned goes on with a scan of 10 blocks a second that has been seen for 20 s.
type scanned struct {
	*Tracker
	seq int
	now int // ms
	at  Blocks
}

// second is one more, with what the catalog says; the clock may be set by so much.
func (s *scanned) second(set time.Duration, rel *Relation) *Run {
	s.seq, s.now, s.at = s.seq+1, s.now+1000+int(set.Milliseconds()), s.at+10
	p := scanning(s.at, 1000)
	p.MaxDeadTupleBytes, p.DeadTupleBytes, p.NumDeadItemIDs = Some[Bytes](1<<30), Some[Bytes](1000), Some(2*int64(s.at))
	sample := beat(uint64(s.seq), s.now, vacuumer(p))
	if rel != nil {
		sample.Poll.Relations = []Relation{*rel}
	}
	return s.Step(sample).Active[0]
}

func scannedFor20s(rel *Relation) *scanned {
	tracker, _ := scan(1000, 10, 20, rel)
	return &scanned{Tracker: tracker, seq: 21, now: 20_000, at: 200}
}

// The statistics are reset, the table was analyzed for the first time, or is gone or
// empty by the catalog, while its vacuum goes on: the position still tells.
func TestTheCatalogCanChangeInTheMiddle(t *testing.T) {
	rel := tableOf(1000)
	rel.DeadTuples, rel.VacuumCount = 2000, 7
	reset, unknown, empty := rel, rel, rel
	reset.DeadTuples, reset.LiveTuples, reset.VacuumCount = 0, 0, 0
	unknown.RelTuples = None[float64]()
	empty.RelPages, empty.RelTuples = 0, Some(0.0)
	other := tableOf(5)
	other.RelID = 99
	for name, now := range map[string]Relation{"statistics reset": reset, "reltuples -1": unknown, "truncated": empty, "dropped": other} {
		s := scannedFor20s(&rel)
		done := s.second(0, nil).Whole.Done
		run := s.second(0, &now)
		run.checkEstimates(t, name)
		if left := run.Whole.Left.Or(Range{}); left.Low > 78*time.Second || left.High < 78*time.Second || run.Whole.Done.Or(0) < done.Or(1) {
			t.Errorf("%s: %v left of 78 s, progress %v after %v", name, left, run.Whole.Done, done)
		}
	}
}

// The server's clock is set, or nobody watched for a while: what was passed in it, and
// the time, tell nothing of the pace.
func TestTheClockCanBeSetInTheMiddle(t *testing.T) {
	rel := tableOf(1000)
	for _, step := range []time.Duration{time.Hour, -time.Hour, 40 * 365 * 24 * time.Hour, -10 * time.Second, -24 * time.Hour} {
		s := scannedFor20s(&rel)
		done := s.second(0, nil).Whole.Done.Or(1)
		s.second(step, nil).checkEstimates(t, step.String())
		var run *Run
		for range 10 {
			run = s.second(0, nil)
			run.checkEstimates(t, step.String())
			if is := run.Whole.Done.Or(0); is < done {
				t.Errorf("%v: progress fell from %v to %v", step, done, is)
			} else {
				done = is
			}
		}
		truth := time.Duration(1000-s.at) / 10 * time.Second
		if left := run.Whole.Left.Or(Range{}); left.Low > truth || left.High < truth || left.High > 2*truth {
			t.Errorf("%v: %v left, truly %v (%s)", step, left, truth, run.Whole.WhyNot)
		}
	}
}

// The largest table that there can be, in blocks of any size.
func TestThirtyTwoTerabytesOverflowNothing(t *testing.T) {
	const most = 1<<32 - 2
	for _, size := range []Bytes{1024, 8192, 32768} {
		for _, step := range []Blocks{1, 1000, 1 << 28} {
			rel := tableOf(most, most, most)
			var tracker Tracker
			for i := range 16 {
				s := beat(uint64(i+1), 1000*i, vacuumer(scanning(min(most, Blocks(i)*step), most)))
				s.Poll.Server.BlockSize, s.Poll.Relations = size, []Relation{rel}
				run := tracker.Step(s).Active[0]
				run.checkEstimates(t, "32 TB")
				if bytes := run.HeapBytes.Or(0); bytes != most*size {
					t.Fatalf("%d bytes", bytes)
				}
				if left := run.Whole.Left.Or(Range{}); step == 1 && left.High > 0 {
					t.Errorf("136 years are told as %v", left)
				}
			}
		}
	}
}

// Of a mostly all-visible table only some pages are read, and nothing tells how many of
// those are still to come: no more than all that are left, at the pace at which they are
// read, which is not that of the jumps between them.
func TestAScanThatSkipsGoesByThePagesThatItReads(t *testing.T) {
	rel := tableOf(20_000)
	rel.RelAllVisible = 20_000
	var tracker Tracker
	var run *Run
	for i := range 12 {
		at := Blocks(0)
		if i > 0 {
			at = Blocks(8000 + 100*i) // the first 8,000 are skipped
		}
		s := beat(uint64(i+1), 1000*i, vacuumer(scanning(at, 20_000)))
		s.Poll.Relations = []Relation{rel}
		run = onlyRun(t, tracker.Step(s))
	}
	part := run.Whole.Parts[0]
	all := 10_900.0 / 100
	if part.Left.High.Seconds() < all || part.Left.High.Seconds() > 1.6*all || part.Left.Low > time.Second || part.Middle < 5*time.Second || part.Middle > 20*time.Second {
		t.Errorf("at most %.0f s, and 11 s were read: %+v", all, part)
	}
}

// Before 18 the catalog does not tell how many pages are all-frozen; a position that jumps
// does.
func TestAJumpTellsOfFrozenPages(t *testing.T) {
	rel := tableOf(20_000)
	rel.RelAllVisible = 20_000
	for jump, least := range map[Blocks]float64{0: 140, 8000: 0} {
		var tracker Tracker
		var run *Run
		for i := range 12 {
			at := Blocks(100 * i)
			if i > 0 {
				at += jump
			}
			s := beat(uint64(i+1), 1000*i, vacuumOf("vacuum (freeze) t", rel.RelID, scanning(at, 20_000)))
			s.Poll.Relations, s.Poll.Server.VersionNum = []Relation{rel}, 160000
			run = onlyRun(t, tracker.Step(s))
		}
		if low := run.Whole.Parts[0].Left.Low.Seconds(); low < least || least == 0 && low > 1 {
			t.Errorf("after a jump of %d at least %.0f s, want %.0f", jump, low, least)
		}
	}
}

package model

import (
	"math"
	"strings"
	"testing"
	"time"
)

// tableOf is the catalog's entry of the table that the scenes vacuum.
func tableOf(pages Blocks, indexes ...Blocks) Relation {
	rel := Relation{DatID: 5, RelID: 16384, Schema: "public", Name: "t", Kind: "r", RelPages: pages, RelTuples: Some(60 * float64(pages))}
	for i, p := range indexes {
		rel.Indexes = append(rel.Indexes, Index{RelID: uint32(20000 + i), Name: "i", AccessMethod: "btree", RelPages: p})
	}
	return rel
}

// scan folds a scan that moves by step blocks a second, with two dead rows on each.
func scan(total, step Blocks, seconds int, rel *Relation) (*Tracker, *Snapshot) {
	tracker, snap := &Tracker{}, &Snapshot{}
	for i := range seconds + 1 {
		p := scanning(min(total, Blocks(i)*step), total)
		p.MaxDeadTupleBytes, p.DeadTupleBytes = Some[Bytes](1<<30), Some(Bytes(i)*1000)
		p.NumDeadItemIDs = Some(2 * int64(i) * int64(step))
		s := beat(uint64(i+1), 1000*i, vacuumer(p))
		if i == 0 && rel != nil {
			s.Poll.Relations = []Relation{*rel}
		}
		snap = tracker.Step(s)
	}
	return tracker, snap
}

func TestTheWholeOfATableWithoutIndexesIsItsScan(t *testing.T) {
	rel := tableOf(1000)
	_, snap := scan(1000, 10, 20, &rel)
	w := onlyRun(t, snap).Whole
	left := w.Left.Or(Range{})
	if left.Low > 80*time.Second || left.High < 80*time.Second || left.High > 110*time.Second || len(w.Parts) != 2 {
		t.Errorf("%v, parts %+v", left, w.Parts)
	}
	if done := w.Done.Or(0); math.Abs(float64(done)-0.2) > 0.01 {
		t.Errorf("progress %v of a fifth", done)
	}
}

// What the phase alone does not tell: the indexes and the second pass over the heap.
func TestTheWholeCountsThePhasesToCome(t *testing.T) {
	rel := tableOf(1000, 400, 400)
	_, snap := scan(1000, 10, 20, &rel)
	run := onlyRun(t, snap)
	if run.Whole.Middle.Or(0) < run.Left.Range.Or(Range{}).High+30*time.Second {
		t.Errorf("%v of the whole, %v of the phase", run.Whole.Middle, run.Left.Range)
	}
	var phases []string
	for _, p := range run.Whole.Parts {
		phases = append(phases, string(p.Phase))
	}
	if got := strings.Join(phases, ", "); got != "scanning heap, vacuuming indexes, vacuuming heap, cleaning up indexes, performing final cleanup" {
		t.Errorf("parts %s", got)
	}
}

func TestFewDeadRowsMakeNoIndexPassFrom14On(t *testing.T) {
	rel := tableOf(10_000, 4000)
	for version, want := range map[int]int{130023: 5, 180004: 3} {
		var tracker Tracker
		var snap *Snapshot
		for i := range 21 {
			p := scanning(Blocks(i)*100, 10_000)
			p.MaxDeadTupleBytes, p.DeadTupleBytes, p.NumDeadItemIDs = Some[Bytes](1<<30), Some[Bytes](4096), Some(int64(i))
			s := beat(uint64(i+1), 1000*i, vacuumer(p))
			s.Poll.Server.VersionNum, s.Poll.Relations = version, []Relation{rel}
			snap = tracker.Step(s)
		}
		if parts := onlyRun(t, snap).Whole.Parts; len(parts) != want {
			t.Errorf("%d: %+v", version, parts)
		}
	}
}

// A rate of an earlier run counts until this run shows its own.
func TestAPriorGivesThePaceOfWhatHasNotBegun(t *testing.T) {
	rel := tableOf(1000, 500)
	tracker, _ := scan(1000, 10, 10, &rel)
	p := scanning(110, 1000)
	p.MaxDeadTupleBytes, p.DeadTupleBytes, p.NumDeadItemIDs = Some[Bytes](1<<30), Some[Bytes](1000), Some[int64](220)
	s := beat(12, 11000, vacuumer(p))
	s.Events = []Event{{Kind: EventPrior, Prior: &Prior{DatID: 5, RelID: 16384, Source: "yesterday's run", Rates: []PhaseRate{{phaseVacuumingIndexes, 1}}}}}
	w := onlyRun(t, tracker.Step(s)).Whole
	if w.Source != "yesterday's run" || w.Parts[1].Middle != 500*time.Second || !strings.Contains(w.Parts[1].How, "yesterday") {
		t.Errorf("source %q, index part %+v", w.Source, w.Parts[1])
	}
}

func TestAStallIsSaidWithItsAge(t *testing.T) {
	rel := tableOf(1000, 400)
	tracker, before := scan(1000, 10, 20, &rel)
	done := onlyRun(t, before).Whole.Done
	for i := range 60 {
		w := onlyRun(t, tracker.Step(beat(uint64(22+i), 21000+1000*i, vacuumer(scanning(200, 1000))))).Whole
		stalled, ok := w.Stalled.Get()
		if stood := time.Duration(i+1) * time.Second; stood >= 6*time.Second && (!ok || stalled != stood || w.Left.Known()) {
			t.Fatalf("%v after the last move: stalled %v, left %v", stood, w.Stalled, w.Left)
		}
		if w.Done.Or(0) < done.Or(1) {
			t.Fatalf("progress fell from %v to %v", done, w.Done)
		}
	}
}

func TestIndexesAreHandedOutInTheirOrder(t *testing.T) {
	settings := []Setting{{Name: "min_parallel_index_scan_size", Setting: "64"}}
	indexes := tableOf(1, 100, 10, 500, 100).Indexes
	for workers, want := range map[int]float64{0: 710, 1: 510, 3: 500} { // the small one is the leader's, first
		if s := scheduleOf(indexes, indexSize, workers, settings); s.pages() != want || len(s.ends) != 4 {
			t.Errorf("%d workers: %v", workers, s.ends)
		}
	}
}

// A phase that goes on for many times what was estimated has shown that the estimate
// was wrong: what is left is then told by the time that it has taken.
func TestAnEstimateThatIsLongOverSaysLess(t *testing.T) {
	whole := about(2, 1.5)
	for _, over := range []float64{10, 30, 100} {
		left := remaining(whole, over)
		if left.high < over || left.mid < over/4 || left.mid > over || left.low > left.mid {
			t.Errorf("2 s estimated, %v s over: %+v", over, left)
		}
	}
	if left := remaining(whole, 1); left.mid != 1 || left.high != 2 {
		t.Errorf("half over: %+v", left)
	}
}

// A vacuum that makes no index pass keeps the dead rows of one page only: they say
// nothing of how many it has found.
func TestDeadRowsOfOnePageAreNoProgress(t *testing.T) {
	bare, indexed := tableOf(1700), tableOf(1700, 500)
	for statement, rel := range map[Text]Relation{"vacuum t": bare, "vacuum (index_cleanup off) t": indexed} {
		rel.RelAllVisible, rel.DeadTuples = 1700, 50_000
		var tracker Tracker
		var snap *Snapshot
		for i := range 10 {
			p := scanning(Blocks(100*i), 1700)
			p.MaxDeadTuples, p.NumDeadTuples = Some[int64](291), Some[int64](29)
			s := beat(uint64(i+1), 1000*i, vacuumOf(statement, rel.RelID, p))
			s.Poll.Relations = []Relation{rel}
			snap = tracker.Step(s)
		}
		w := onlyRun(t, snap).Whole
		if left := w.Left.Or(Range{}); left.High == 0 || left.High > 2*time.Minute || w.Done.Or(0) < 0.3 {
			t.Errorf("%s: 8 s at this pace left; %v, progress %v", statement, left, w.Done)
		}
	}
}

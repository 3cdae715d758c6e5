package model

import (
	"math"
	"testing"
	"time"
)

// indexPass folds a scan of 10 s at 100 pages a second and then seconds of a pass over
// the indexes, with 20 ticks a second; done is how many have ended by then.
func indexPass(rel *Relation, seconds int, done func(ms int) int64) *Run {
	tracker, _ := scan(1000, 100, 10, rel)
	var snap *Snapshot
	for i := range seconds {
		var ticks []Tick
		for ms := 50; ms <= 1000; ms += 50 {
			tick := tickAt(10_000+1000*i+ms, phaseVacuumingIndexes, 0, onCPU)
			tick.Rows[0].IndexesProcessed = Some(done(1000*i + ms))
			ticks = append(ticks, tick)
		}
		p := inPhase(phaseVacuumingIndexes)
		p.IndexesTotal, p.IndexesProcessed = Some(int64(len(rel.Indexes))), Some(done(1000*i+1000))
		s := beat(uint64(12+i), 11_000+1000*i, vacuumer(p))
		s.Ticks = ticks
		snap = tracker.Step(s)
	}
	return snap.Active[0]
}

// A huge index goes on after a small one that ended between two polls. Its end is known
// to a tick: 0.3 s for 30 of 3,030 pages are 30 s for the rest, a poll's second would be
// 100 s.
func TestAnIndexsEndIsKnownToATick(t *testing.T) {
	rel := tableOf(1000, 30, 3000)
	run := indexPass(&rel, 3, func(ms int) int64 {
		if ms > 300 {
			return 1
		}
		return 0
	})
	part := run.Whole.Parts[0]
	if part.Phase != phaseVacuumingIndexes || part.Left.Low > 27*time.Second || part.Left.High < 27*time.Second || math.Abs(part.Middle.Seconds()-27) > 8 {
		t.Errorf("of 27 s: %+v", part)
	}
}

// One small index tells less of a huge one than the scan does of both.
func TestASmallIndexTellsLittleOfAHugeOne(t *testing.T) {
	scanned, ended := about(100, 1.3), about(400, 1.5)
	if both := ended.with(scanned); both.mid < 100 || both.mid > 200 || both.low > 100 || both.high < both.mid*1.5 {
		t.Errorf("100 and 400 are %+v", both)
	}
	if same := ended.with(about(400, 1.5)); same.mid != 400 || same.high >= ended.high {
		t.Errorf("twice the same is %+v", same)
	}
	if alone := ended.with(amount{}); alone != ended {
		t.Errorf("with nothing: %+v", alone)
	}
}

// What was seen to end under other cost settings counts as under those in force.
func TestEndsCountUnderTheSettingsInForce(t *testing.T) {
	d := indexesDone{ends: []indexEnd{{1, 10 * time.Second, time.Second}}}
	old := d.ends
	d.repace(0.5)
	if d.ends[0].after != 5*time.Second || old[0].after != 10*time.Second {
		t.Errorf("%v, before %v", d.ends, old)
	}
}

// Pages that hold few entries seldom have one of a dead row, where there are few of them:
// asleep for what pages cost, a huge index of wide keys takes less for its size.
func TestAnIndexOfWideKeysTakesLessForItsSize(t *testing.T) {
	weights := func(dead int64) (wide, narrow float64) {
		rel := tableOf(10_000, 2000, 60_000) // 300 and 10 entries on a page
		p := scanning(10_000, 10_000)
		r := &runState{run: Run{Relation: &rel, Indexes: rel.Indexes, Progress: &p}}
		r.run.Memory.Items = Some(dead)
		e := &estimator{r: r, run: &r.run, total: 10_000, scanned: 10_000, asleep: Some(amount{0.95, 0.98, 1})}
		weight := e.weight()
		return weight(rel.Indexes[1]) / 60_000, weight(rel.Indexes[0]) / 2000
	}
	if wide, narrow := weights(6000); wide > narrow/4 {
		t.Errorf("1 %% dead: a page of wide keys weighs %.2f, of narrow ones %.2f", wide, narrow)
	}
	if wide, narrow := weights(300_000); math.Abs(wide/narrow-1) > 0.05 {
		t.Errorf("50 %% dead: a page of wide keys weighs %.2f, of narrow ones %.2f", wide, narrow)
	}
}

package model

import (
	"testing"
	"time"
)

// repaced folds an autovacuum that scans 100 pages a second and sleeps half of its time
// for it, and then so many seconds at another cost limit, which make it sleep 50 times as
// long: 0.255 s for a page.
func repaced(seconds int) *Run {
	rel := tableOf(10_000, 1000)
	var tracker Tracker
	var run *Run
	slept, scanned := 0.0, 0.0
	for i := range 30 + seconds {
		limit := Text("2000")
		if i >= 30 {
			limit = "40"
		}
		p := scanning(Blocks(scanned), 10_000)
		p.MaxDeadTupleBytes, p.DeadTupleBytes, p.NumDeadItemIDs = Some[Bytes](1<<30), Some[Bytes](1000), Some(2*int64(scanned))
		p.DelayTime = Some(slept)
		proc := vacuumer(p)
		proc.BackendType, proc.Query = Some[Text](autovacuumWorker), Some[Text]("autovacuum: VACUUM public.t")
		s := beat(uint64(i+1), 1000*i, proc)
		s.Poll.Relations = []Relation{rel}
		for name, value := range map[string]Text{
			"autovacuum_vacuum_cost_delay": "2", "autovacuum_vacuum_cost_limit": limit, "vacuum_cost_page_hit": "1",
			"vacuum_cost_page_miss": "2", "vacuum_cost_page_dirty": "20", "shared_buffers": "100000",
		} {
			s.Poll.Settings = append(s.Poll.Settings, Setting{Name: name, Setting: value, Source: "configuration file"})
		}
		for ms := 50; ms <= 1000; ms += 50 {
			s.Ticks = append(s.Ticks, tickAt(1000*(i-1)+ms, phaseScanningHeap, slept, asleep))
		}
		run = tracker.Step(s).Active[0]
		if i < 29 {
			slept, scanned = slept+500, scanned+100
		} else {
			slept, scanned = slept+980, scanned+1/0.255
		}
	}
	return run
}

// The old pace and the new settings tell at once how long it takes now.
func TestAChangedCostLimitTellsThePaceAtOnce(t *testing.T) {
	for _, seconds := range []int{1, 2, 4, 8} {
		run := repaced(seconds)
		scanPart, indexes := run.Whole.Parts[0], run.Whole.Parts[1]
		truth := time.Duration(float64(10_000-run.Progress.HeapBlksScanned.Or(0)) * 0.255 * float64(time.Second))
		if off := float64(scanPart.Middle) / float64(truth); off < 0.8 || off > 1.25 || scanPart.Left.Low > truth || scanPart.Left.High < truth {
			t.Errorf("after %d s: %v of the scan, truly %v", seconds, scanPart, truth)
		}
		// All but the work of its pages is asleep now, so that their cost alone tells.
		if indexes.Asleep.Or(0) < 0.9 || indexes.Left.High > 2*indexes.Left.Low {
			t.Errorf("after %d s: %+v of the indexes", seconds, indexes)
		}
	}
}

// A nap is at most four delays long: where a page costs more than that many limits, a
// limit that is lower still makes nothing slower.
func TestACostLimitUnderAPagesCostMakesNothingSlower(t *testing.T) {
	r := &runState{}
	r.run.Whole.Pace.PageCost = 20
	r.run.Phases = []Span{{Phase: phaseScanningHeap, Wall: 10 * time.Second, ProcessTime: 10 * time.Second,
		Delay: Delay{Sampled: Some(9 * time.Second)}, Moved: Moved{Unit: UnitBlocks, To: 1000, Over: 10 * time.Second}}}
	r.costsChanged(CostSettings{2 * time.Millisecond, 5}, CostSettings{2 * time.Millisecond, 1}, 180000)
	if _, secs := moved(&r.run, phaseScanningHeap); secs < 9.99 || secs > 10.01 {
		t.Errorf("10 s have become %.1f s", secs)
	}
	r.costsChanged(CostSettings{2 * time.Millisecond, 5}, CostSettings{2 * time.Millisecond, 50}, 180000)
	if _, secs := moved(&r.run, phaseScanningHeap); secs < 1.89 || secs > 1.91 {
		t.Errorf("9 s asleep that become a tenth of it, and 1 s of work, are %.1f s", secs)
	}
	if share := sleptShare(&r.run, phaseScanningHeap).Or(0); share < 0.46 || share > 0.48 {
		t.Errorf("of which %.2f is slept", share)
	}
}

package model

import "time"

// repace makes what was seen of a run's pace so far count as if it had been seen under
// the cost settings that are in force now, under which it sleeps ratio times as long for
// the same pages. Spans of which too little was seen are taken to sleep as the scan does.
func (r *runState) repace(ratio float64) {
	usual := sleptShare(&r.run, phaseScanningHeap).Or(0)
	factor := func(share float64) float64 { return max(0.01, 1-share+share*ratio) }
	for i := range r.run.Phases {
		span := &r.run.Phases[i]
		took := span.Wall
		if span.Moved.Unit == UnitBlocks {
			took = span.Moved.Over
		}
		longer := factor(usual)
		if slept, all, _, known := span.slept(&r.run); known && all >= time.Second {
			longer = factor(min(1, slept.Seconds()/all.Seconds()))
			span.stretch += time.Duration((ratio - 1) * float64(slept))
		}
		span.idle = took - time.Duration(longer*float64(took-span.idle))
		if i == len(r.run.Phases)-1 {
			r.indexes.repace(longer)
		}
	}
	r.pulse = pulse{}
	if n := len(r.points); n > 0 {
		r.points = []point{r.points[n-1]}
	}
}

// costsChanged takes in that other cost settings are in force: what it sleeps changes
// with delay / limit, of which a nap is cut short where a page costs too much. Before 16
// a run that goes on is never faster than at its start.
func (r *runState) costsChanged(was, is CostSettings, versionNum int) {
	page := max(1, r.run.Whole.Pace.PageCost)
	before, _ := was.perUnit(page)
	now, _ := is.perUnit(page)
	if r.startPace == 0 {
		r.startPace = before
	}
	if versionNum < followsFaster {
		before, now = max(before, r.startPace), max(now, r.startPace)
	}
	if sleptShare(&r.run, phaseScanningHeap).Known() && before > 0 {
		r.repace(now / before)
	}
}

// followsFaster is the first version in which a running autovacuum follows settings
// that make it faster.
const followsFaster = 160000

// sleepsNoMore takes in that the failsafe mode has begun.
func (r *runState) sleepsNoMore() {
	if sleptShare(&r.run, phaseScanningHeap).Known() {
		r.repace(0)
	}
}

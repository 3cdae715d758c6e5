package model

import "time"

// repace makes what was seen of a run's pace so far count as if it had been seen under
// the cost settings that are in force now: its phases would have taken factor times
// the time.
func (r *runState) repace(factor float64) {
	for i := range r.run.Phases {
		span := &r.run.Phases[i]
		took := span.Wall
		if span.Moved.Unit == UnitBlocks {
			took = span.Moved.Over
		}
		span.idle = took - time.Duration(factor*float64(took-span.idle))
	}
	r.indexes.repace(factor)
	r.pulse = pulse{}
	if n := len(r.points); n > 0 {
		r.points = []point{r.points[n-1]}
	}
}

// costsChanged takes in that other cost settings are in force: what it sleeps changes
// with delay / limit. Before 16 a run that goes on is never faster than at its start.
func (r *runState) costsChanged(was, is CostSettings, versionNum int) {
	before, _ := was.perUnit(1)
	now, _ := is.perUnit(1)
	if r.startPace == 0 {
		r.startPace = before
	}
	if versionNum < followsFaster {
		before, now = max(before, r.startPace), max(now, r.startPace)
	}
	if share, known := sleptShare(&r.run, phaseScanningHeap).Get(); known && before > 0 {
		r.repace(1 - share + share*now/before)
	}
}

// followsFaster is the first version in which a running autovacuum follows settings
// that make it faster.
const followsFaster = 160000

// sleepsNoMore takes in that the failsafe mode has begun.
func (r *runState) sleepsNoMore() {
	if share, known := sleptShare(&r.run, phaseScanningHeap).Get(); known {
		r.repace(max(0.01, 1-share))
	}
}

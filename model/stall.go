package model

import (
	"math"
	"time"
)

// Standing still counts as a stall after leastStall, and only when it moved a lot more
// often before.
const (
	leastStall    = 5 * time.Second
	stallPatience = 5 // times the longest pause between two moves before
)

// stalled is for how long the run has stood still; absent while it does not. Of indexes
// only whole ones are counted: there its samples tell, or a wait that is seen.
func (r *runState) stalled(now time.Time) Opt[time.Duration] {
	span := r.run.Phase()
	switch {
	case r.run.HeldUp != nil:
		return Some(max(0, now.Sub(r.run.HeldUp.Since)))
	case isIndexPhase(span.Phase) && r.sleepsNoLonger():
		return Some(r.pulse.still())
	case span.Moved.Unit != UnitBlocks || len(r.points) < 2 || span.Moved.To >= span.Moved.Total:
		return None[time.Duration]()
	}
	stood := r.points[len(r.points)-1].at.Sub(lastMove(r.points))
	if stood < leastStall || stood < stallPatience*longestPause(r.points) {
		return None[time.Duration]()
	}
	return Some(stood)
}

// longestPause is the longest time between two moves of the counter.
func longestPause(points []point) time.Duration {
	longest, from := time.Duration(0), points[0].at
	for i := 1; i < len(points); i++ {
		if points[i].value > points[i-1].value {
			longest, from = max(longest, points[i].at.Sub(from)), points[i].at
		}
	}
	return longest
}

// pulse is how often a run's samples differ from the ones before: in what a process
// waits for, in which processes there are, in delay_time or in the indexes that are done.
// Those of a process that was stopped are all alike.
type pulse struct {
	since, at time.Time     // of the first and the last of the samples that are all alike
	alike     int           // those samples
	changes   int           // how often one differed, since the run's pace changed last
	samples   int           // those up to the last change
	longest   time.Duration // between two changes
}

// sampled counts a sample, which comes within most after the one before, else nobody
// watched: that time tells nothing.
func (p *pulse) sampled(at time.Time, most time.Duration) {
	if gap := at.Sub(p.at); p.at.IsZero() || gap < 0 || gap > most {
		p.since, p.alike = at, 0
	}
	p.at = at
	p.alike++
}

// beats notes that a sample differs from the one before.
func (p *pulse) beats(at time.Time) {
	if p.alike > 0 && at.After(p.since) && !p.stopped() {
		p.longest = max(p.longest, at.Sub(p.since))
		p.samples, p.changes = p.samples+p.alike, p.changes+1
	}
	p.since, p.at, p.alike = at, at, 0
}

// still is for how long the samples have been alike.
func (p *pulse) still() time.Duration { return p.at.Sub(p.since) }

// stopped tells that they have been for so long as does not happen to a run that goes on:
// far longer than ever before, and as was not to be expected even once among as many
// stretches as there were, at the least rate of changes that their number allows (one of
// 20 Poisson intervals).
func (p *pulse) stopped() bool {
	const patience, expected = 3, 0.01
	if p.still() < leastStall || p.still() < patience*p.longest {
		return false
	}
	n := float64(p.changes)
	rate := (n - 1.6*math.Sqrt(n)) / float64(max(1, p.samples))
	return rate > 0 && n*math.Exp(-rate*float64(p.alike)) < expected
}

// sleepsNoLonger tells that a run which sleeps on purpose again and again neither sleeps
// nor works any more. Of one that does not sleep, nothing tells whether it was stopped or
// is busy: its samples may be alike for as long as an index takes.
func (r *runState) sleepsNoLonger() bool {
	const enough = 0.1
	slept := max(sleptShare(&r.run, phaseScanningHeap).Or(0), sleptShare(&r.run, r.run.Phase().Phase).Or(0))
	return slept > enough && r.run.Failsafe == nil && r.pulse.stopped()
}

// standStill keeps the time in which the run was stopped in an index pass out of its pace.
func (r *runState) standStill(at time.Time) {
	span := r.run.Phase()
	if span != nil && isIndexPhase(span.Phase) && r.run.HeldUp == nil && r.run.State == StateRunning && r.sleepsNoLonger() {
		r.stoodStill(latest(r.pulse.since, r.stillAt), at)
	}
}

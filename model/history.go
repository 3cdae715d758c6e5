package model

import (
	"slices"
	"time"
)

// maxHistory is how many points of a run's history are kept, whatever its length:
// when there are as many, every second one goes and from then on half as many are
// taken. A point has 48 bytes.
const maxHistory = 600

// DelayPoint is how much of a run's time had been spent, and slept on purpose, by
// one beat. All are cumulative since the watching of the run began.
type DelayPoint struct {
	// Since is the time since Run.WatchedFrom.
	Since time.Duration
	// ProcessTime, Reported and Sampled are Run.ProcessTime, Run.Delay.Reported and
	// Run.Delay.Sampled of that beat.
	ProcessTime       time.Duration
	Reported, Sampled Opt[time.Duration]
}

// WatchedFrom is since when the run's time is counted: when it began, where that
// was seen, else when it was first seen.
func (r *Run) WatchedFrom() time.Time {
	if r.FromStart {
		return r.Began
	}
	return r.FirstSeen
}

// Now is the point of the run's last sight, which its History may not hold yet.
func (r *Run) Now() DelayPoint {
	return DelayPoint{
		Since:       max(0, r.LastSeen.Sub(r.WatchedFrom())),
		ProcessTime: r.ProcessTime, Reported: r.Delay.Reported, Sampled: r.Delay.Sampled,
	}
}

// history is a bounded list of points. Published slices are never written again:
// points are appended behind their end, and thinning makes a new list.
type history struct {
	points []DelayPoint
	beats  int // since the first
	every  int // beats from one point to the next; 0 is 1
}

// add takes the point of a beat, or leaves it out where the list is thinned.
func (h *history) add(p DelayPoint) {
	if h.every == 0 {
		h.every = 1
	}
	if h.beats++; (h.beats-1)%h.every != 0 {
		return
	}
	if len(h.points) == maxHistory {
		thinned := make([]DelayPoint, 0, maxHistory)
		for i := 0; i < len(h.points); i += 2 {
			thinned = append(thinned, h.points[i])
		}
		h.points, h.every = thinned, 2*h.every
	}
	h.points = append(h.points, p)
}

// remember adds a point to the history of every run at work.
func (t *Tracker) remember() {
	for _, r := range t.active {
		if r.run.State != StateRunning {
			continue
		}
		now := r.run
		now.Phases = slices.Clone(now.Phases)
		r.total(&now)
		r.history.add(now.Now())
	}
}

// clone returns a history that appends to a list of its own.
func (h history) clone() history {
	h.points = h.points[:len(h.points):len(h.points)]
	return h
}

package model

import "time"

// TimeShares is process-time divided by what the processes did in it. The shares
// add up to 1.
type TimeShares struct {
	// Of is the share of each class of samples. That of ClassDelay is the server's where
	// it counts delay (18+), and the others are of what remains.
	Of [Classes]Ratio
	// DelayEstimated tells that the share of ClassDelay is of samples as well.
	DelayEstimated bool
	Samples        int
	Wall           time.Duration // on the wall, over which they were seen
}

// Shares divides the process-time of a span; absent over windows shorter than
// MinShareWindow, and without samples.
func (s *Span) Shares() Opt[TimeShares] {
	return sharesOf(s.Waits, s.Delay, s.ProcessTime, s.Wall)
}

// Shares divides the process-time of the run, as far as it was watched.
func (r *Run) Shares() Opt[TimeShares] {
	var waits []WaitTime
	var wall time.Duration
	for i := range r.Phases {
		waits = append(waits, r.Phases[i].Waits...)
		wall += r.Phases[i].Wall
	}
	return sharesOf(waits, r.Delay, r.ProcessTime, wall)
}

func sharesOf(waits []WaitTime, delay Delay, processTime, wall time.Duration) Opt[TimeShares] {
	shares := TimeShares{Wall: wall}
	var weights [Classes]float64
	var all float64
	for _, w := range waits {
		weights[w.Class] += w.Weight.Seconds()
		all += w.Weight.Seconds()
		shares.Samples += w.Samples
	}
	if all <= 0 || wall < MinShareWindow {
		return None[TimeShares]()
	}
	for class, weight := range weights {
		shares.Of[class] = Ratio(weight / all)
	}
	asleep, estimated := delay.Share(processTime, wall)
	shares.DelayEstimated = estimated || !asleep.Known()
	awake := 1 - shares.Of[ClassDelay]
	if shares.DelayEstimated || awake <= 0 {
		return Some(shares)
	}
	rest := (1 - asleep.Or(0)) / awake
	for class := range shares.Of {
		shares.Of[class] *= rest
	}
	shares.Of[ClassDelay] = asleep.Or(0)
	return Some(shares)
}

// Top is the class with the largest share.
func (t TimeShares) Top() (Class, Ratio) {
	best := ClassDelay
	for class, share := range t.Of {
		if share > t.Of[best] {
			best = Class(class)
		}
	}
	return best, t.Of[best]
}

package model

import "time"

// WaitStreak is the longest run of consecutive samples in which one process was seen
// in one wait event.
type WaitStreak struct {
	// Wait is absent for samples on CPU (or in code that is not instrumented).
	Wait    Opt[Wait]
	Worker  bool
	PID     int32
	Samples int
	// From and To are the first and the last of the samples; what the process did
	// between two of them is not known.
	From, To time.Time
	// Phase and Pass are where it began.
	Phase Text
	Pass  int
}

// streak continues the member's run of consecutive samples, or begins another one,
// and keeps the longest of each wait event. Ticks that were missed in between do not
// end it, a gap in watching does: before is the sample before this one.
func (r *runState) streak(m *Member, at, before time.Time, wait Opt[Wait]) {
	s := &m.streak
	if s.Samples == 0 || s.Wait != wait || at.Sub(before) > max(maxUnseen, 2*r.run.Watch.Interval) {
		span := r.run.Phase()
		*s = WaitStreak{Wait: wait, Worker: m.Worker, PID: m.PID, From: at, Phase: span.Phase, Pass: span.Pass}
	}
	s.Samples, s.To = s.Samples+1, at
	for i := range r.run.Streaks {
		if e := &r.run.Streaks[i]; e.Wait == wait && e.Worker == m.Worker {
			if s.Samples > e.Samples {
				*e = *s
			}
			return
		}
	}
	r.run.Streaks = append(r.run.Streaks, *s)
}

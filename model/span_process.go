package model

import "time"

// ProcessLife is how long one process lived in a phase, or several workers where spans
// were merged.
type ProcessLife struct {
	PID          int32 // 0: workers of merged passes
	BackendStart time.Time
	Worker       bool
	Processes    int // 1, or how many were merged
	Lived        time.Duration
}

// addLife adds what a process lived.
func addLife(lives []ProcessLife, l ProcessLife) []ProcessLife {
	for i := range lives {
		if e := &lives[i]; e.PID == l.PID && e.BackendStart.Equal(l.BackendStart) && e.Worker == l.Worker {
			e.Lived += l.Lived
			if l.PID == 0 {
				e.Processes += l.Processes
			}
			return lives
		}
	}
	return append(lives, l)
}

// Workers is how many workers lived in the span, in all its passes, and for how long
// together.
func (s *Span) Workers() (n int, lived time.Duration) {
	for _, l := range s.Lives {
		if l.Worker {
			n, lived = n+l.Processes, lived+l.Lived
		}
	}
	return n, lived
}

package model

import "slices"

// age lets the ages of what was in sight at the last poll go on to Now: a clock that
// stands still for a long interval would look like a server that does. What is
// counted or measured stays as it was read. The snapshot is not published yet, and
// its runs and its list of commands are its own; the rest is shared with others.
func (s *Snapshot) age() {
	ahead := s.ahead()
	if ahead == 0 {
		return
	}
	for _, r := range s.Active {
		r.ahead = ahead
	}
	for i, g := range s.Groups {
		if slices.ContainsFunc(s.Active, func(r *Run) bool { return r.Group == g.ID }) {
			aged := *g
			aged.ahead = ahead
			s.Groups[i] = &aged
		}
	}
	waits := make([]LockWait, len(s.LockWaits))
	for i, w := range s.LockWaits {
		if waited, exact := w.Waited.Get(); exact {
			w.Waited = Some(waited + ahead)
		}
		waits[i] = w
	}
	s.LockWaits = waits
}

package model

// IndexPass is the last pass over the indexes that has begun, counted from 1; 0
// before the first.
func (r *Run) IndexPass() int {
	pass := 0
	for i := range r.Phases {
		if span := &r.Phases[i]; span.Phase == phaseVacuumingIndexes {
			pass = max(pass, span.LastPass())
		}
	}
	return pass
}

// PassesSeen is how many passes over the indexes were seen, of those that IndexPass
// counts: fewer where the watching began after the first.
func (r *Run) PassesSeen() int {
	first := 0
	for i := range r.Phases {
		if span := &r.Phases[i]; span.Phase == phaseVacuumingIndexes && (first == 0 || span.Pass < first) {
			first = span.Pass
		}
	}
	if first == 0 {
		return 0
	}
	return r.IndexPass() - first + 1
}

// LastPass is the last of the passes that the span belongs to.
func (s *Span) LastPass() int { return s.Pass + s.Passes - 1 }

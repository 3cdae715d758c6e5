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

// LastPass is the last of the passes that the span belongs to.
func (s *Span) LastPass() int { return s.Pass + s.Passes - 1 }

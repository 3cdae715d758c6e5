package model

// PhaseTotals are the run's phases, each once, with what all its passes took
// together, in the order in which they first came; those of a run that made at most
// one pass over the indexes are its Phases. current is the one that the run is, or
// was last, in; -1 before the first. What moved is that of the last pass where it
// starts anew with each, as indexes do.
func (r *Run) PhaseTotals() (spans []Span, current int) {
	if r.IndexPass() <= 1 {
		return r.Phases, len(r.Phases) - 1
	}
	current = -1
	for _, span := range r.Phases {
		current = -1
		for i := range spans {
			if spans[i].Phase == span.Phase {
				current = i
			}
		}
		if current < 0 {
			spans, current = append(spans, span), len(spans)
			continue
		}
		passes := span.LastPass() - spans[current].Pass + 1
		sum := spans[current].with(span)
		sum.Passes, sum.Complete = passes, spans[current].Complete && span.Complete
		if span.Moved.Unit == UnitIndexes {
			sum.Moved = span.Moved
		}
		spans[current] = sum
	}
	return spans, current
}

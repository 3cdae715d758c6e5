package model

import "time"

// steady is a stretch of a heap phase in which the cost settings stayed as they are:
// what was passed and what was slept in it.
type steady struct {
	pages       int64
	over        time.Duration // in which they were passed
	processTime time.Duration
	delay       Delay
}

// steadyFrom notes that the settings in force have changed: what was seen of the
// current phase so far no longer tells what they allow.
func (r *runState) steadyFrom() {
	if span := r.run.Phase(); span != nil {
		r.before, r.beforeIn = r.stretchOf(span), span.From
	}
}

// steadySpan is what was seen of the current phase since its settings changed last;
// nothing where the phase counts no pages of the table.
func (r *runState) steadySpan() steady {
	span := r.run.Phase()
	if span == nil || span.Moved.Unit != UnitBlocks {
		return steady{}
	}
	s := r.stretchOf(span)
	if !r.changedIn(span) {
		return s
	}
	return s.since(r.before)
}

// changedIn tells that the settings were seen to change in a phase.
func (r *runState) changedIn(span *Span) bool { return r.beforeIn.Equal(span.From) }

// stretchOf is a whole span. A delay_time that never moved tells nothing.
func (r *runState) stretchOf(span *Span) steady {
	s := steady{pages: span.Moved.To - span.Moved.From, over: span.Moved.Over, processTime: span.ProcessTime, delay: span.Delay}
	if !r.run.Delay.Reported.Known() {
		s.delay.Reported = None[time.Duration]()
	}
	return s
}

// since takes away what was seen before.
func (s steady) since(b steady) steady {
	less := func(a, b Opt[time.Duration]) Opt[time.Duration] {
		if v, ok := a.Get(); ok {
			return Some(max(0, v-b.Or(0)))
		}
		return a
	}
	s.pages -= b.pages
	s.over -= b.over
	s.processTime -= b.processTime
	s.delay.Reported = less(s.delay.Reported, b.delay.Reported)
	s.delay.Sampled = less(s.delay.Sampled, b.delay.Sampled)
	return s // the error stays that of the whole phase, which is the larger one
}

package model

import (
	"fmt"
	"math"
	"time"
)

// Whole is the estimate of the time left of the whole run: over all remaining phases
// and index passes. Everything in it is an estimate.
type Whole struct {
	// Left is the time left to the end of the run; absent where WhyNot says why, and
	// while the run is Stalled. It ends on the High side where it does in about nine
	// of ten cases, not at the worst that can happen.
	Left Opt[Range]
	// Middle is the single most likely time left, within Left.
	Middle Opt[time.Duration]
	WhyNot string
	// Stalled is for how long nothing has moved that ought to; absent while it moves.
	Stalled Opt[time.Duration]
	// Unchanged is for how long every sample of an index pass that takes longer than
	// estimated has been alike: a process that is busy looks so, and one that was stopped.
	// Absent under 5 s, and while it is not overdue.
	Unchanged Opt[time.Duration]
	// Done is how much of the run's time is over, 0 to 1. It never gets less, also
	// where the time left turns out to be longer than was estimated. Absent before the
	// first estimate.
	Done Opt[Ratio]
	// Parts are the phases that remain, in the server's order; their middles add up to
	// Middle.
	Parts []Part
	// Source says where the rates come from that this run has not shown yet; "" where
	// they follow from what it showed.
	Source Text
	// Pace is how much it sleeps on purpose for what it does.
	Pace CostPace
}

// Part is what remains of one kind of phase, over all passes.
type Part struct {
	Phase Text
	// Passes is in how many pieces it comes, the current one included.
	Passes int
	Left   Range
	Middle time.Duration
	// Asleep is the share of it that will be slept on purpose; absent where what is
	// slept is not known.
	Asleep Opt[Ratio]
	// How says what the estimate is made of, in a short clause.
	How string
}

// OfWhole tells that Done and LeftRange are of the whole run, not of its phase.
func (r *Run) OfWhole() bool { return r.Whole.Done.Known() }

// Done is the progress over the whole run, once there has been an estimate of it,
// else the phase's.
func (r *Run) Done() Opt[Ratio] {
	if r.OfWhole() {
		return r.Whole.Done
	}
	return r.Left.Done
}

// LeftRange is the time left of what Done is about.
func (r *Run) LeftRange() Opt[Range] {
	if r.OfWhole() {
		return r.Whole.Left
	}
	return r.Left.Range
}

// longestLeft bounds what is given as an estimate: what is further away only says
// that it hardly moves.
const longestLeft = 5 * 365 * 24 * time.Hour

// amount is a number of seconds (or of a ratio) known to a range.
type amount struct{ low, mid, high float64 }

// about is a value known to a factor.
func about(mid, factor float64) amount { return amount{mid / factor, mid, mid * factor} }

// around is a value with two others that it lies between, whichever is the larger.
func around(mid, a, b float64) amount { return amount{min(a, b, mid), mid, max(a, b, mid)} }

func (a amount) times(k float64) amount { return amount{a.low * k, a.mid * k, a.high * k} }

// by multiplies two amounts whose errors are independent.
func (a amount) by(b amount) amount {
	mid := a.mid * b.mid
	if !(mid > 0) {
		return amount{}
	}
	down := math.Hypot(1-a.low/a.mid, 1-b.low/b.mid)
	up := math.Hypot(a.high/a.mid-1, b.high/b.mid-1)
	return amount{max(a.low*b.low, mid*(1-min(1, down))), mid, min(a.high*b.high, mid*(1+up))}
}

// plus adds amounts whose errors are neither independent, as one pace is in many of
// them, nor the same.
func (a amount) plus(b amount) amount {
	add := func(x, y float64) float64 { return (math.Hypot(x, y) + x + y) / 2 }
	mid := a.mid + b.mid
	return amount{max(0, mid-add(a.mid-a.low, b.mid-b.low)), mid, mid + add(a.high-a.mid, b.high-b.mid)}
}

// less takes what is over away; nothing gets below zero.
func (a amount) less(over float64) amount {
	return amount{max(0, a.low-over), max(0, a.mid-over), max(0, a.high-over)}
}

func (a amount) finite() bool {
	return a.low >= 0 && a.low <= a.mid && a.mid <= a.high && a.high <= longestLeft.Seconds()
}

func (a amount) span() Range { return Range{Low: seconds(a.low), High: seconds(a.high)} }

// piece is a part as it is computed.
type piece struct {
	phase  Text
	passes int
	left   amount
	asleep Opt[float64]
	how    string
}

// whole estimates the time left of a run and how far it is. before is the last
// estimate made of it.
func (t *Tracker) whole(r *runState) Whole {
	run := &r.run
	w := Whole{Done: run.Whole.Done}
	if run.Command != "VACUUM" || run.State != StateRunning || run.Progress == nil || run.Phase() == nil {
		w.WhyNot = whyNoWhole(run)
		return w
	}
	if stalled, ok := r.stalled(run.LastSeen).Get(); ok {
		w.Stalled = Some(stalled)
		w.WhyNot = "it has stood still for " + FormatDuration(stalled)
		return w
	}
	e := newEstimator(r, t)
	if w.WhyNot = e.whyNot(); w.WhyNot != "" {
		return w
	}
	pieces := e.pieces()
	all := amount{}
	for _, p := range pieces {
		all = all.plus(p.left)
	}
	if !all.finite() {
		w.WhyNot = "it moves too slowly to tell"
		return w
	}
	w.Source, w.Pace = e.source, e.costPace()
	w.take(pieces, all)
	if still := r.pulse.still(); e.overdue && still >= leastStall {
		w.Unchanged = Some(still)
	}
	if past := e.past(); past > 0 {
		done := Ratio(past / (past + all.mid))
		w.Done = Some(max(w.Done.Or(0), min(done, almostDone)))
	}
	return w
}

// almostDone is the progress of a run that is still there at most.
const almostDone = 0.999

// take sets the estimate. The middle is the sum of the parts as they are shown.
func (w *Whole) take(pieces []piece, all amount) {
	var middle time.Duration
	for _, p := range pieces {
		part := Part{Phase: p.phase, Passes: p.passes, Left: p.left.span(), Middle: seconds(p.left.mid), How: p.how}
		if s, ok := p.asleep.Get(); ok {
			part.Asleep = Some(Ratio(s))
		}
		w.Parts = append(w.Parts, part)
		middle += part.Middle
	}
	left := all.span()
	w.Left = Some(Range{Low: min(left.Low, middle), High: max(left.High, middle)})
	w.Middle = Some(middle)
}

func whyNoWhole(run *Run) string {
	switch {
	case run.Command != "VACUUM":
		return "for " + run.Command + " there is none of the whole run"
	case run.State == StateWaiting:
		return "it waits for its table lock"
	case run.State == StateHidden:
		return "this role may not see how far it is"
	}
	return "it has just been seen for the first time"
}

// leftIsKnown tells that there is a time left of the run, or of its phase, or that it
// is stalled.
func leftIsKnown(r *Run) bool {
	return r.Whole.Stalled.Known() || r.Whole.Left.Known() || !r.OfWhole() && r.Left.Range.Known()
}

// wholeSentence says how long the whole run still takes, or that of the phase
// where that is not known, or why neither is.
func wholeSentence(r *Run) string {
	if stalled, ok := r.Whole.Stalled.Get(); ok {
		return fmt.Sprintf("Stalled for %s: no telling how long it takes.", FormatDuration(stalled))
	}
	left, ok := r.Whole.Left.Get()
	switch {
	case !ok && r.OfWhole():
		return "Time left is not known (" + r.Whole.WhyNot + ")."
	case !ok:
		return leftSentence(r)
	}
	sentence := aboutLeft(left) + " left of the whole run"
	if unchanged, ok := r.Whole.Unchanged.Get(); ok {
		sentence += fmt.Sprintf(", if it goes on: every sample of it has been alike for %s", FormatDuration(unchanged))
	}
	return sentence + "."
}

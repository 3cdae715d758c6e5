package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report/statistics"
)

// Observation is one thing that a comparison shows.
type Observation struct {
	Quantity
	// Text says it in words.
	Text string
}

// leastShare is how large a difference is at least, against the whole, to be an observation.
const leastShare = 0.005

// observe says what of the quantities differs between the sides, the largest difference
// first.
func (c *Comparison) observe() []Observation {
	var out []Observation
	for _, q := range c.Quantities {
		if q.observed() {
			out = append(out, Observation{q, q.what() + ": " + q.words() + c.consecutive(&q)})
		}
	}
	slices.SortStableFunc(out, func(a, b Observation) int { return cmp.Compare(b.Share.Or(0), a.Share.Or(0)) })
	return out
}

// follows are kinds that follow from others: from times and processes, samples, workers
// launched.
var follows = []Kind{KindProcessTime, KindSampledDelay, KindAsked, KindPlanned}

// consecutive says how many of the leader's samples followed on each other, where they
// were many: of the event whose places are known (Minutes), in single runs.
func (c *Comparison) consecutive(q *Quantity) string {
	if q.Kind != KindSamples || q.Workers || !c.single() {
		return ""
	}
	out := ""
	for _, side := range []*Side{&c.A, &c.B} {
		minutes := &side.Runs[0].Minutes
		for _, longest := range minutes.Longest {
			if !longest.Worker && longest.Phase == q.Phase && longest.Samples >= leastConsecutive && strings.EqualFold(minutes.Event, q.Event) {
				out += fmt.Sprintf("; in %s %s in a row", side.Label, model.FormatCount(int64(longest.Samples)))
			}
		}
	}
	return out
}

// leastConsecutive is how many consecutive samples are worth a word.
const leastConsecutive = 10

// observed tells whether a difference is large enough to be an observation, and no chance
// as far as that can be told.
func (q *Quantity) observed() bool {
	change, known := q.Difference.Change.Get()
	switch {
	case slices.Contains(follows, q.Kind), !known:
		return false
	case q.Share.Or(0) < leastShare, math.Abs(change) <= q.Uncertain:
		return false
	}
	return q.Difference.Found() || !q.Difference.Interval.Known()
}

// what is what the quantity is of, in words.
func (q *Quantity) what() string {
	var out string
	switch q.Kind {
	case KindTime:
		if q.Phase == "" {
			return "the whole run"
		}
		return q.Phase.Display()
	case KindDelay:
		out = "asleep on purpose, as the server reports it,"
	case KindSamples:
		out = q.who() + " " + q.doing()
	default:
		return string(q.Kind)
	}
	if q.Phase == "" {
		return out + " in the whole run"
	}
	return out + " while " + q.Phase.Display()
}

// who is whose samples they are.
func (q *Quantity) who() string {
	if q.Workers {
		return "workers"
	}
	return "leader"
}

// doing is what a process does in a wait event.
func (q *Quantity) doing() string {
	switch q.Event {
	case "VacuumDelay":
		return "asleep on purpose (VacuumDelay)"
	case "ParallelFinish":
		return "waiting for its workers (ParallelFinish)"
	case "CPU":
		return "on CPU"
	}
	return "in " + q.Event
}

// words are the values of both sides, and how far they lie apart.
func (q *Quantity) words() string {
	a, _ := q.A.Get()
	b, _ := q.B.Get()
	out := q.valueText(a.Mean) + " / " + q.valueText(b.Mean)
	if q.Kind == KindSamples {
		out += " samples"
	}
	if a.N > 1 || b.N > 1 {
		out += " on average"
	}
	if i, known := q.Difference.Interval.Get(); known && q.Kind != KindSamples && q.Unit != UnitCount {
		return out + ", " + q.Difference.Words("run", "runs")
	} else if known {
		return out + ", " + q.changeText() + " (" + q.signedText(i.Low) + " to " + q.signedText(i.High) + ")"
	}
	out += " (" + q.change() + ")"
	if apart := q.apart(); apart != "" {
		out += "; " + apart
	}
	return out
}

// change is the difference of the means, in percent too where that says something: of
// times and sizes. Of samples that were taken at two rates it is the time they stand for.
func (q *Quantity) change() string {
	if q.Kind == KindSamples && !q.SameRate {
		return "~" + text(q.Standing, signedTime) + " of process time"
	}
	ratio, known := q.Difference.Ratio().Get()
	if !known || q.Unit == UnitCount {
		return q.changeText()
	}
	return q.changeText() + ", " + statistics.Percent(ratio)
}

// apart says that every value of one side lies above every one of the other; "" where it
// is not so.
func (q *Quantity) apart() string {
	a, _ := q.A.Get()
	b, _ := q.B.Get()
	switch {
	case a.N == 1 || b.N == 1:
		return ""
	case b.Min > a.Max:
		return "every run of B lies above every one of A"
	case a.Min > b.Max:
		return "every run of B lies below every one of A"
	}
	return ""
}

package report

import (
	"fmt"
	"math"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/model/report/statistics"
)

// LabQuantity is a quantity with the statistics of each side, of its runs that are
// compared; absent for a side of which no run has a value.
type LabQuantity struct {
	experiment.Quantity
	Sides []model.Opt[statistics.Summary]
}

// measureLab are the quantities of an experiment.
func measureLab(l experiment.Lab) []LabQuantity {
	var out []LabQuantity
	for _, q := range l.Quantities() {
		measured := LabQuantity{Quantity: q}
		for _, side := range l.Sides {
			var values []float64
			for _, r := range side.Compared() {
				if v, known := q.Of(r).Get(); known {
					values = append(values, v)
				}
			}
			measured.Sides = append(measured.Sides, statistics.Summarize(values))
		}
		out = append(out, measured)
	}
	return out
}

// difference is that of the mean of a side from that of the first.
func (q *LabQuantity) difference(side int) statistics.Difference {
	a, b := q.Sides[0].Or(statistics.Summary{}), q.Sides[side].Or(statistics.Summary{})
	return statistics.Compare(a.Sample(), b.Sample())
}

// differenceText is what was found of a side against the first; with too few runs to
// tell, the change.
func (q *LabQuantity) differenceText(side int) string {
	d := q.difference(side)
	if d.N >= statistics.Fewest {
		return foundText(d)
	}
	return text(d.Ratio(), statistics.Percent)
}

// differenceHead is the head over differenceText.
func differenceHead(l experiment.Lab) string {
	if tooFewRuns(l) != "" {
		return "#change"
	}
	return "difference found"
}

// tooFewRuns says that no difference can be told from chance; "" where it can.
func tooFewRuns(l experiment.Lab) string {
	n := l.Runs
	for _, side := range l.Sides {
		n = min(n, len(side.Compared()))
	}
	if few := (statistics.Difference{N: n}).TooFew("run", "runs"); few != "" {
		return few + " a difference from chance (--runs)"
	}
	return ""
}

// meanText writes the mean of a side.
func (q *LabQuantity) meanText(side model.Opt[statistics.Summary]) string {
	return text(side, func(s statistics.Summary) string { return q.valueText(s.Mean) })
}

// valueText writes a value of the quantity.
func (q *LabQuantity) valueText(v float64) string {
	switch q.Unit {
	case experiment.UnitSeconds:
		return UnitSeconds.text(v)
	case experiment.UnitBytes:
		return UnitBytes.text(v)
	case experiment.UnitMilliseconds:
		return latencyText(v) + " ms"
	case experiment.UnitShare:
		return fmt.Sprintf("%.1f %%", 100*v)
	}
	return UnitCount.text(v)
}

// latencyText writes milliseconds with about four digits.
func latencyText(ms float64) string {
	switch {
	case ms < 10:
		return fmt.Sprintf("%.3f", ms)
	case ms < 1000:
		return fmt.Sprintf("%.1f", ms)
	}
	return model.FormatCount(int64(math.Round(ms)))
}

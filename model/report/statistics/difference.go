package statistics

import (
	"fmt"
	"math"

	"example.com/vacscope/model"
	"gonum.org/v1/gonum/stat/distuv"
)

// Sample is what a comparison of means takes of a sample: how many values it has, their
// mean and their sample standard deviation.
type Sample struct {
	N            int
	Mean, StdDev float64
}

// Fewest is how many values each side needs before a difference is told from chance.
const Fewest = 4

// Difference is how far the mean of a sample lies above that of the one it is measured
// against, in the unit of the values.
type Difference struct {
	// N is how many values the smaller sample has.
	N int
	// Against is the mean that it is measured against.
	Against float64
	// Change is the difference of the means; absent where a sample has no value.
	Change model.Opt[float64]
	// Interval is the 95 % interval of Change, by Welch: the samples may spread
	// differently. Absent below Fewest values a side.
	Interval model.Opt[Interval]
}

// Interval is what a true value lies in with the confidence that stands beside it.
type Interval struct{ Low, High float64 }

// Compare measures the mean of b against that of a.
func Compare(a, b Sample) Difference {
	d := Difference{N: min(a.N, b.N), Against: a.Mean}
	if d.N == 0 {
		return d
	}
	change := b.Mean - a.Mean
	d.Change = model.Some(change)
	if d.N >= Fewest {
		margin := welchMargin(a, b)
		d.Interval = model.Some(Interval{change - margin, change + margin})
	}
	return d
}

// welchMargin is half of the 95 % interval around the difference of two means.
func welchMargin(a, b Sample) float64 {
	va, vb := a.StdDev*a.StdDev/float64(a.N), b.StdDev*b.StdDev/float64(b.N)
	if va+vb == 0 {
		return 0
	}
	freedom := (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.975) * math.Sqrt(va+vb)
}

// Found tells that the samples differ by more than chance: 0 lies outside of the interval.
func (d Difference) Found() bool {
	i, known := d.Interval.Get()
	return known && (i.Low > 0 || i.High < 0)
}

// Ratio is the change as a ratio to the mean that it is measured against, which is taken
// as it is; absent where that is 0.
func (d Difference) Ratio() model.Opt[model.Ratio] {
	change, known := d.Change.Get()
	if !known || d.Against == 0 {
		return model.None[model.Ratio]()
	}
	return model.Some(model.Ratio(change / d.Against))
}

// Words says what was found of values that are not below 0, which were measured in runs,
// or in what one and many call them: "-8.2 % (-9.7 to -6.6)".
func (d Difference) Words(one, many string) string {
	switch {
	case d.N < Fewest:
		return d.TooFew(one, many)
	case d.Against == 0:
		return "no difference can be told in percent: the mean is 0"
	case !d.Found():
		return "no difference found: " + d.Numbers()
	}
	return d.Numbers()
}

// TooFew says that no difference can be told from chance; "" where it can.
func (d Difference) TooFew(one, many string) string {
	if d.N >= Fewest {
		return ""
	}
	return model.FormatCounted(d.N, one, many) + ": too few to tell"
}

// Numbers are the change and its interval in percent: "-8.2 % (-9.7 to -6.6)"; "" where
// one of them is absent.
func (d Difference) Numbers() string {
	i, measured := d.Interval.Get()
	ratio, known := d.Ratio().Get()
	if !measured || !known {
		return ""
	}
	return fmt.Sprintf("%s (%s to %s)", Percent(ratio), signed(model.Ratio(i.Low/d.Against)), signed(model.Ratio(i.High/d.Against)))
}

// Percent writes a change with its sign: "+46.4 %".
func Percent(change model.Ratio) string { return signed(change) + " %" }

// signed is a change in percent with its sign; what rounds to nothing has a plus.
func signed(r model.Ratio) string {
	return fmt.Sprintf("%+.1f", math.Round(float64(r)*1000)/10+0)
}

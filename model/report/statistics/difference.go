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

// Difference is how far the mean of a sample lies from that of the one it is measured
// against, as a ratio to that one's mean.
type Difference struct {
	// N is how many values the smaller sample has.
	N int
	// Change is the difference of the means; absent where there is no value, or where the
	// mean that it is measured against is 0.
	Change model.Opt[model.Ratio]
	// Interval is the 95 % interval of Change, by Welch: the samples may spread
	// differently. The mean that it is measured against is taken as it is. Absent below
	// Fewest values a side.
	Interval model.Opt[Interval]
}

// Interval is what a true value lies in with the confidence that stands beside it.
type Interval struct{ Low, High model.Ratio }

// Compare measures the mean of b against that of a.
func Compare(a, b Sample) Difference {
	d := Difference{N: min(a.N, b.N)}
	if d.N == 0 || a.Mean == 0 {
		return d
	}
	change := b.Mean - a.Mean
	d.Change = model.Some(model.Ratio(change / a.Mean))
	if d.N >= Fewest {
		margin := welchMargin(a, b)
		low, high := (change-margin)/a.Mean, (change+margin)/a.Mean
		d.Interval = model.Some(Interval{model.Ratio(min(low, high)), model.Ratio(max(low, high))})
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

// Words says what was found of a quantity that was measured in runs, or in what one and
// many call them: "-8.2 % (-9.7 to -6.6)".
func (d Difference) Words(one, many string) string {
	i, measured := d.Interval.Get()
	change, known := d.Change.Get()
	switch {
	case d.N < Fewest:
		return model.FormatCounted(d.N, one, many) + ": too few to tell"
	case !known || !measured:
		return "no difference can be told: a mean is 0"
	}
	words := fmt.Sprintf("%s %% (%s to %s)", signed(change), signed(i.Low), signed(i.High))
	if !d.Found() {
		return "no difference found: " + words
	}
	return words
}

// signed is a change in percent with its sign; what rounds to nothing has a plus.
func signed(r model.Ratio) string {
	return fmt.Sprintf("%+.1f", math.Round(float64(r)*1000)/10+0)
}

// Package statistics tells what measurements say: what a sample of them looks like, and
// whether two samples differ by more than chance. Values are finite and have whatever
// unit they were measured in.
package statistics

import (
	"slices"

	"example.com/vacscope/model"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Summary describes a sample of at least one value, in the unit of its values.
type Summary struct {
	N                             int
	Total, Mean, Median, Min, Max float64
	// StdDev is the sample standard deviation (divided by N - 1); absent for one value.
	StdDev model.Opt[float64]
	// P95 and P99 are the values that 95 % and 99 % of the sample do not exceed; absent
	// where the sample is too small to hold them: below 20 and 100 values.
	P95, P99 model.Opt[float64]
}

// Summarize describes a sample; absent when there is no value.
func Summarize(values []float64) model.Opt[Summary] {
	n := len(values)
	if n == 0 {
		return model.None[Summary]()
	}
	sorted := slices.Sorted(slices.Values(values))
	s := Summary{
		N: n, Total: floats.Sum(values), Mean: stat.Mean(values, nil), Median: median(sorted),
		Min: sorted[0], Max: sorted[n-1],
		P95: percentile(sorted, 95), P99: percentile(sorted, 99),
	}
	if n > 1 {
		s.StdDev = model.Some(stat.StdDev(values, nil))
	}
	return model.Some(s)
}

// median is the middle of a sorted sample, between its two middle values where N is even.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// percentile is the smallest value of a sorted sample that p percent of it do not exceed;
// absent where less than one value lies above it.
func percentile(sorted []float64, p int) model.Opt[float64] {
	if len(sorted)*(100-p) < 100 {
		return model.None[float64]()
	}
	return model.Some(stat.Quantile(float64(p)/100, stat.Empirical, sorted, nil))
}

// Sample is what of the summary a comparison of means takes.
func (s Summary) Sample() Sample {
	return Sample{N: s.N, Mean: s.Mean, StdDev: s.StdDev.Or(0)}
}

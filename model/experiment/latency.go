package experiment

import (
	"cmp"
	"math"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Latency is how long statements took: over a run, and in slices of it, so that windows
// can be told afterwards. It keeps counts, not values: at most mostSlices slices of a few
// kB each, however long the run.
type Latency struct {
	From   time.Time     // when the first slice begins
	Slice  time.Duration // how long a slice is
	Slices []Histogram
}

// WindowOf is how long a window of a run is: 60 s, and at most a fifth of the run.
func WindowOf(run time.Duration) time.Duration { return min(time.Minute, run/5) }

// slicesInWindow is how finely a window's begin and end can be placed, and mostSlices how
// many are kept: of a run of 24 h a window then has three.
const slicesInWindow, mostSlices = 6, 4320

// NewLatency measures a run that begins at from and lasts that long; 0: that is not known.
func NewLatency(from time.Time, run time.Duration) Latency {
	slice := max(100*time.Millisecond, WindowOf(run)/slicesInWindow, run/mostSlices)
	if run == 0 {
		slice = time.Second
	}
	return Latency{From: from, Slice: slice}
}

// Add counts a statement that was due at a time. One before From counts as of the first
// slice.
func (l *Latency) Add(due time.Time, took time.Duration) {
	at := max(0, int(due.Sub(l.From)/l.Slice))
	for len(l.Slices) <= at {
		l.Slices = append(l.Slices, Histogram{})
	}
	l.Slices[at].Add(took)
}

// Whole is the latency over the run.
func (l Latency) Whole() Histogram { return merged(l.Slices) }

// Between is the latency of statements that were due in a part of the run: in its slices
// from the one in which the part begins to that in which it ends, which belongs to what
// comes after.
func (l Latency) Between(from, to time.Time) Histogram {
	if l.Slice <= 0 || !to.After(l.From) {
		return Histogram{}
	}
	first := max(0, int(from.Sub(l.From)/l.Slice))
	last := min(len(l.Slices), max(first+1, int(to.Sub(l.From)/l.Slice)))
	if first >= last {
		return Histogram{}
	}
	return merged(l.Slices[first:last])
}

// Window is the latency before, during and after a vacuum.
type Window struct {
	Vacuum                Vacuum
	Before, During, After Histogram
}

// Windows are those around each aggressive vacuum of a run. During is from its start to
// its end.
func (r Run) Windows() []Window {
	around := WindowOf(r.Duration)
	var out []Window
	for _, v := range r.Vacuums {
		if v.Thorough() {
			out = append(out, Window{
				v, r.Latency.Between(v.Start.Add(-around), v.Start), r.Latency.Between(v.Start, v.End), r.Latency.Between(v.End, v.End.Add(around)),
			})
		}
	}
	return out
}

// Around is the latency around the aggressive vacuums of all runs of a side that are
// compared, and how many vacuums these are.
func (s Side) Around() (before, during, after Histogram, vacuums int) {
	for _, r := range s.Compared() {
		for _, w := range r.Windows() {
			before, during, after = merged([]Histogram{before, w.Before}), merged([]Histogram{during, w.During}), merged([]Histogram{after, w.After})
			vacuums++
		}
	}
	return before, during, after, vacuums
}

// Histogram counts durations in buckets that are 2 % wide. The zero Histogram is empty.
type Histogram struct {
	Buckets []Bucket // ascending
	N       int64
	Max     time.Duration
}

// Bucket is how many durations fell into one bucket.
type Bucket struct {
	Index uint16
	Count uint32
}

const bucketWidth = 1.02

// Add counts a duration.
func (h *Histogram) Add(d time.Duration) {
	h.count(Bucket{bucketOf(d), 1})
	h.N++
	h.Max = max(h.Max, d)
}

func (h *Histogram) count(b Bucket) {
	i, found := slices.BinarySearchFunc(h.Buckets, b.Index, func(x Bucket, index uint16) int { return cmp.Compare(x.Index, index) })
	if !found {
		h.Buckets = slices.Insert(h.Buckets, i, Bucket{Index: b.Index})
	}
	h.Buckets[i].Count += b.Count
}

// bucketOf is the bucket of a duration; the first one holds all up to a microsecond.
func bucketOf(d time.Duration) uint16 {
	if d <= time.Microsecond {
		return 0
	}
	return uint16(math.Ceil(math.Log(float64(d)/float64(time.Microsecond)) / math.Log(bucketWidth)))
}

// Percentile is what p percent of the durations do not exceed, to 2 %; absent where less
// than one lies above it.
func (h Histogram) Percentile(p int) model.Opt[time.Duration] {
	if h.N*int64(100-p) < 100 {
		return model.None[time.Duration]()
	}
	left := (h.N*int64(p) + 99) / 100
	for _, b := range h.Buckets {
		if left -= int64(b.Count); left <= 0 {
			upper := time.Duration(math.Pow(bucketWidth, float64(b.Index)) * float64(time.Microsecond))
			return model.Some(min(upper, h.Max))
		}
	}
	return model.Some(h.Max)
}

// merged is what several histograms count together.
func merged(all []Histogram) Histogram {
	var out Histogram
	for _, h := range all {
		for _, b := range h.Buckets {
			out.count(b)
		}
		out.N += h.N
		out.Max = max(out.Max, h.Max)
	}
	return out
}

// Durations are how long pieces of work took that are longer than a statement.
type Durations struct {
	What string // "COPY"
	Each []time.Duration
}

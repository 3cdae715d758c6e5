package report

import (
	"cmp"
	"math"
	"slices"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report/statistics"
)

// Kind is what kind of thing is measured.
type Kind string

// The kinds of quantities, in the order of a comparison.
const (
	KindTime         Kind = "time"          // on the wall
	KindProcessTime  Kind = "process time"  // the time of all processes
	KindDelay        Kind = "delay"         // asleep on purpose, as the server reports it
	KindSampledDelay Kind = "sampled delay" // the same, estimated from samples
	KindSamples      Kind = "samples"       // of the leader or the workers in one wait event
	KindPasses       Kind = "index passes"
	KindAsked        Kind = "workers asked"
	KindPlanned      Kind = "workers planned"
	KindLaunched     Kind = "workers launched"
	// What the server itself says that it cost, of runs that were started with VERBOSE.
	KindWALBytes       Kind = "WAL"
	KindWALRecords     Kind = "WAL records"
	KindFullPages      Kind = "full page images"
	KindBuffersHit     Kind = "buffers hit"
	KindBuffersRead    Kind = "buffers read"
	KindBuffersDirtied Kind = "buffers dirtied"
)

// The kinds that are of whole runs only.
var (
	workerKinds = []Kind{KindPasses, KindAsked, KindPlanned, KindLaunched}
	impactKinds = []Kind{KindWALBytes, KindWALRecords, KindFullPages, KindBuffersHit, KindBuffersRead, KindBuffersDirtied}
)

// Unit is the unit of a quantity's values.
type Unit string

// The units of quantities.
const (
	UnitSeconds Unit = "s"
	UnitCount   Unit = ""
	UnitBytes   Unit = "B"
)

// Key says what a quantity is of.
type Key struct {
	Kind  Kind
	Phase model.Text // "": the whole run
	// Workers and Event are of KindSamples: whose samples they are, and in which wait
	// event, as PhaseSamples names it.
	Workers bool
	Event   string
}

// Quantity is something that was measured on both sides. A side has its values as far as
// its runs have one.
type Quantity struct {
	Key
	Unit Unit
	A, B model.Opt[statistics.Summary] // in Unit; absent where no run of the side has a value
	// Difference is that of the means, B against A.
	Difference statistics.Difference
	// Share is how large the difference of the means is against the whole of A: its time
	// or, for what is of processes, its process-time. Absent where that is not known.
	Share model.Opt[model.Ratio]
	// Uncertain is what the difference is known to at best, in Unit.
	Uncertain float64
	// SameRate tells, of samples, that both sides were sampled as often: their counts can be
	// laid beside each other.
	SameRate bool
	// Standing is, for samples, the difference of the times that they stand for, in
	// seconds; absent for others.
	Standing model.Opt[float64]
}

// quantities are what the runs of two sides measured.
func quantities(a, b Side) []Quantity {
	c := measuring{a, b}
	var out []Quantity
	add := func(unit Unit, whole Kind, k Key) {
		if q := c.quantity(unit, whole, k); q.A.Known() || q.B.Known() {
			out = append(out, q)
		}
	}
	phases := append(c.phases(), "")
	for _, kind := range []Kind{KindTime, KindProcessTime, KindDelay, KindSampledDelay} {
		whole := KindProcessTime
		if kind == KindTime {
			whole = KindTime
		}
		for _, phase := range phases {
			add(UnitSeconds, whole, Key{Kind: kind, Phase: phase})
		}
	}
	for _, phase := range phases {
		out = append(out, c.samples(phase)...)
	}
	for _, kind := range slices.Concat(workerKinds, impactKinds) {
		unit := UnitCount
		if kind == KindWALBytes {
			unit = UnitBytes
		}
		add(unit, kind, Key{Kind: kind})
	}
	return out
}

// measuring is two sides being measured.
type measuring struct{ a, b Side }

// quantity is one quantity of both sides. whole is the kind of which the whole run's value
// is what its difference is measured against.
func (m measuring) quantity(unit Unit, whole Kind, k Key) Quantity {
	a, b := m.a.values(k), m.b.values(k)
	q := Quantity{Key: k, Unit: unit, A: statistics.Summarize(a), B: statistics.Summarize(b)}
	va, _ := q.A.Get()
	vb, _ := q.B.Get()
	q.Difference = statistics.Compare(va.Sample(), vb.Sample())
	if change, known := q.Difference.Change.Get(); known {
		q.Share = m.share(change, whole)
	}
	if k.Kind == KindTime {
		q.Uncertain = m.a.uncertain(k.Phase) + m.b.uncertain(k.Phase)
	}
	return q
}

// share is how large a difference is against the whole of A.
func (m measuring) share(change float64, whole Kind) model.Opt[model.Ratio] {
	all, known := statistics.Summarize(m.a.values(Key{Kind: whole})).Get()
	switch {
	case !known:
		return model.None[model.Ratio]()
	case all.Mean == 0 && change != 0:
		return model.Some[model.Ratio](1) // there was nothing of it
	case all.Mean == 0:
		return model.Some[model.Ratio](0)
	}
	return model.Some(model.Ratio(math.Abs(change) / all.Mean))
}

// phases are those of both sides, in their order: one that only B has stands behind the
// one that it follows there.
func (m measuring) phases() []model.Text {
	var out []model.Text
	for _, r := range slices.Concat(m.a.Runs, m.b.Runs) {
		at := 0
		for _, phase := range r.Phases.Totals {
			i := slices.Index(out, phase.Phase)
			if i < 0 {
				i = at
				out = slices.Insert(out, at, phase.Phase)
			}
			at = i + 1
		}
	}
	return out
}

// sameRate tells whether a sample stands for the same time on both sides, to 5 %.
func (m measuring) sameRate() bool {
	a, b := m.a.perSample(), m.b.perSample()
	return math.Abs(a-b) <= 0.05*a
}

// samples are the quantities of the wait events in a phase, the largest difference first.
func (m measuring) samples(phase model.Text) []Quantity {
	var keys []Key
	for _, r := range slices.Concat(m.a.Runs, m.b.Runs) {
		for _, w := range r.Samples.of(phase).Waits {
			if !slices.ContainsFunc(keys, func(k Key) bool { return k.covers(w) }) {
				keys = append(keys, Key{KindSamples, phase, w.LeaderPID.Known(), w.Name})
			}
		}
	}
	var out []Quantity
	sameRate := m.sameRate()
	for _, k := range keys {
		q := m.quantity(UnitCount, "", k)
		q.SameRate = sameRate
		a, knownA := statistics.Summarize(m.a.standing(k)).Get()
		b, knownB := statistics.Summarize(m.b.standing(k)).Get()
		if knownA && knownB {
			q.Standing = model.Some(b.Mean - a.Mean)
			q.Share = m.share(b.Mean-a.Mean, KindProcessTime)
		}
		out = append(out, q)
	}
	slices.SortStableFunc(out, func(x, y Quantity) int { return cmp.Compare(y.Share.Or(0), x.Share.Or(0)) })
	return out
}

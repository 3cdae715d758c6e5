package experiment

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// Unit is the unit of a quantity's values.
type Unit string

// The units of quantities.
const (
	UnitSeconds      Unit = "s"
	UnitMilliseconds Unit = "ms"
	UnitCount        Unit = "count"
	UnitBytes        Unit = "bytes"
	UnitShare        Unit = "share" // 1 is the whole
)

// Quantity is something that a run has one value of.
type Quantity struct {
	Group Group
	Name  string
	Unit  Unit
	Of    func(Run) model.Opt[float64]
}

// Group is what quantities belong together.
type Group string

// The groups, in the order of a report.
const (
	GroupTime    Group = "run"
	GroupVacuum  Group = "vacuum"
	GroupLatency Group = "latency"
	GroupWAL     Group = "wal"
	GroupIO      Group = "io"
	GroupRows    Group = "rows"
	GroupWaits   Group = "waits"
)

// Groups are all groups, in the order of a report.
func Groups() []Group {
	return []Group{GroupTime, GroupVacuum, GroupLatency, GroupWAL, GroupIO, GroupRows, GroupWaits}
}

// Quantities are those of which a run has a value, in the order of their groups.
func (l Lab) Quantities() []Quantity {
	all := slices.Concat(l.timeQuantities(), vacuumQuantities(), latencyQuantities(), walQuantities(), l.walBackendQuantities(), ioQuantities(l.ioFrom()), rowQuantities(), l.waitQuantities())
	return slices.DeleteFunc(all, func(q Quantity) bool { return !l.any(func(r Run) bool { return q.Of(r).Known() }) })
}

// any tells whether something is true of a run that is compared.
func (l Lab) any(is func(Run) bool) bool {
	return slices.ContainsFunc(l.Sides, func(s Side) bool { return slices.ContainsFunc(s.Compared(), is) })
}

// each are the texts that runs have, each once, in order.
func (l Lab) each(of func(Run) []string) []string {
	var out []string
	for _, s := range l.Sides {
		for _, r := range s.Compared() {
			for _, text := range of(r) {
				if !slices.Contains(out, text) {
					out = append(out, text)
				}
			}
		}
	}
	return out
}

// timeQuantities are how long it took, of a workload that ends by itself.
func (l Lab) timeQuantities() []Quantity {
	if l.Duration > 0 {
		return nil
	}
	return []Quantity{{GroupTime, "length of the run", UnitSeconds, func(r Run) model.Opt[float64] { return model.Some(r.Duration.Seconds()) }}}
}

func vacuumQuantities() []Quantity {
	counted := func(kind VacuumKind) func(Run) model.Opt[float64] {
		return func(r Run) model.Opt[float64] {
			count := r.Vacuuming().Count
			return ifKnown(r.VacuumsFrom != "" && (count[kind] > 0 || count[""] == 0), float64(count[kind]))
		}
	}
	return []Quantity{
		{GroupVacuum, "normal vacuums", UnitCount, counted(VacuumNormal)},
		{GroupVacuum, "aggressive vacuums", UnitCount, counted(VacuumAggressive)},
		{GroupVacuum, "failsafe vacuums", UnitCount, counted(VacuumFailsafe)},
		{GroupVacuum, "vacuums of a kind that is not known", UnitCount, func(r Run) model.Opt[float64] {
			n := r.Vacuuming().Count[""]
			return ifKnown(n > 0, float64(n))
		}},
		{GroupVacuum, "length of the first aggressive vacuum", UnitSeconds, func(r Run) model.Opt[float64] {
			first, found := r.FirstAggressive().Get()
			return ifKnown(found, first.Lasted().Seconds())
		}},
		{GroupVacuum, "time vacuuming, sum", UnitSeconds, func(r Run) model.Opt[float64] {
			return ifKnown(r.VacuumsFrom != "", r.Vacuuming().Sum.Seconds())
		}},
		{GroupVacuum, "time vacuuming, union", UnitSeconds, func(r Run) model.Opt[float64] {
			return ifKnown(r.VacuumsFrom != "", r.Vacuuming().Union.Seconds())
		}},
		{GroupVacuum, "share of the run vacuuming", UnitShare, func(r Run) model.Opt[float64] {
			share := r.Vacuuming().Share(r.Duration)
			return ifKnown(r.VacuumsFrom != "" && share.Known(), float64(share.Or(0)))
		}},
		{GroupVacuum, "pages frozen by vacuum", UnitCount, func(r Run) model.Opt[float64] { return number(r.Pages.Frozen) }},
		{GroupVacuum, "tuples frozen by vacuum", UnitCount, func(r Run) model.Opt[float64] { return number(r.Pages.TuplesFrozen) }},
		{GroupVacuum, "~ tuples pruned on access", UnitCount, func(r Run) model.Opt[float64] { return number(r.Pages.TuplesPrunedOnAccess) }},
	}
}

func latencyQuantities() []Quantity {
	percentile := func(p int) func(Run) model.Opt[float64] {
		return func(r Run) model.Opt[float64] { return milliseconds(r.Latency.Whole().Percentile(p)) }
	}
	return []Quantity{
		{GroupLatency, "statements", UnitCount, func(r Run) model.Opt[float64] {
			n := r.Latency.Whole().N
			return ifKnown(n > 0, float64(n))
		}},
		{GroupLatency, "P50", UnitMilliseconds, percentile(50)},
		{GroupLatency, "P95", UnitMilliseconds, percentile(95)},
		{GroupLatency, "P99", UnitMilliseconds, percentile(99)},
		{GroupLatency, "max", UnitMilliseconds, func(r Run) model.Opt[float64] {
			whole := r.Latency.Whole()
			return ifKnown(whole.N > 0, model.InMilliseconds(whole.Max))
		}},
	}
}

func walQuantities() []Quantity {
	return []Quantity{
		{GroupWAL, "WAL", UnitBytes, func(r Run) model.Opt[float64] { return number(r.WAL.Bytes) }},
		{GroupWAL, "WAL records", UnitCount, func(r Run) model.Opt[float64] { return number(r.WAL.Records) }},
		{GroupWAL, "full page images", UnitCount, func(r Run) model.Opt[float64] { return number(r.WAL.FullPageImages) }},
	}
}

// walBackendQuantities are the WAL files' I/O of each type of backend.
func (l Lab) walBackendQuantities() []Quantity {
	var out []Quantity
	for _, backend := range l.each(func(r Run) []string { return texts(r.WALBackends, func(b WALBackend) string { return b.Backend }) }) {
		of := func(r Run) WALBackend {
			i := slices.IndexFunc(r.WALBackends, func(b WALBackend) bool { return b.Backend == backend })
			switch {
			case i >= 0:
				return r.WALBackends[i]
			case len(r.WALBackends) > 0: // others did it all
				return WALBackend{Initialised: model.Some[model.Bytes](0), Written: model.Some[model.Bytes](0)}
			}
			return WALBackend{}
		}
		out = append(out,
			Quantity{GroupWAL, "initialised by " + backend, UnitBytes, func(r Run) model.Opt[float64] { return number(of(r).Initialised) }},
			Quantity{GroupWAL, "written by " + backend, UnitBytes, func(r Run) model.Opt[float64] { return number(of(r).Written) }})
	}
	return out
}

// ioFrom names the views that I/O was read from.
func (l Lab) ioFrom() string {
	return strings.Join(l.each(func(r Run) []string { return []string{r.IO.From} }), ", ")
}

func ioQuantities(from string) []Quantity {
	source := ""
	if from != "" && from != "pg_stat_io" {
		source = " (" + from + ")"
	}
	return []Quantity{
		{GroupIO, "writes by checkpointer and background writer" + source, UnitCount, func(r Run) model.Opt[float64] { return number(r.IO.CheckpointerWriter) }},
		{GroupIO, "other writes" + source, UnitCount, func(r Run) model.Opt[float64] { return number(r.IO.OtherWrites) }},
		{GroupIO, "other reads" + source, UnitCount, func(r Run) model.Opt[float64] { return number(r.IO.OtherReads) }},
		{GroupIO, "I/O time of autovacuum", UnitSeconds, func(r Run) model.Opt[float64] {
			t, known := r.IO.AutovacuumTime.Get()
			return ifKnown(known, t.Seconds())
		}},
	}
}

func rowQuantities() []Quantity {
	count := func(of func(Rows) int64) func(Run) model.Opt[float64] {
		return func(r Run) model.Opt[float64] { return ifKnown(r.Rows != Rows{}, float64(of(r.Rows))) }
	}
	return []Quantity{
		{GroupRows, "rows inserted", UnitCount, count(func(r Rows) int64 { return r.Inserted })},
		{GroupRows, "rows updated", UnitCount, count(func(r Rows) int64 { return r.Updated })},
		{GroupRows, "of them HOT", UnitShare, func(r Run) model.Opt[float64] { return number(r.Rows.HOT()) }},
		{GroupRows, "rows deleted", UnitCount, count(func(r Rows) int64 { return r.Deleted })},
	}
}

// OnCPU is what the samples of a backend that waits for nothing are called.
const OnCPU = "CPU"

// kind is the type of a wait; OnCPU for none.
func (w Wait) kind() string { return cmp.Or(w.Type, OnCPU) }

// waitQuantities are the samples of each type of wait, by its name.
func (l Lab) waitQuantities() []Quantity {
	samples := func(kind string) func(Run) model.Opt[float64] {
		return func(r Run) model.Opt[float64] {
			n := 0
			for _, w := range r.Waits {
				if w.kind() == kind {
					n += w.Samples
				}
			}
			return ifKnown(r.WaitInterval > 0, float64(n))
		}
	}
	var out []Quantity
	for _, kind := range slices.Sorted(slices.Values(l.each(func(r Run) []string { return texts(r.Waits, Wait.kind) }))) {
		out = append(out, Quantity{GroupWaits, kind, UnitCount, samples(kind)})
	}
	return out
}

func texts[T any](all []T, text func(T) string) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = text(v)
	}
	return out
}

func ifKnown(known bool, v float64) model.Opt[float64] {
	if !known {
		return model.None[float64]()
	}
	return model.Some(v)
}

// number is a number of any kind that may be absent.
func number[N ~int64 | ~float64](n model.Opt[N]) model.Opt[float64] {
	v, known := n.Get()
	return ifKnown(known, float64(v))
}

func milliseconds(d model.Opt[time.Duration]) model.Opt[float64] {
	v, known := d.Get()
	return ifKnown(known, model.InMilliseconds(v))
}

package report

import (
	"io"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/model/report/statistics"
)

// The name and version of the document of an experiment, as reportFormat and
// reportFormatVersion.
const (
	labFormat        = "vacscope.lab"
	labFormatVersion = 1
)

// labDocument is the JSON form of an experiment. Every key is always there; what is not
// known is null.
type labDocument struct {
	Format        string             `json:"format"`
	FormatVersion int                `json:"format_version"`
	Workload      string             `json:"workload"`
	Command       []string           `json:"command"`
	Options       []string           `json:"options"`
	Clients       int                `json:"clients"`
	DurationMS    model.Opt[float64] `json:"duration_ms"` // null: it ends by itself
	Scale         float64            `json:"scale"`
	Seed          uint64             `json:"seed"`
	Settings      []string           `json:"settings"`   // of the servers of all sides
	Conditions    []string           `json:"conditions"` // to be known before any number is read
	Remarks       []string           `json:"remarks"`    // on single runs
	Sides         []labSideObject    `json:"sides"`
	Quantities    []labRecord        `json:"quantities"`
	Durations     []labRecord        `json:"durations"` // of pieces of work, all runs of a side together
	Reports       []labReportObject  `json:"reports"`   // on the vacuums that were watched, of each side
}

type labReportObject struct {
	Side string      `json:"side"`
	Runs []runObject `json:"runs"`
}

type labSideObject struct {
	Side            string            `json:"side"`
	Settings        []string          `json:"settings"`
	Version         string            `json:"version"`
	Configure       model.Opt[string] `json:"configure"`
	DebugAssertions bool              `json:"debug_assertions"`
	Fsync           bool              `json:"fsync"`
	FullPageWrites  bool              `json:"full_page_writes"`
	Runs            []labRunObject    `json:"runs"`
}

type labRunObject struct {
	Run        int                           `json:"run"` // in which place it was run, from 1
	StartedAt  timestamp                     `json:"started_at"`
	DurationMS float64                       `json:"duration_ms"`
	CutShort   bool                          `json:"cut_short"`
	Values     map[string]model.Opt[float64] `json:"values"` // of the quantities, by name
	Vacuums    []labVacuumObject             `json:"vacuums"`
	Windows    []labWindowObject             `json:"windows"` // latency around aggressive vacuums
	Waits      []labWaitObject               `json:"waits"`
}

type labVacuumObject struct {
	Table        string           `json:"table"`
	StartedAt    timestamp        `json:"started_at"`
	ElapsedMS    float64          `json:"elapsed_ms"`
	Mode         string           `json:"mode"`
	StartedBy    string           `json:"started_by"`
	PagesFrozen  model.Opt[int64] `json:"pages_frozen"`
	TuplesFrozen model.Opt[int64] `json:"tuples_frozen"`
}

type labWindowObject struct {
	Table     string             `json:"table"`
	StartedAt timestamp          `json:"vacuum_started_at"`
	When      string             `json:"when"` // before, during, after
	N         int64              `json:"n"`
	P50       model.Opt[float64] `json:"p50_ms"`
	P95       model.Opt[float64] `json:"p95_ms"`
	P99       model.Opt[float64] `json:"p99_ms"`
	Max       float64            `json:"max_ms"`
}

type labWaitObject struct {
	Backend string            `json:"backend_type"`
	Type    model.Opt[string] `json:"wait_event_type"` // null: on the CPU
	Event   model.Opt[string] `json:"wait_event"`
	Samples int               `json:"samples"`
}

// labRecord is a quantity of one side, on one line. Its difference is that from the first
// side.
type labRecord struct {
	Group    string `json:"group"`
	Quantity string `json:"quantity"`
	Unit     string `json:"unit"` // ms, bytes, count, share
	Side     string `json:"side"`
	summaryRecord
	differenceRecord
}

// WriteLabJSON writes what an experiment measured as one document, with the reports on the
// vacuums that were watched, of each side.
func WriteLabJSON(w io.Writer, l experiment.Lab, watched []Report) error {
	quantities := l.Quantities()
	d := labDocument{
		Format: labFormat, FormatVersion: labFormatVersion, Workload: l.Workload, Command: orEmpty(l.Command), Options: orEmpty(l.Options),
		Clients: l.Clients, DurationMS: someIf(l.Duration > 0, milliseconds(l.Duration)), Scale: l.Scale, Seed: l.Seed,
		Settings: orEmpty(l.Settings), Conditions: orEmpty(l.Conditions()), Remarks: orEmpty(l.Remarks()),
		Sides:      each(l.Sides, func(s experiment.Side) labSideObject { return newLabSide(s, quantities) }),
		Quantities: labRecords(l), Durations: labDurationRecords(l), Reports: []labReportObject{},
	}
	for i, r := range watched {
		d.Reports = append(d.Reports, labReportObject{l.Sides[i].Name, each(r.Runs, func(r RunReport) runObject { return newRunObject(&r) })})
	}
	return writeDocument(w, d)
}

// WriteLabCSV writes the quantities of an experiment as one table, a line for each and
// each side, and those of durations behind them.
func WriteLabCSV(w io.Writer, l experiment.Lab) error {
	table := tableOf(append(labRecords(l), labDurationRecords(l)...))
	return writeTables(w, "", table.heads, []csvTable{table})
}

func newLabSide(s experiment.Side, quantities []experiment.Quantity) labSideObject {
	p := s.Programs
	return labSideObject{
		Side: s.Name, Settings: orEmpty(s.Settings), Version: p.Version, Configure: p.Configure, DebugAssertions: p.DebugAssertions,
		Fsync: p.Fsync, FullPageWrites: p.FullPageWrites,
		Runs: each(s.Runs, func(r experiment.Run) labRunObject { return newLabRun(r, quantities) }),
	}
}

func newLabRun(r experiment.Run, quantities []experiment.Quantity) labRunObject {
	out := labRunObject{
		Run: r.Number, StartedAt: timestamp(r.At), DurationMS: milliseconds(r.Duration), CutShort: r.Cut, Values: map[string]model.Opt[float64]{},
		Vacuums: each(r.Vacuums, func(v experiment.Vacuum) labVacuumObject {
			return labVacuumObject{v.Table, timestamp(v.Start), milliseconds(v.Lasted()), string(v.Kind), v.StartedBy, v.PagesFrozen, v.TuplesFrozen}
		}),
		Windows: []labWindowObject{},
		Waits: each(r.Waits, func(x experiment.Wait) labWaitObject {
			return labWaitObject{x.Backend, unlessZero(x.Type), unlessZero(x.Event), x.Samples}
		}),
	}
	for _, q := range quantities {
		out.Values[string(q.Group)+": "+q.Name] = mapped(q.Of(r), labScale(q.Unit).value)
	}
	for _, w := range r.Windows() {
		of := func(when string, h experiment.Histogram) labWindowObject {
			p := func(percent int) model.Opt[float64] { return mapped(h.Percentile(percent), milliseconds) }
			return labWindowObject{w.Vacuum.Table, timestamp(w.Vacuum.Start), when, h.N, p(50), p(95), p(99), milliseconds(h.Max)}
		}
		out.Windows = append(out.Windows, of("before", w.Before), of("during", w.During), of("after", w.After))
	}
	return out
}

// labScale is that of a unit: times are in milliseconds in documents.
func labScale(u experiment.Unit) unitScale {
	if u == experiment.UnitSeconds {
		return unitScale{"ms", float64(time.Second / time.Millisecond)}
	}
	return unitScale{string(u), 1}
}

func labRecords(l experiment.Lab) []labRecord {
	out := []labRecord{}
	for _, q := range measureLab(l) {
		scale := labScale(q.Unit)
		for i, side := range q.Sides {
			summary, known := mapped(side, scale.summary).Get()
			if !known {
				continue
			}
			r := labRecord{Group: string(q.Group), Quantity: q.Name, Unit: scale.unit, Side: l.Sides[i].Name, summaryRecord: summary}
			if i > 0 {
				r.differenceRecord = scale.difference(q.difference(i))
			}
			out = append(out, r)
		}
	}
	return out
}

func labDurationRecords(l experiment.Lab) []labRecord {
	out := []labRecord{}
	scale := unitScale{unit: "ms", by: 1}
	for _, what := range durationsOf(l) {
		d := pooled(l, what)
		for _, s := range d.Summaries() {
			out = append(out, labRecord{
				Group: "durations", Quantity: what, Unit: scale.unit, Side: string(s.Name), summaryRecord: scale.summary(s.Summary),
				differenceRecord: scale.difference(s.Difference.Or(statistics.Difference{})),
			})
		}
	}
	return out
}

func orEmpty(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

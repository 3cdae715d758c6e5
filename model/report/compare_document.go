package report

import (
	"io"
	"math"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report/statistics"
)

// The names and versions of the documents of comparisons and of durations, as
// reportFormat and reportFormatVersion.
const (
	comparisonFormat        = "vacscope.comparison"
	comparisonFormatVersion = 1
	durationsFormat         = "vacscope.durations"
	durationsFormatVersion  = 1
)

// comparisonDocument is the JSON form of comparisons. Every key is always there; what is
// not known is null.
type comparisonDocument struct {
	Format        string             `json:"format"`
	FormatVersion int                `json:"format_version"`
	Comparisons   []comparisonObject `json:"comparisons"`
}

type comparisonObject struct {
	A            sideObject          `json:"a"`
	B            sideObject          `json:"b"`
	Conditions   []conditionObject   `json:"conditions"`
	Quantities   []quantityObject    `json:"quantities"`
	Observations []observationObject `json:"observations"` // the largest difference first
}

type sideObject struct {
	Runs    []comparedRun `json:"runs"`
	LeftOut []comparedRun `json:"left_out"`
}

type comparedRun struct {
	File string `json:"file"` // "" for a stream that is no recording
	runRecord
}

type conditionObject struct {
	What string `json:"what"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// quantityRecord is a quantity on one line: what of it a table needs.
type quantityRecord struct {
	Kind      string             `json:"kind"`
	Phase     model.Opt[string]  `json:"phase"`     // null: the whole run
	Processes model.Opt[string]  `json:"processes"` // of samples: leader, workers
	Event     model.Opt[string]  `json:"wait_event"`
	Unit      string             `json:"unit"` // ms, bytes, count
	AN        int                `json:"a_n"`
	AMean     model.Opt[float64] `json:"a_mean"`
	AStdDev   model.Opt[float64] `json:"a_stddev"`
	BN        int                `json:"b_n"`
	BMean     model.Opt[float64] `json:"b_mean"`
	BStdDev   model.Opt[float64] `json:"b_stddev"`
	differenceRecord
	OfWhole    model.Opt[float64] `json:"share_of_whole"`
	StandingMS model.Opt[float64] `json:"samples_stand_for_ms"` // what the change of samples stands for
}

// differenceRecord is a difference of means, B - A, in the unit of its quantity; low and
// high are the ends of its 95 % interval.
type differenceRecord struct {
	Change model.Opt[float64] `json:"change"`
	Ratio  model.Opt[float64] `json:"change_ratio"`
	Low    model.Opt[float64] `json:"change_low"`
	High   model.Opt[float64] `json:"change_high"`
	Found  model.Opt[bool]    `json:"difference_found"` // null: too few to tell
}

// quantityObject is a quantity with the statistics of its sides; null for a side without.
type quantityObject struct {
	quantityRecord
	A model.Opt[summaryRecord] `json:"a"`
	B model.Opt[summaryRecord] `json:"b"`
}

// summaryRecord describes a sample in the unit of its quantity.
type summaryRecord struct {
	N      int                `json:"n"`
	Total  float64            `json:"total"`
	Mean   float64            `json:"mean"`
	Median float64            `json:"median"`
	Min    float64            `json:"min"`
	P95    model.Opt[float64] `json:"p95"`
	P99    model.Opt[float64] `json:"p99"`
	Max    float64            `json:"max"`
	StdDev model.Opt[float64] `json:"stddev"`
}

type observationObject struct {
	Text string `json:"text"`
	quantityRecord
}

// durationsDocument is the JSON form of durations.
type durationsDocument struct {
	Format        string           `json:"format"`
	FormatVersion int              `json:"format_version"`
	Sides         []durationRecord `json:"sides"`
	Without       int              `json:"transactions_without_duration"`
}

// durationRecord is one side, in milliseconds; its difference is that from the first.
type durationRecord struct {
	Side string `json:"side"`
	summaryRecord
	differenceRecord
	Words model.Opt[string] `json:"difference_words"`
}

// WriteComparisonJSON writes comparisons as one document.
func WriteComparisonJSON(w io.Writer, all []Comparison) error {
	return writeDocument(w, comparisonDocument{comparisonFormat, comparisonFormatVersion, each(all, newComparisonObject)})
}

// WriteComparisonCSV writes the quantities of comparisons as one table with a line of
// heads; the column comparison counts them from 1.
func WriteComparisonCSV(w io.Writer, all []Comparison) error {
	tables := each(all, func(c Comparison) csvTable { return tableOf(each(c.Quantities, newQuantityRecord)) })
	return writeTables(w, "comparison", tableOf([]quantityRecord{}).heads, tables)
}

// WriteDurationsJSON writes what durations say as one document.
func WriteDurationsJSON(w io.Writer, d Durations) error {
	return writeDocument(w, durationsDocument{durationsFormat, durationsFormatVersion, each(d.Summaries(), newDurationRecord), d.Without})
}

// WriteDurationsCSV writes what durations say as a table, a line for each side.
func WriteDurationsCSV(w io.Writer, d Durations) error {
	table := tableOf(each(d.Summaries(), newDurationRecord))
	return writeTables(w, "", table.heads, []csvTable{table})
}

func newComparisonObject(c Comparison) comparisonObject {
	return comparisonObject{
		A: newSideObject(c.A), B: newSideObject(c.B),
		Conditions: each(c.Conditions, func(x Condition) conditionObject { return conditionObject(x) }),
		Quantities: each(c.Quantities, func(q Quantity) quantityObject {
			scale := q.scale()
			return quantityObject{newQuantityRecord(q), mapped(q.A, scale.summary), mapped(q.B, scale.summary)}
		}),
		Observations: each(c.Observations, func(o Observation) observationObject {
			return observationObject{o.Text, newQuantityRecord(o.Quantity)}
		}),
	}
}

func newSideObject(s Side) sideObject {
	record := func(r RunReport) comparedRun { return comparedRun{r.Context.Origin.File, newRunRecord(&r)} }
	return sideObject{each(s.Runs, record), each(s.LeftOut, record)}
}

func newQuantityRecord(q Quantity) quantityRecord {
	scale := q.scale()
	r := quantityRecord{
		Kind: string(q.Kind), Unit: scale.unit, differenceRecord: scale.difference(q.Difference),
		OfWhole:    number(q.Share),
		StandingMS: mapped(q.Standing, func(s float64) float64 { return 1000 * s }),
	}
	if q.Phase != "" {
		r.Phase = model.Some(q.Phase.Display())
	}
	if q.Kind == KindSamples {
		r.Processes, r.Event = model.Some(q.who()), model.Some(q.Event)
	}
	a, b := mapped(q.A, scale.summary).Or(summaryRecord{}), mapped(q.B, scale.summary).Or(summaryRecord{})
	r.AN, r.AMean, r.AStdDev = a.N, someIf(a.N > 0, a.Mean), a.StdDev
	r.BN, r.BMean, r.BStdDev = b.N, someIf(b.N > 0, b.Mean), b.StdDev
	return r
}

func newDurationRecord(s DurationSummary) durationRecord {
	scale := unitScale{unit: "ms", by: 1}
	d, compared := s.Difference.Get()
	r := durationRecord{Side: s.Name.Display(), summaryRecord: scale.summary(s.Summary), differenceRecord: scale.difference(d)}
	if compared {
		r.Words = model.Some(d.Words("value", "values"))
	}
	return r
}

// unitScale turns values into those of a document.
type unitScale struct {
	unit string
	by   float64
}

// scale is that of a quantity: times are in milliseconds in documents.
func (q *Quantity) scale() unitScale {
	switch q.Unit {
	case UnitSeconds:
		return unitScale{"ms", 1000}
	case UnitBytes:
		return unitScale{"bytes", 1}
	}
	return unitScale{"count", 1}
}

// value is a value in the document's unit, to a millionth of it.
func (u unitScale) value(v float64) float64 { return math.Round(1e6*u.by*v) / 1e6 }

func (u unitScale) summary(s statistics.Summary) summaryRecord {
	return summaryRecord{
		N: s.N, Total: u.value(s.Total), Mean: u.value(s.Mean), Median: u.value(s.Median), Min: u.value(s.Min), Max: u.value(s.Max),
		P95: mapped(s.P95, u.value), P99: mapped(s.P99, u.value), StdDev: mapped(s.StdDev, u.value),
	}
}

func (u unitScale) difference(d statistics.Difference) differenceRecord {
	return differenceRecord{
		Change: mapped(d.Change, u.value), Ratio: number(d.Ratio()),
		Low:   mapped(d.Interval, func(i statistics.Interval) float64 { return u.value(i.Low) }),
		High:  mapped(d.Interval, func(i statistics.Interval) float64 { return u.value(i.High) }),
		Found: mapped(d.Interval, func(statistics.Interval) bool { return d.Found() }),
	}
}

// someIf is a value where it is known.
func someIf[T any](known bool, v T) model.Opt[T] {
	if !known {
		return model.None[T]()
	}
	return model.Some(v)
}

package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// seed is a published file.
func seed(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/seeds/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// delayTime is delay-time.json.
type delayTime struct {
	Statement model.Text
	Settings  map[string]model.Text
	Relations []struct {
		Schema, Relation model.Text
		CachedBuffers    int64 `json:"cached_buffers"`
	}
	Runs map[string]postedRun
}

// postedRun is one of its two runs.
type postedRun struct {
	ElapsedMS float64 `json:"elapsed_ms"`
	Phases    []struct {
		Phase     model.Text
		ElapsedMS float64            `json:"cumulative_elapsed_ms"`
		DelayMS   model.Opt[float64] `json:"cumulative_delay_ms"`
	}
	SamplesPhase model.Text `json:"samples_phase"`
	Samples      []postedSamples
	ByMinute     []struct{ Minute, Samples int } `json:"leader_parallel_finish_by_minute"`
}

type postedSamples struct {
	LeaderPID model.Opt[int32] `json:"leader_pid"`
	PID       int32
	WaitEvent model.Text `json:"wait_event"`
	Samples   int
}

func readDelayTime(t *testing.T) delayTime {
	t.Helper()
	var d delayTime
	if err := json.Unmarshal(seed(t, "delay-time.json"), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// posted is the report of one of the posted runs, rebuilt as a recording.
func posted(t *testing.T, which string) RunReport {
	t.Helper()
	d := readDelayTime(t)
	runs := Build(folded(rebuilt{data: d, run: d.Runs[which]}.stream()), Options{}).Runs
	if len(runs) != 1 {
		t.Fatalf("%d runs of %s", len(runs), which)
	}
	return runs[0]
}

// folded is the last snapshot of a stream.
func folded(stream []model.Sample) *model.Snapshot {
	var tracker model.Tracker
	var snap *model.Snapshot
	for _, s := range stream {
		snap = tracker.Step(s)
	}
	return snap
}

// rebuilt makes a recording of a posted run: what watching it would have given, with
// ticks beside each edge and, where samples were posted, one each second.
type rebuilt struct {
	data delayTime
	run  postedRun
}

// postedStart lies so that the last second of the master's index phase is the fourteenth
// of its minute 21.
var postedStart = time.Date(2024, 11, 12, 10, 3, 23, 0, time.UTC)

const (
	besideEdge = 100 * time.Microsecond
	postedBeat = 5 * time.Second
	postedOID  = 16384
)

func (b rebuilt) stream() []model.Sample {
	ticks := b.ticks()
	stream := []model.Sample{b.beat(1, postedStart.Add(-time.Second), nil)}
	stream[0].Poll.Settings = b.settings()
	for len(ticks) > 0 {
		until := postedStart.Add(time.Duration(len(stream)) * postedBeat)
		n := slices.IndexFunc(ticks, func(tick model.Tick) bool { return !tick.At.Before(until) })
		if n < 0 {
			n = len(ticks)
		}
		s := b.beat(uint64(len(stream)+1), until, nil)
		if n > 0 && n < len(ticks) {
			s = b.beat(uint64(len(stream)+1), until, ticks[n-1].Rows)
		}
		if len(stream) == 1 {
			s.Poll.Relations = b.relations(0)
		}
		s.Ticks, ticks = ticks[:n], ticks[n:]
		stream = append(stream, s)
	}
	stream[len(stream)-1].Poll.Relations = b.relations(1)
	return stream
}

// ticks are those of the whole run, in order.
func (b rebuilt) ticks() []model.Tick {
	var ticks []model.Tick
	from, slept := 0.0, model.Some(0.0)
	for i, p := range append(b.run.Phases, b.run.Phases[0]) {
		to, phase, sum := p.ElapsedMS, p.Phase, p.DelayMS
		if i == len(b.run.Phases) { // from the last phase to the end nothing was posted
			to, phase, sum = b.run.ElapsedMS, "performing final cleanup", b.run.Phases[i-1].DelayMS
		}
		span := postedSpan{phase: phase, from: postedStart.Add(model.Milliseconds(from)), to: postedStart.Add(model.Milliseconds(to)), slept: slept, sum: sum, after: i}
		if phase == b.run.SamplesPhase {
			span.samples = b.run.Samples
		}
		ticks = append(ticks, b.phaseTicks(span)...)
		from, slept = to, sum
	}
	end := postedStart.Add(model.Milliseconds(b.run.ElapsedMS))
	return append(ticks, model.Tick{At: end.Add(besideEdge), Gap: besideEdge})
}

// postedSpan is one phase to rebuild.
type postedSpan struct {
	phase      model.Text
	from, to   time.Time
	slept, sum model.Opt[float64] // delay_time at its edges
	after      int                // phases before it
	samples    []postedSamples
}

// phaseTicks are those of one phase. What was not posted as a sample shows a process
// that is not active, which is no sample.
func (b rebuilt) phaseTicks(span postedSpan) []model.Tick {
	rows := b.waits(span.samples)
	seconds := int(span.to.Sub(span.from) / time.Second)
	taken := len(rows[0])
	if span.samples == nil {
		taken = seconds
	}
	ticks := []model.Tick{b.tick(span, span.from.Add(besideEdge), rows, -1)}
	missed, n := seconds-taken, 0
	for k := range seconds {
		if missed > 0 && k%40 == 20 { // the sampler missed a second here and there
			missed--
			continue
		}
		at := span.from.Add(time.Duration(k+1) * time.Second)
		if at.Before(span.to.Add(-besideEdge)) {
			ticks = append(ticks, b.tick(span, at, rows, n))
		}
		n++
	}
	return append(ticks, b.tick(span, span.to.Add(-besideEdge), rows, -1))
}

// tick is sample n of a phase; -1 is none.
func (b rebuilt) tick(span postedSpan, at time.Time, rows [][]postedSamples, n int) model.Tick {
	gap := time.Second
	if n < 0 {
		gap = besideEdge
	}
	part := at.Sub(span.from).Seconds() / span.to.Sub(span.from).Seconds()
	delay := mapped(span.sum, func(sum float64) float64 { return span.slept.Or(0) + part*(sum-span.slept.Or(0)) })
	if n < 0 { // beside an edge, it is what stands there
		delay = mapped(delay, func(float64) float64 {
			return map[bool]float64{true: span.sum.Or(0), false: span.slept.Or(0)}[part > 0.5]
		})
	}
	tick := model.Tick{At: at, Gap: gap}
	for i, waits := range rows {
		row := model.TickRow{PID: b.leader(), BackendStart: postedStart.Add(-time.Minute), StatementStart: model.Some(postedStart)}
		switch {
		case i == 0:
			row.DatID, row.RelID, row.Phase, row.DelayTime, row.IndexVacuumCount = 5, postedOID, span.phase, delay, int64(min(1, span.after/2))
		default:
			row.PID, row.LeaderPID, row.BackendStart = waits[0].PID, waits[0].LeaderPID, span.from
		}
		if n >= 0 && n < len(waits) {
			row.Active, row.Wait = true, postedWait(waits[n].WaitEvent)
		}
		tick.Rows = append(tick.Rows, row)
	}
	return tick
}

// waits are the samples of each process one by one, the leader's first: in its posted
// order, but what it does last is to wait for its workers.
func (b rebuilt) waits(samples []postedSamples) [][]postedSamples {
	byPID := map[int32][]postedSamples{}
	order := []int32{b.leader()}
	samples = slices.Clone(samples)
	slices.SortStableFunc(samples, func(a, c postedSamples) int {
		last := func(s postedSamples) int { return map[bool]int{true: 1}[s.WaitEvent == "ParallelFinish"] }
		return last(a) - last(c)
	})
	for _, s := range samples {
		if !slices.Contains(order, s.PID) {
			order = append(order, s.PID)
		}
		byPID[s.PID] = append(byPID[s.PID], slices.Repeat([]postedSamples{s}, s.Samples)...)
	}
	var out [][]postedSamples
	for _, pid := range order {
		out = append(out, byPID[pid])
	}
	return out
}

// postedWait gives an event the type that it had.
func postedWait(event model.Text) model.Opt[model.Wait] {
	types := map[model.Text]model.Text{"VacuumDelay": "Timeout", "ParallelFinish": "IPC", "WalSync": "IO", "WalWrite": "IO"}
	if event == "CPU" {
		return model.None[model.Wait]()
	}
	if typ, known := types[event]; known {
		return wait(typ, event)
	}
	return wait("LWLock", event)
}

func (b rebuilt) leader() int32 {
	i := slices.IndexFunc(b.run.Samples, func(s postedSamples) bool { return !s.LeaderPID.Known() })
	return b.run.Samples[i].PID
}

// beat is a poll that shows what the rows do.
func (b rebuilt) beat(seq uint64, at time.Time, rows []model.TickRow) model.Sample {
	poll := &model.Poll{
		Server:    model.Server{VersionNum: 170000, Version: "17devel", BlockSize: 8192, DatID: 5, Database: "postgres", Role: "postgres", SeesAll: true, StartedAt: postedStart.Add(-time.Hour)},
		Watch:     model.Watch{Interval: postedBeat, TickRate: 1},
		Processes: []model.Process{},
	}
	for _, row := range rows {
		p := model.Process{PID: row.PID, LeaderPID: row.LeaderPID, DatID: model.Some[uint32](5), Database: model.Some[model.Text]("postgres"),
			BackendType: model.Some[model.Text]("client backend"), State: model.Some[model.Text]("active"), Wait: row.Wait,
			BackendStart: model.Some(row.BackendStart), StatementStart: row.StatementStart, Query: model.Some(b.data.Statement)}
		if row.Phase != "" {
			p.Progress = &model.Progress{View: model.ViewVacuum, RelID: row.RelID, Phase: model.Some(row.Phase), IndexVacuumCount: model.Some(row.IndexVacuumCount), DelayTime: row.DelayTime}
		} else {
			p.BackendType = model.Some[model.Text]("parallel worker")
		}
		poll.Processes = append(poll.Processes, p)
	}
	return model.Sample{Seq: seq, At: at, Poll: poll}
}

func (b rebuilt) settings() []model.Setting {
	var out []model.Setting
	for name, value := range b.data.Settings {
		out = append(out, model.Setting{Name: name, Setting: value, Source: "configuration file"})
	}
	return out
}

// relations is the table with its indexes, after so many vacuums.
func (b rebuilt) relations(vacuums int64) []model.Relation {
	table := model.Relation{DatID: 5, RelID: postedOID, Schema: b.data.Relations[0].Schema, Name: b.data.Relations[0].Relation, Kind: "r", VacuumCount: vacuums}
	for i, ix := range b.data.Relations[1:] {
		table.Indexes = append(table.Indexes, model.Index{RelID: uint32(postedOID + 1 + i), Name: ix.Relation, AccessMethod: "btree", RelPages: 125_000})
	}
	return []model.Relation{table}
}

// lwlockWaits is lwlock-waits.csv: counts by threshold in seconds and place.
func lwlockWaits(t *testing.T) map[int]map[[2]string]int {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(seed(t, "lwlock-waits.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]map[[2]string]int{}
	for _, row := range rows[1:] {
		least, _ := strconv.Atoi(row[0])
		if out[least] == nil {
			out[least] = map[[2]string]int{}
		}
		out[least][[2]string{row[2], row[3]}], _ = strconv.Atoi(row[1])
	}
	return out
}

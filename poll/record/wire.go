package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// line is a line that is not the first: a sample, in place of whose ticks stand packed
// ones, or the end.
type line struct {
	model.Sample
	Ticks *ticks `json:"ticks,omitzero"`
	// End is, in the last line, how many samples there are.
	End model.Opt[int] `json:"end,omitzero"`
	// Format is in a first line: that of another recording.
	Format string `json:"format,omitzero"`
}

// sampleLine is the line of a sample.
func sampleLine(s model.Sample) line { return line{Sample: s, Ticks: pack(s.Ticks)} }

// ticks are the ticks of a sample with each process and each state written once: from
// tick to tick little changes.
type ticks struct {
	Processes []tickProcess `json:"processes"`
	States    []tickState   `json:"states"`
	Reads     []tickRead    `json:"reads"`
}

// tickProcess is the part of a model.TickRow that stays the same.
type tickProcess struct {
	PID            int32                `json:"pid"`
	BackendStart   time.Time            `json:"backend_start,omitzero"`
	StatementStart model.Opt[time.Time] `json:"statement_start,omitzero"`
	LeaderPID      model.Opt[int32]     `json:"leader_pid,omitzero"`
	DatID          uint32               `json:"datid"`
	Helper         model.Text           `json:"helper,omitzero"`
}

// tickState is the part that changes now and then.
type tickState struct {
	Active           bool                  `json:"active"`
	RelID            uint32                `json:"relid"`
	Phase            model.Text            `json:"phase,omitzero"`
	IndexVacuumCount int64                 `json:"index_vacuum_count"`
	IndexesProcessed model.Opt[int64]      `json:"indexes_processed,omitzero"`
	Wait             model.Opt[model.Wait] `json:"wait,omitzero"`
}

// tickRead is one tick.
type tickRead struct {
	At time.Time `json:"at"`
	// Gap is absent where it is the time since the tick before.
	Gap model.Opt[time.Duration] `json:"gap_ns,omitzero"`
	// States are indexes into the states, one for each process in their order: notSeen
	// for one that this tick has no row of. They end with the last that it has.
	States []int `json:"states,omitzero"`
	// DelayTime goes with States; it ends with the last one known.
	DelayTime []model.Opt[float64] `json:"delay_time,omitzero"`
}

const notSeen = -1

// pack makes the packed form; nil for no ticks.
func pack(in []model.Tick) *ticks {
	if len(in) == 0 {
		return nil
	}
	out := &ticks{Processes: []tickProcess{}, States: []tickState{}}
	for i, t := range in {
		read := tickRead{At: t.At}
		if i == 0 || t.Gap != t.At.Sub(in[i-1].At) {
			read.Gap = model.Some(t.Gap)
		}
		if t.Rows != nil {
			read.States = []int{}
		}
		for _, row := range t.Rows {
			out.add(&read, row)
		}
		out.Reads = append(out.Reads, read)
	}
	return out
}

// add adds a row to a read. A process that comes before one that the read has already
// is listed once more: the order of rows is kept.
func (t *ticks) add(read *tickRead, row model.TickRow) {
	process := tickProcess{row.PID, row.BackendStart, row.StatementStart, row.LeaderPID, row.DatID, row.Helper}
	state := tickState{row.Active, row.RelID, row.Phase, row.IndexVacuumCount, row.IndexesProcessed, row.Wait}
	next := len(read.States)
	at := slices.Index(t.Processes[next:], process) + next
	if at < next {
		at = len(t.Processes)
		t.Processes = append(t.Processes, process)
	}
	number := slices.Index(t.States, state)
	if number < 0 {
		number = len(t.States)
		t.States = append(t.States, state)
	}
	for len(read.States) < at {
		read.States = append(read.States, notSeen)
	}
	read.States = append(read.States, number)
	if !row.DelayTime.Known() {
		return
	}
	for len(read.DelayTime) < at {
		read.DelayTime = append(read.DelayTime, model.None[float64]())
	}
	read.DelayTime = append(read.DelayTime, row.DelayTime)
}

var errTicks = errors.New("the ticks name a state or a process that is not there")

// unpack is the inverse of pack.
func (t *ticks) unpack() ([]model.Tick, error) {
	if t == nil || len(t.Reads) == 0 {
		return nil, nil
	}
	out := make([]model.Tick, len(t.Reads))
	for i, read := range t.Reads {
		if len(read.States) > len(t.Processes) {
			return nil, errTicks
		}
		tick := model.Tick{At: read.At}
		if i > 0 {
			tick.Gap = read.At.Sub(t.Reads[i-1].At)
		}
		tick.Gap = read.Gap.Or(tick.Gap)
		if read.States != nil {
			tick.Rows = make([]model.TickRow, 0, len(read.States))
		}
		for p, number := range read.States {
			switch {
			case number == notSeen:
				continue
			case number < 0 || number >= len(t.States):
				return nil, errTicks
			}
			row := rowOf(t.Processes[p], t.States[number])
			if p < len(read.DelayTime) {
				row.DelayTime = read.DelayTime[p]
			}
			tick.Rows = append(tick.Rows, row)
		}
		out[i] = tick
	}
	return out, nil
}

func rowOf(p tickProcess, s tickState) model.TickRow {
	return model.TickRow{
		PID: p.PID, BackendStart: p.BackendStart, StatementStart: p.StatementStart, LeaderPID: p.LeaderPID, DatID: p.DatID, Helper: p.Helper,
		Active: s.Active, RelID: s.RelID, Phase: s.Phase, IndexVacuumCount: s.IndexVacuumCount, IndexesProcessed: s.IndexesProcessed, Wait: s.Wait,
	}
}

// ending is the last line.
type ending struct {
	End int `json:"end"` // how many samples there are
}

// lineOf writes a line.
func lineOf(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var errNoSample = errors.New("the line is not a sample")

// parseLine reads a line that is not the first.
func parseLine(text []byte) (line, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return line{}, err
	}
	if l.Format != "" || l.End.Known() {
		return l, nil
	}
	if l.Seq == 0 {
		return line{}, errNoSample
	}
	var err error
	l.Sample.Ticks, err = l.Ticks.unpack()
	return l, err
}

package report

import (
	"fmt"
	"io"

	"example.com/vacscope/model"
)

// The name and version of the report document. New keys do not raise the version; a key
// that changes its meaning or goes does.
const (
	reportFormat        = "vacscope.report"
	reportFormatVersion = 1
)

// reportDocument is the JSON form of a report. Every key is always there; what is not
// known is null.
type reportDocument struct {
	Format        string      `json:"format"`
	FormatVersion int         `json:"format_version"`
	Runs          []runObject `json:"runs"`
}

// runObject is one run: runRecord, and what it is made of.
type runObject struct {
	runRecord
	Context  contextObject     `json:"context"`
	Phases   []phaseRecord     `json:"phases"`
	Columns  []columnRecord    `json:"unknown_columns"`
	Waits    []waitRecord      `json:"waits"`
	Minutes  []minuteRecord    `json:"minutes"`
	Longest  []streakObject    `json:"longest_waits"`
	Workers  []workersRecord   `json:"index_passes"`
	Lives    []lifeObject      `json:"workers"`
	Locks    []lockRecord      `json:"lock_waits"`
	LockBins []lockBinObject   `json:"lock_wait_histogram"`
	Impact   impactObject      `json:"impact"`
	Change   []changeRecord    `json:"change"`
	LeftOut  map[string]string `json:"left_out"` // section: why
}

// runRecord is what a run was, on one line.
type runRecord struct {
	Database    model.Text             `json:"database"`
	Schema      model.Opt[model.Text]  `json:"schema"`
	Table       model.Opt[model.Text]  `json:"table"`
	RelID       model.Opt[uint32]      `json:"relid"`
	Command     string                 `json:"command"`
	Statement   model.Opt[model.Text]  `json:"statement"`
	StartedBy   model.Opt[string]      `json:"started_by"`
	Role        model.Opt[model.Text]  `json:"role"`
	PID         int32                  `json:"pid"`
	StartedAt   timestamp              `json:"started_at"`
	FromStart   bool                   `json:"seen_from_start"`
	Result      model.Opt[string]      `json:"result"` // null: it goes on
	SQLState    model.Opt[string]      `json:"sqlstate"`
	Message     model.Opt[model.Text]  `json:"message"`
	ElapsedMS   float64                `json:"elapsed_ms"`
	UncertainMS float64                `json:"elapsed_uncertain_ms"`
	ProcessMS   float64                `json:"process_ms"`
	DelayMS     model.Opt[float64]     `json:"delay_ms"`
	DelaySource string                 `json:"delay_source"` // server, sampled, none
	IndexPasses int                    `json:"index_passes_begun"`
	Asked       model.Opt[int]         `json:"workers_asked"`
	Planned     model.Opt[int]         `json:"workers_planned"`
	Launched    model.Opt[int]         `json:"workers_launched"`
	HeapBytes   model.Opt[model.Bytes] `json:"heap_bytes"`
	Samples     int                    `json:"samples"`
	Missed      int                    `json:"samples_missed"`
}

// phaseRecord is one phase in one index pass, or in several that were merged.
type phaseRecord struct {
	Phase       model.Text         `json:"phase"`
	Pass        int                `json:"pass"`
	Passes      int                `json:"passes"`
	StartedMS   float64            `json:"started_ms"`
	ElapsedMS   float64            `json:"elapsed_ms"`
	UncertainMS float64            `json:"uncertain_ms"`
	ProcessMS   float64            `json:"process_ms"`
	DelayMS     model.Opt[float64] `json:"delay_ms"`
	SampledMS   model.Opt[float64] `json:"sampled_delay_ms"`
	SampledPM   model.Opt[float64] `json:"sampled_delay_error_ms"`
	Disagree    bool               `json:"delays_disagree"`
	Complete    bool               `json:"complete"`
}

type columnRecord struct {
	Phase      model.Text `json:"phase"`
	Pass       int        `json:"pass"`
	Column     string     `json:"column"`
	Difference float64    `json:"difference"`
	Value      float64    `json:"value"`
}

type waitRecord struct {
	Phase     model.Text            `json:"phase"`
	LeaderPID model.Opt[int32]      `json:"leader_pid"`
	PID       model.Opt[int32]      `json:"pid"` // null: workers of merged passes
	Type      model.Opt[model.Text] `json:"wait_event_type"`
	Event     model.Opt[model.Text] `json:"wait_event"` // null: on CPU
	Class     string                `json:"class"`
	Samples   int                   `json:"samples"`
}

type minuteRecord struct {
	Event   string    `json:"wait_event"`
	From    timestamp `json:"from"`
	ForMS   float64   `json:"for_ms"`
	Leader  int       `json:"leader_samples"`
	Workers int       `json:"worker_samples"`
	Of      int       `json:"leader_samples_all"`
}

type streakObject struct {
	Event   string     `json:"wait_event"`
	PID     int32      `json:"pid"`
	Worker  bool       `json:"worker"`
	Samples int        `json:"samples"`
	From    timestamp  `json:"from"`
	To      timestamp  `json:"to"`
	Phase   model.Text `json:"phase"`
	Pass    int        `json:"pass"`
}

// workersRecord is an index phase with workers.
type workersRecord struct {
	Phase       model.Text             `json:"phase"`
	Pass        int                    `json:"pass"`
	Passes      int                    `json:"passes"`
	ElapsedMS   float64                `json:"elapsed_ms"`
	Workers     int                    `json:"workers"`
	LivedMS     float64                `json:"workers_lived_ms"`
	Utilisation model.Opt[model.Ratio] `json:"utilisation"`
	IdleMS      float64                `json:"leader_idle_ms_estimate"`
	IdleSamples int                    `json:"leader_idle_samples"`
}

type lifeObject struct {
	Phase   model.Text `json:"phase"`
	Pass    int        `json:"pass"`
	PID     int32      `json:"pid"`
	LivedMS float64    `json:"lived_ms"`
}

// lockRecord counts waits of one kind of at least a threshold.
type lockRecord struct {
	LeastMS   float64               `json:"at_least_ms"`
	Count     int                   `json:"count"`
	Statement model.Opt[string]     `json:"statement"`
	LockType  model.Opt[model.Text] `json:"locktype"`
	Mode      model.Opt[model.Text] `json:"mode"`
	Relation  model.Opt[string]     `json:"relation"`
	HeldUp    model.Opt[string]     `json:"held_up"` // cleanup, truncate
	Doing     string                `json:"blocked_by"`
	LongestMS float64               `json:"longest_ms"`
}

type lockBinObject struct {
	FromMS float64            `json:"from_ms"`
	ToMS   model.Opt[float64] `json:"to_ms"` // null: no end
	Count  int                `json:"count"`
}

type impactObject struct {
	Verbose        []model.Text           `json:"verbose"`
	BuffersHit     model.Opt[int64]       `json:"buffers_hit"`
	BuffersRead    model.Opt[int64]       `json:"buffers_read"`
	BuffersDirtied model.Opt[int64]       `json:"buffers_dirtied"`
	WALRecords     model.Opt[int64]       `json:"wal_records"`
	WALFullPages   model.Opt[int64]       `json:"wal_full_page_images"`
	WALBytes       model.Opt[model.Bytes] `json:"wal_bytes"`
	ClusterWAL     model.Opt[model.Bytes] `json:"cluster_wal_bytes"` // of all sessions, during the run
	ClusterIO      *ioObject              `json:"cluster_io"`        // null: not known
}

// ioObject is what all processes read and wrote, by pg_stat_io.
type ioObject struct {
	From     timestamp       `json:"from"`
	To       timestamp       `json:"to"`
	Contexts []model.IOCount `json:"contexts"` // in which something was done
}

type changeRecord struct {
	Name   string             `json:"name"`
	Before model.Opt[float64] `json:"before"`
	After  model.Opt[float64] `json:"after"`
}

// WriteReportJSON writes a report as one document.
func WriteReportJSON(w io.Writer, r Report) error {
	document := reportDocument{Format: reportFormat, FormatVersion: reportFormatVersion, Runs: []runObject{}}
	for i := range r.Runs {
		document.Runs = append(document.Runs, newRunObject(&r.Runs[i]))
	}
	return writeDocument(w, document)
}

// writeDocument writes a document as JSON for people to read too.
func writeDocument(w io.Writer, document any) error {
	if err := encode(w, document, true); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func newRunObject(r *RunReport) runObject {
	o := runObject{
		runRecord: newRunRecord(r), Context: newContextObject(&r.Context), Phases: phaseRecords(r), Columns: columnRecords(r), Waits: waitRecords(r),
		Minutes: minuteRecords(r), Longest: each(r.Minutes.Longest, func(s model.WaitStreak) streakObject { return newStreak(r.Minutes.Event, s) }),
		Workers: workersRecords(r), Lives: lives(r), Locks: lockRecords(r), LockBins: each(r.Locks.Histogram, newLockBin),
		Impact: newImpactObject(&r.Impact), Change: changeRecords(r), LeftOut: map[string]string{},
	}
	for _, s := range r.Sections() {
		if s.Missing != "" {
			o.LeftOut[s.Name] = s.Missing
		}
	}
	return o
}

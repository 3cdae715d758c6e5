package report

import (
	"encoding/json"
	"time"

	"example.com/vacscope/model"
)

// The name and version of the snapshot document. New keys do not raise the
// version; a key that changes its meaning or goes does.
const (
	snapshotFormat        = "vacscope.snapshot"
	snapshotFormatVersion = 1
)

// document is the JSON form of a snapshot. Every key is always there; what the
// server does not give is null. Columns of catalog views have the catalog's
// names, everything else has its unit in its name.
type document struct {
	Format        string                `json:"format"`
	FormatVersion int                   `json:"format_version"`
	Server        serverObject          `json:"server"`
	ServerNow     timestamp             `json:"server_now"`
	RoundTripMS   float64               `json:"round_trip_ms"`
	Vacuums       []vacuumObject        `json:"vacuums"`
	Commands      []commandObject       `json:"commands"`
	Analyzes      []analyzeObject       `json:"analyzes"`
	LockWaits     []lockWaitObject      `json:"lock_waits"`
	LastVacuums   []historyObject       `json:"last_vacuums"`
	Databases     []databaseObject      `json:"databases"`
	IDRates       idRatesObject         `json:"id_rates"`
	Horizon       *horizonObject        `json:"removal_horizon"` // null: not read
	Queue         *queueObject          `json:"queue"`           // null: not read
	Settings      []settingObject       `json:"settings"`
	Changes       []settingChangeObject `json:"setting_changes"`
	Filter        *filterObject         `json:"filter"` // null: everything is in the document
	Problems      []problemObject       `json:"problems"`
}

// filterObject says what the document was reduced to.
type filterObject struct {
	Tables       []string `json:"tables"`
	Databases    []string `json:"databases"`
	OtherVacuums int      `json:"other_vacuums"` // in sight and not in the document
}

type serverObject struct {
	VersionNum           int                  `json:"version_num"`
	Version              model.Text           `json:"version"`
	SystemIdentifier     model.Opt[string]    `json:"system_identifier"`
	InRecovery           bool                 `json:"in_recovery"`
	StartedAt            model.Opt[timestamp] `json:"started_at"`
	ConfLoadedAt         model.Opt[timestamp] `json:"conf_loaded_at"`
	DatID                uint32               `json:"datid"`
	Database             model.Text           `json:"database"`
	Role                 model.Text           `json:"role"`
	RoleSeesAll          bool                 `json:"role_sees_all"`
	Address              string               `json:"address"`
	BlockSize            model.Bytes          `json:"block_size"`
	TrackCostDelayTiming model.Opt[bool]      `json:"track_cost_delay_timing"`
}

type vacuumObject struct {
	State              model.State            `json:"state"`
	Command            string                 `json:"command"`
	PID                int32                  `json:"pid"`
	BackendStart       model.Opt[timestamp]   `json:"backend_start"`
	StatementStart     model.Opt[timestamp]   `json:"statement_start"`
	StatementElapsedMS model.Opt[float64]     `json:"statement_elapsed_ms"`
	DatID              model.Opt[uint32]      `json:"datid"`
	RelID              model.Opt[uint32]      `json:"relid"`
	Database           model.Opt[model.Text]  `json:"database"`
	Schema             model.Opt[model.Text]  `json:"schema"`
	Table              model.Opt[model.Text]  `json:"table"`
	NameSource         model.Opt[string]      `json:"name_source"`
	ToastOf            model.Opt[tableObject] `json:"toast_of"`
	StartedBy          model.Opt[string]      `json:"started_by"`
	StartedBySource    model.Opt[string]      `json:"started_by_source"`
	Mode               model.Opt[model.Text]  `json:"mode"`
	FailsafeInferred   model.Opt[string]      `json:"failsafe_inferred"` // 14 to 18: why it must be in failsafe mode
	Phase              model.Opt[model.Text]  `json:"phase"`

	HeapBlksTotal     model.Opt[model.Blocks] `json:"heap_blks_total"`
	HeapBlksScanned   model.Opt[model.Blocks] `json:"heap_blks_scanned"`
	HeapBlksVacuumed  model.Opt[model.Blocks] `json:"heap_blks_vacuumed"`
	IndexVacuumCount  model.Opt[int64]        `json:"index_vacuum_count"`
	IndexesTotal      model.Opt[int64]        `json:"indexes_total"`
	IndexesProcessed  model.Opt[int64]        `json:"indexes_processed"`
	MaxDeadTupleBytes model.Opt[model.Bytes]  `json:"max_dead_tuple_bytes"`
	DeadTupleBytes    model.Opt[model.Bytes]  `json:"dead_tuple_bytes"`
	NumDeadItemIDs    model.Opt[int64]        `json:"num_dead_item_ids"`
	MaxDeadTuples     model.Opt[int64]        `json:"max_dead_tuples"`
	NumDeadTuples     model.Opt[int64]        `json:"num_dead_tuples"`

	HeldUp         *heldObject                `json:"held_up"`
	DelayMS        model.Opt[float64]         `json:"delay_ms"`
	DelaySource    string                     `json:"delay_source"`
	UnknownColumns map[string]json.RawMessage `json:"unknown_columns"`
	Processes      []processObject            `json:"processes"`

	Edges     []edgeObject    `json:"edges"`
	Allowance allowanceObject `json:"allowance"`
	Whole     wholeObject     `json:"whole_run"`

	Time    timeObject    `json:"time_shares"`
	Verdict verdictObject `json:"verdict"`
}

type tableObject struct {
	Schema model.Text `json:"schema"`
	Table  model.Text `json:"table"`
}

type processObject struct {
	PID           int32                 `json:"pid"`
	Role          string                `json:"role"` // leader, worker
	BackendStart  model.Opt[timestamp]  `json:"backend_start"`
	WaitEventType model.Opt[model.Text] `json:"wait_event_type"`
	WaitEvent     model.Opt[model.Text] `json:"wait_event"`
}

type analyzeObject struct {
	PID            int32                      `json:"pid"`
	StatementStart model.Opt[timestamp]       `json:"statement_start"`
	RelID          model.Opt[uint32]          `json:"relid"`
	Database       model.Opt[model.Text]      `json:"database"`
	Schema         model.Opt[model.Text]      `json:"schema"`
	Table          model.Opt[model.Text]      `json:"table"`
	StartedBy      model.Opt[model.Text]      `json:"started_by"`
	Phase          model.Opt[model.Text]      `json:"phase"`
	DelayMS        model.Opt[float64]         `json:"delay_ms"`
	DelaySource    string                     `json:"delay_source"`
	SampleTotal    json.RawMessage            `json:"sample_blks_total"`
	SampleScanned  json.RawMessage            `json:"sample_blks_scanned"`
	ExtTotal       json.RawMessage            `json:"ext_stats_total"`
	ExtComputed    json.RawMessage            `json:"ext_stats_computed"`
	ChildTotal     json.RawMessage            `json:"child_tables_total"`
	ChildDone      json.RawMessage            `json:"child_tables_done"`
	ChildRelID     json.RawMessage            `json:"current_child_table_relid"`
	UnknownColumns map[string]json.RawMessage `json:"unknown_columns"`
}

type lockWaitObject struct {
	PID       int32                 `json:"pid"`
	BlockedBy []model.Opt[int32]    `json:"blocked_by"` // null: a prepared transaction
	Blockers  []blockerObject       `json:"blockers"`
	Masked    bool                  `json:"masked"`
	LockType  model.Opt[model.Text] `json:"locktype"`
	Mode      model.Opt[model.Text] `json:"mode"`
	RelID     model.Opt[uint32]     `json:"relid"`
	Relation  model.Opt[model.Text] `json:"relation"`
	Database  model.Opt[model.Text] `json:"database"`
	WaitedMS  model.Opt[float64]    `json:"waited_ms"`
}

// historyObject is one table's vacuums in the cumulative statistics.
type historyObject struct {
	RelID           uint32               `json:"relid"`
	Schema          model.Text           `json:"schema"`
	Table           model.Text           `json:"table"`
	LastVacuum      model.Opt[timestamp] `json:"last_vacuum"`
	LastAutovacuum  model.Opt[timestamp] `json:"last_autovacuum"`
	VacuumCount     int64                `json:"vacuum_count"`
	AutovacuumCount int64                `json:"autovacuum_count"`
	VacuumTime      model.Opt[float64]   `json:"total_vacuum_time_ms"`
	AutovacuumTime  model.Opt[float64]   `json:"total_autovacuum_time_ms"`
}

type settingObject struct {
	Name    string            `json:"name"`
	Setting model.Text        `json:"setting"`
	Unit    model.Opt[string] `json:"unit"`
	Source  model.Text        `json:"source"`
}

type problemObject struct {
	Part     string            `json:"part"`
	SQLState model.Opt[string] `json:"sqlstate"`
	Message  model.Text        `json:"message"`
}

// timestamp is a time as UTC with the server's microseconds.
type timestamp time.Time

// toTimestamp is for times that may be absent.
func toTimestamp(t time.Time) timestamp { return timestamp(t) }

// MarshalJSON writes 2006-01-02T15:04:05.000000Z.
func (t timestamp) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Time(t).UTC().Format("2006-01-02T15:04:05.000000Z"))
}

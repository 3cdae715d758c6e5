package model

import (
	"encoding/json"
	"time"
)

// Sample is one beat: what was read since the beat before, nothing derived. It
// is what is recorded and replayed.
type Sample struct {
	// Seq counts samples of one stream from 1; order is Seq, never time.
	Seq uint64 `json:"seq"`
	// At is the server's clock (clock_timestamp()) at the poll, or for a beat that
	// failed the client's monotonic clock plus the last measured offset.
	At time.Time `json:"at,omitzero"`
	// Poll is the full read; nil when the beat could not read the server.
	Poll *Poll `json:"poll,omitzero"`
	// AskedAt is since when a read is without an answer, in a sample that says so;
	// absent when none is. A sample without Poll, Events and Problems only carries
	// the time.
	AskedAt Opt[time.Time] `json:"asked_at,omitzero"`
	// Ticks are the fine reads since the last beat, in order.
	Ticks []Tick `json:"ticks,omitzero"`
	// TicksMissed is how many planned ticks of this beat gave no reading.
	TicksMissed int `json:"ticks_missed,omitzero"`
	// Events are what did not come from a poll.
	Events []Event `json:"events,omitzero"`
	// Problems are the parts of this beat that failed; empty is good news.
	Problems []Problem `json:"problems,omitzero"`
}

// Poll is the full read of one beat. A part whose statement failed is absent and
// listed in the sample's Problems.
type Poll struct {
	Server Server `json:"server,omitzero"`
	Watch  Watch  `json:"watch,omitzero"`
	// About is what else there is to say of the server; nil when not read in this beat
	// (it is read on connecting, and after the configuration was loaded again).
	About *About `json:"about,omitzero"`
	// Processes are the rows of pg_stat_activity that matter to vacuums (see
	// Process), leaders before their workers.
	Processes []Process `json:"processes,omitzero"`
	// Locks are the ungranted lock requests; nil when they were not read in this
	// beat, empty when they were read and there were none. They are read in the
	// beat after one that saw a lock wait.
	Locks []Lock `json:"locks,omitzero"`
	// Holders are who has locks on relations of vacuums that are held up; nil when not
	// read in this beat. They are read in the beat after one that saw a vacuum wait for
	// a page, or for the lock to truncate, and every 2 s while it does.
	Holders []Holder `json:"holders,omitzero"`
	// Horizon is who keeps dead rows from being removed; nil when not read in this beat
	// (it is read every 5 s while vacuums are in sight, else every minute, and less
	// often where that is dear).
	Horizon *HorizonRead `json:"horizon,omitzero"`
	// Queue is what autovacuum goes by; nil when not read in this beat (it is read every
	// minute, less often where it is dear, and not on a standby).
	Queue *QueueRead `json:"queue,omitzero"`
	// LockTotals is what the server counted of waits for locks (pg_stat_lock, 19);
	// absent when not read in this beat (it is read every 5 s).
	LockTotals Opt[LockTotals] `json:"lock_totals,omitzero"`
	// IO is what the server counted of reads and writes of relations (pg_stat_io, 16);
	// nil when not read in this beat (it is read once a minute, every 30 s while vacuums
	// are in sight, and when one comes into sight or goes).
	IO *IORead `json:"io,omitzero"`
	// Settings are rows of pg_settings as this session sees them; nil when not
	// read in this beat (they are read every 5 s and on change).
	Settings []Setting `json:"settings,omitzero"`
	// Relations are catalog entries, read for relations that came into sight and, in
	// the connected database, every 5 s; nil when not read in this beat. Those of
	// other databases come later, and at most once a minute for each database.
	Relations []Relation `json:"relations,omitzero"`
	// Unreadable are the other databases in sight whose catalog cannot be read.
	Unreadable []UnreadableDatabase `json:"unreadable,omitzero"`
	// Databases are the rows of pg_database with their ages, the oldest at most
	// 1,000; nil when not read in this beat (they are read every minute).
	Databases []Database `json:"databases,omitzero"`
	// LastVacuums are the 20 tables of the connected database that were vacuumed
	// last, the last one first; nil when not read in this beat (they are read when no
	// vacuum is in sight, at most once a minute).
	LastVacuums []LastVacuum `json:"last_vacuums,omitzero"`
	// NextXID is the next transaction id as xid8, with its epoch
	// (pg_snapshot_xmax(pg_current_snapshot())); read with the settings.
	NextXID Opt[uint64] `json:"next_xid,omitzero"`
	// NextMXID is the next multixact id, which wraps at 2^32 (mxid_age('1') + 1);
	// read with the settings.
	NextMXID Opt[uint32] `json:"next_mxid,omitzero"`
	// WALPosition is where the next WAL goes, in bytes since its beginning
	// (pg_current_wal_insert_lsn() - '0/0'); absent on a standby.
	WALPosition Opt[uint64] `json:"wal_position,omitzero"`
	// Listings are what commands over several relations go through; nil when none is
	// in sight.
	Listings []Listing `json:"listings,omitzero"`
}

// Server is the identity and state of the server and of the watching session.
type Server struct {
	VersionNum       int       `json:"version_num"`                // server_version_num, e.g. 180004
	Version          Text      `json:"version,omitzero"`           // server_version, e.g. "18.4 (Debian 18.4-1)"
	SystemIdentifier string    `json:"system_identifier,omitzero"` // pg_control_system(); "" when not readable
	InRecovery       bool      `json:"in_recovery"`                // pg_is_in_recovery()
	StartedAt        time.Time `json:"started_at,omitzero"`
	ConfLoadedAt     time.Time `json:"conf_loaded_at,omitzero"` // pg_conf_load_time()
	BlockSize        Bytes     `json:"block_size"`
	DatID            uint32    `json:"datid"`             // oid of the connected database
	Database         Text      `json:"database,omitzero"` // name of the connected database
	Role             Text      `json:"role,omitzero"`     // current_user
	Address          string    `json:"address,omitzero"`  // where the client connected, as a person would name it: "db1:5432", "/run/postgresql:5432"
	// SeesAll tells whether the role sees phases and waits of all sessions
	// (member of pg_read_all_stats, or superuser).
	SeesAll bool `json:"sees_all"`
	// TrackCostDelayTiming is the watching session's value of
	// track_cost_delay_timing; absent before 18. Other sessions can differ.
	TrackCostDelayTiming Opt[bool] `json:"track_cost_delay_timing,omitzero"`
}

// About is how the server was built and set up, for those who read of it later.
type About struct {
	Version   Text      `json:"version,omitzero"`   // version()
	Configure Opt[Text] `json:"configure,omitzero"` // CONFIGURE of pg_config; absent where the role may not read that
	// Settings are those that do not have their defaults: numbers, booleans, words of
	// fixed lists and the libraries that are loaded, without those of locale and files.
	// Free text can hold secrets, and is left out.
	Settings []Setting `json:"settings,omitzero"`
}

// Watch is what the watching itself did and cost.
type Watch struct {
	Interval     time.Duration `json:"interval_ns"`             // the beat in force
	TickRate     PerSecond     `json:"tick_rate"`               // ticks per second in force; 0: off
	TickRateNote string        `json:"tick_rate_note,omitzero"` // why the rate in force is below the one asked for; "" when it is not, or only rests until a vacuum starts
	RoundTrip    time.Duration `json:"round_trip_ns"`           // of this poll
	// ServerTime is what the server spent executing our statements, per second of
	// wall time (0.001 is 1 ms/s); absent before the first whole beat.
	ServerTime Opt[Ratio] `json:"server_time,omitzero"`
}

// Rates are how often a person wants a server to be read. In force can be less (Watch).
type Rates struct {
	Interval time.Duration `json:"interval_ns"` // from one full read to the next
	TickRate PerSecond     `json:"tick_rate"`   // ticks per second; 0: off
}

// Process is one row of pg_stat_activity, joined by pid with the progress views.
// A row is here when it has a progress row, when its leader has one, when it is
// an autovacuum worker, waits for a heavyweight lock, or is active with a text
// that begins with VACUUM, CLUSTER or REPACK. The watching session is not.
//
// For a role without pg_read_all_stats, rows of other roles are masked: the
// server gives pid, database and role, the rest is absent.
type Process struct {
	PID             int32          `json:"pid"`
	LeaderPID       Opt[int32]     `json:"leader_pid,omitzero"`
	DatID           Opt[uint32]    `json:"datid,omitzero"`
	Database        Opt[Text]      `json:"database,omitzero"` // datname: the session's database
	Role            Opt[Text]      `json:"role,omitzero"`     // usename; absent for autovacuum workers
	ApplicationName Opt[Text]      `json:"application_name,omitzero"`
	ClientAddr      Opt[Text]      `json:"client_addr,omitzero"`
	BackendType     Opt[Text]      `json:"backend_type,omitzero"` // absent for a worker that starts (14), and when masked
	State           Opt[Text]      `json:"state,omitzero"`        // active, idle in transaction ...; absent for a worker that starts, and when masked
	Wait            Opt[Wait]      `json:"wait,omitzero"`         // absent: not waiting, or not instrumented, or masked
	BackendStart    Opt[time.Time] `json:"backend_start,omitzero"`
	XactStart       Opt[time.Time] `json:"xact_start,omitzero"`
	StatementStart  Opt[time.Time] `json:"statement_start,omitzero"` // query_start: start of the statement, also for its second table; absent for 19's autovacuum parallel workers
	Query           Opt[Text]      `json:"query,omitzero"`           // cut by the server at track_activity_query_size and by us at 1,000 characters
	Masked          bool           `json:"masked"`                   // the row exists, this role may not see it
	WaitsUnseen     bool           `json:"waits_unseen,omitzero"`    // it is masked, and the lock table shows that it waits for a lock
	Progress        *Progress      `json:"progress,omitzero"`
	// BlockedBy is pg_blocking_pids, de-duplicated, in the server's order; 0 is a
	// prepared transaction. Read only for processes that wait for a Lock, and for
	// at most 50 of them a beat.
	BlockedBy []int32 `json:"blocked_by,omitzero"` // nil: not asked
}

// WaitsForLock tells that the process waits for a heavyweight lock.
func (p Process) WaitsForLock() bool { return p.Wait.Or(Wait{}).Type == "Lock" || p.WaitsUnseen }

// Active tells whether the row's NULL wait event means that it runs on a CPU (or
// in code that is not instrumented).
func (p Process) Active() bool { return !p.Masked && p.State.Or("") == "active" }

// The views a Progress can come from.
const (
	ViewVacuum  = "vacuum"  // pg_stat_progress_vacuum
	ViewCluster = "cluster" // pg_stat_progress_cluster, 13-18
	ViewRepack  = "repack"  // pg_stat_progress_repack, 19
	ViewAnalyze = "analyze" // pg_stat_progress_analyze
)

// Progress is one row of a pg_stat_progress_* view. Columns that the view does
// not have in this version are absent; all are absent when the row is masked.
type Progress struct {
	View  string    `json:"view,omitzero"`  // ViewVacuum, ...
	RelID uint32    `json:"relid"`          // relid; 0 when masked
	Phase Opt[Text] `json:"phase,omitzero"` // absent only for lack of privilege

	HeapBlksTotal    Opt[Blocks] `json:"heap_blks_total,omitzero"`
	HeapBlksScanned  Opt[Blocks] `json:"heap_blks_scanned,omitzero"` // a position, skipped pages included
	HeapBlksVacuumed Opt[Blocks] `json:"heap_blks_vacuumed,omitzero"`
	IndexVacuumCount Opt[int64]  `json:"index_vacuum_count,omitzero"` // completed index passes

	MaxDeadTuples Opt[int64] `json:"max_dead_tuples,omitzero"` // 13-16, item pointers
	NumDeadTuples Opt[int64] `json:"num_dead_tuples,omitzero"` // 13-16

	MaxDeadTupleBytes Opt[Bytes] `json:"max_dead_tuple_bytes,omitzero"` // 17+
	DeadTupleBytes    Opt[Bytes] `json:"dead_tuple_bytes,omitzero"`     // 17+; can exceed the maximum
	NumDeadItemIDs    Opt[int64] `json:"num_dead_item_ids,omitzero"`    // 17+
	IndexesTotal      Opt[int64] `json:"indexes_total,omitzero"`        // 17+; 0 outside index phases
	IndexesProcessed  Opt[int64] `json:"indexes_processed,omitzero"`    // 17+; 0 outside index phases

	DelayTime Opt[float64] `json:"delay_time,omitzero"` // 18+, milliseconds, leader and workers together; 0 unless track_cost_delay_timing is on there
	Mode      Opt[Text]    `json:"mode,omitzero"`       // 19: normal, aggressive, failsafe
	StartedBy Opt[Text]    `json:"started_by,omitzero"` // 19: manual, autovacuum, autovacuum_wraparound
	Command   Opt[Text]    `json:"command,omitzero"`    // cluster and repack views: VACUUM FULL, CLUSTER, REPACK

	// Other holds every further column under the server's name: those of the other
	// views, and those of versions that came after this program.
	Other map[string]json.RawMessage `json:"other,omitzero"`
}

// Tick is one fine read: all processes of vacuums at one moment, read by one
// statement, so that wait and phase belong together.
type Tick struct {
	At time.Time `json:"at,omitzero"`
	// Gap is the time this tick stands for: from the tick before it (or its slot's
	// start) to it. Profiles weigh by it.
	Gap  time.Duration `json:"gap_ns"`
	Rows []TickRow     `json:"rows,omitzero"`
}

// TickRow is one process of a vacuum in a tick. Workers have no progress columns.
type TickRow struct {
	PID              int32          `json:"pid"`
	BackendStart     time.Time      `json:"backend_start,omitzero"`
	StatementStart   Opt[time.Time] `json:"statement_start,omitzero"`
	LeaderPID        Opt[int32]     `json:"leader_pid,omitzero"`
	DatID            uint32         `json:"datid"`  // the process's database
	Active           bool           `json:"active"` // state is active
	RelID            uint32         `json:"relid"`
	Phase            Text           `json:"phase,omitzero"`             // "" for workers
	IndexVacuumCount int64          `json:"index_vacuum_count"`         // completed index passes
	IndexesProcessed Opt[int64]     `json:"indexes_processed,omitzero"` // 17+
	DelayTime        Opt[float64]   `json:"delay_time,omitzero"`
	Wait             Opt[Wait]      `json:"wait,omitzero"`
	// Helper is the backend_type of a process that is neither leader nor parallel
	// worker: 19's REPACK decoding worker; "" for those.
	Helper Text `json:"helper,omitzero"`
}

// Lock is one ungranted request of pg_locks.
type Lock struct {
	PID       int32          `json:"pid"`
	LockType  Text           `json:"locktype,omitzero"`
	Mode      Text           `json:"mode,omitzero"`
	DatID     uint32         `json:"datid"`               // 0 for a shared relation or a lock that has no database
	RelID     uint32         `json:"relid"`               // 0 when the lock is not on a relation
	WaitStart Opt[time.Time] `json:"wait_start,omitzero"` // 14+; NULL for a moment at the beginning
}

// Holder is one granted lock on the relation of a vacuum that is held up, with what
// the session that has it does.
type Holder struct {
	DatID           uint32         `json:"datid"` // of the vacuum
	RelID           uint32         `json:"relid"`
	PID             int32          `json:"pid"` // 0: a prepared transaction
	Mode            Text           `json:"mode,omitzero"`
	Waits           bool           `json:"waits,omitzero"` // it waits for the lock; else it has it
	GID             Opt[Text]      `json:"gid,omitzero"`   // of a prepared transaction
	LeaderPID       Opt[int32]     `json:"leader_pid,omitzero"`
	BackendType     Opt[Text]      `json:"backend_type,omitzero"`
	State           Opt[Text]      `json:"state,omitzero"` // absent when masked
	Role            Opt[Text]      `json:"role,omitzero"`  // of a prepared transaction, its owner
	ApplicationName Opt[Text]      `json:"application_name,omitzero"`
	XactStart       Opt[time.Time] `json:"xact_start,omitzero"` // of a prepared transaction, when it was prepared
	Query           Opt[Text]      `json:"query,omitzero"`
}

// LockTotals counts waits for locks on relations, of all databases, that lasted longer
// than deadlock_timeout, since the server's statistics were reset.
type LockTotals struct {
	Waits    int64         `json:"waits"`
	WaitTime time.Duration `json:"wait_time_ns"`
}

// IORead is what the server counted of reads and writes of relations since its statistics
// were reset, of all processes of all databases. A process adds what it did when its
// transaction ends, a VACUUM when it is done with a table.
type IORead struct {
	ResetAt  Opt[time.Time] `json:"reset_at,omitzero"`
	Contexts []IOCount      `json:"contexts"`
}

// IOCount is that of one context: vacuum is what goes through a vacuum's ring of buffers,
// normal through all of shared buffers.
type IOCount struct {
	Context     Text  `json:"context"`
	Hits        int64 `json:"hits"`  // of shared buffers
	Reads       int64 `json:"reads"` // operations
	ReadBytes   Bytes `json:"read_bytes"`
	Writes      int64 `json:"writes"`
	WriteBytes  Bytes `json:"write_bytes"`
	Extends     int64 `json:"extends"`
	ExtendBytes Bytes `json:"extend_bytes"`
	Evictions   int64 `json:"evictions"`
	Reuses      int64 `json:"reuses"` // of a ring's buffers
	Fsyncs      int64 `json:"fsyncs"`
}

// Setting is one row of pg_settings as the watching session sees it: another
// session's SET, ALTER ROLE or ALTER DATABASE does not show here.
type Setting struct {
	Name    string      `json:"name,omitzero"`
	Setting Text        `json:"setting,omitzero"`
	Unit    Opt[string] `json:"unit,omitzero"`   // as the server writes it: ms, kB, 8kB; absent for plain numbers and words
	Source  Text        `json:"source,omitzero"` // default, configuration file, database, user, session ...
}

// UnreadableDatabase is a database that let us not in to read names, and why.
type UnreadableDatabase struct {
	DatID  uint32 `json:"datid"`
	Reason Text   `json:"reason,omitzero"` // a clause: "it does not accept connections"
}

// Relation is one table, of any database.
type Relation struct {
	DatID       uint32        `json:"datid"` // 0 for a shared catalog
	RelID       uint32        `json:"relid"`
	Schema      Text          `json:"schema,omitzero"`
	Name        Text          `json:"name,omitzero"`
	Kind        Text          `json:"kind,omitzero"`     // relkind: r, t (TOAST), m, p, i ...
	RelPages    Blocks        `json:"relpages"`          // as of the last VACUUM or ANALYZE
	ToastOf     *RelationName `json:"toast_of,omitzero"` // the table a TOAST relation belongs to
	PartitionOf *RelationName `json:"partition_of,omitzero"`
	Indexes     []Index       `json:"indexes,omitzero"` // ready ones, by oid

	RelTuples     Opt[float64] `json:"reltuples,omitzero"`    // estimate as of the last VACUUM or ANALYZE; absent when never done (-1, 14+)
	RelAllVisible Blocks       `json:"relallvisible"`         // as of the last VACUUM
	RelAllFrozen  Opt[Blocks]  `json:"relallfrozen,omitzero"` // 18+
	// RelFrozenXID is relfrozenxid, which VACUUM moves on; absent for relations without one.
	RelFrozenXID Opt[uint32] `json:"relfrozenxid,omitzero"`
	XIDAge       Opt[int64]  `json:"xid_age,omitzero"`    // age(relfrozenxid), transactions; absent for relations without one
	MXIDAge      Opt[int64]  `json:"mxid_age,omitzero"`   // mxid_age(relminmxid)
	RelOptions   []Text      `json:"reloptions,omitzero"` // "name=value"
	// OwnerOptions are the RelOptions of the table that a TOAST relation belongs to:
	// autovacuum goes by them where the TOAST relation has none of its own.
	OwnerOptions []Text `json:"owner_options,omitzero"`
	// VacuumCount and AutovacuumCount rise when a VACUUM of the relation completed,
	// VACUUM FULL not counted (pg_stat_all_tables; up to half a second late on 13 and 14).
	VacuumCount     int64 `json:"vacuum_count"`
	AutovacuumCount int64 `json:"autovacuum_count"`
	// AnalyzeCount and AutoanalyzeCount are the same for ANALYZE.
	AnalyzeCount     int64 `json:"analyze_count"`
	AutoanalyzeCount int64 `json:"autoanalyze_count"`
	// LastVacuum and LastAutovacuum are when one completed last, VACUUM FULL not
	// counted (pg_stat_all_tables); absent when none has since the statistics were reset.
	LastVacuum     Opt[time.Time] `json:"last_vacuum,omitzero"`
	LastAutovacuum Opt[time.Time] `json:"last_autovacuum,omitzero"`
	// LastAnalyze and LastAutoanalyze are the same for ANALYZE.
	LastAnalyze     Opt[time.Time] `json:"last_analyze,omitzero"`
	LastAutoanalyze Opt[time.Time] `json:"last_autoanalyze,omitzero"`
	// TotalVacuumTime and TotalAutovacuumTime are what the counted ones took together
	// (18+), on the wall, delay included.
	TotalVacuumTime     Opt[time.Duration] `json:"total_vacuum_time_ns,omitzero"`
	TotalAutovacuumTime Opt[time.Duration] `json:"total_autovacuum_time_ns,omitzero"`
	// LiveTuples and DeadTuples are the statistics' running estimates; a VACUUM
	// changes them when it is done.
	LiveTuples int64 `json:"live_tuples"`
	DeadTuples int64 `json:"dead_tuples"`
	// ReadAt is the server's clock when the entry was read; absent when that was in
	// the beat that has it.
	ReadAt Opt[time.Time] `json:"read_at,omitzero"`
}

// Database is one row of pg_database. Every role may read it.
type Database struct {
	DatID            uint32 `json:"datid"`
	Name             Text   `json:"name,omitzero"`
	XIDAge           int64  `json:"xid_age"`           // age(datfrozenxid), transaction ids
	MXIDAge          int64  `json:"mxid_age"`          // mxid_age(datminmxid), multixact ids
	AllowConnections bool   `json:"allow_connections"` // datallowconn
}

// RelationName is a table's name.
type RelationName struct{ Schema, Name Text }

// Index is one index of a relation.
type Index struct {
	RelID        uint32 `json:"relid"`
	Name         Text   `json:"name,omitzero"`
	AccessMethod Text   `json:"access_method,omitzero"`
	RelPages     Blocks `json:"relpages"` // as of the last VACUUM or ANALYZE
}

// EventKind says what an Event is.
type EventKind string

// The kinds of events.
const (
	EventConnected EventKind = "connected" // a connection was made (again)
	EventLost      EventKind = "lost"      // the connection was lost; Text says how
	EventRetry     EventKind = "retry"     // an attempt to connect failed; Until is the next one
	EventNotice    EventKind = "notice"    // a message of a statement that this program runs
	EventNote      EventKind = "note"      // what the source wants the person to know ("next run in 10 s")
	EventStarted   EventKind = "started"   // this program sent a VACUUM; PID, Text the statement, Settings
	EventLaunched  EventKind = "launched"  // an index phase of it launched its workers; PID, Launch
	EventEnded     EventKind = "ended"     // it ended; PID, Result
	EventPrior     EventKind = "prior"     // what is known of vacuums of a table from earlier; Prior
	EventCached    EventKind = "cached"    // what of a database was in shared buffers; Cached
	EventCaption   EventKind = "caption"   // what a demonstration shows now; Caption
	EventCommand   EventKind = "command"   // this program sent a statement that changes the server; Text, Result
)

// Event is something that did not come from a poll, stamped with the server's
// clock (client monotonic time plus the offset measured at the last round trip).
type Event struct {
	At    time.Time      `json:"at,omitzero"`
	Kind  EventKind      `json:"kind,omitzero"`
	PID   int32          `json:"pid,omitzero"` // the server process it is about; 0: none
	Text  Text           `json:"text,omitzero"`
	Until Opt[time.Time] `json:"until,omitzero"` // EventRetry: when the next attempt is made

	Settings []Setting `json:"settings,omitzero"` // EventStarted: what governs its work, as its session has it
	Launch   *Launch   `json:"launch,omitzero"`   // EventLaunched
	Prior    *Prior    `json:"prior,omitzero"`    // EventPrior
	// Cached is of an EventCached: the relations with most buffers, the most first, at
	// most MostCached.
	Cached []CachedRelation `json:"cached,omitzero"`
	Result *Result          `json:"result,omitzero"` // EventEnded, EventCommand

	Caption *Caption `json:"caption,omitzero"` // EventCaption
}

// CachedRelation is how many shared buffers hold pages of a relation (pg_buffercache).
type CachedRelation struct {
	DatID   uint32 `json:"datid"` // 0 for a shared relation
	RelID   uint32 `json:"relid"`
	Name    Text   `json:"name,omitzero"`
	Buffers Blocks `json:"buffers"`
	Dirty   Blocks `json:"dirty"` // of them
}

// Problem is a part of a beat that failed.
type Problem struct {
	Part     string `json:"part,omitzero"`     // what was being read, in words: "progress and activity"
	SQLState string `json:"sqlstate,omitzero"` // "" when the server did not say
	Message  Text   `json:"message,omitzero"`
}

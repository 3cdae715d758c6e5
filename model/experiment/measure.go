package experiment

import (
	"time"

	"example.com/vacscope/model"
)

// Measures are what was read of one run, from its begin to its end. What the server's
// version does not give is absent.
type Measures struct {
	// WAL is what all sessions wrote (pg_stat_wal 14+; 13: its bytes alone, by the
	// position of insertion).
	WAL WAL
	// WALBackends are the WAL files' I/O by type of backend (pg_stat_io, 18+).
	WALBackends []WALBackend
	IO          IO
	// Waits are samples of all active backends.
	Waits []Wait
	// WaitInterval is the time between two of these samples.
	WaitInterval time.Duration
	Rows         Rows
	Pages        Pages
	// Latency is of the statements of the workload's clients; empty where none are measured.
	Latency Latency
	// Durations are of work that takes longer than a statement, by what it is: "COPY".
	Durations []Durations
	// Vacuums are those of the workload's tables, by their start. Each lies within the run
	// at least in part.
	Vacuums []Vacuum
	// VacuumsFrom says where they were read.
	VacuumsFrom string
}

// WAL is what was written of it.
type WAL struct {
	Bytes          model.Opt[model.Bytes]
	Records        model.Opt[int64]
	FullPageImages model.Opt[int64] // 14+
}

// WALBackend is how much of the WAL's files one type of backend initialised and wrote.
type WALBackend struct {
	Backend     string // backend_type: "client backend", "autovacuum worker"
	Initialised model.Opt[model.Bytes]
	Written     model.Opt[model.Bytes]
}

// IO is the reading and writing of pages of relations.
type IO struct {
	// From names the view: "pg_stat_io" (16+), "pg_stat_bgwriter" (before).
	From string
	// CheckpointerWriter are pages written by checkpointer and background writer.
	CheckpointerWriter model.Opt[int64]
	// OtherReads and OtherWrites are operations of all other backends. Before 16 the
	// writes are buffers_backend, and the reads are those of pg_stat_database (blks_read).
	OtherReads, OtherWrites model.Opt[int64]
	// AutovacuumTime is the time that autovacuum workers spent reading, writing and
	// syncing; absent before 16, and with track_io_timing off.
	AutovacuumTime model.Opt[time.Duration]
}

// Wait is how often active backends were seen in one wait event.
type Wait struct {
	Backend string // backend_type
	Type    string // wait_event_type; "" while on the CPU
	Event   string // wait_event; "" while on the CPU
	Samples int
}

// Rows are what clients did to the workload's tables.
type Rows struct {
	Inserted, Updated, UpdatedHOT, Deleted int64
}

// HOT is the share of the updates that needed no new index entries; absent without updates.
func (r Rows) HOT() model.Opt[model.Ratio] { return ratio(r.UpdatedHOT, r.Updated) }

// Pages are what happened to pages of the workload's tables.
type Pages struct {
	// Frozen and TuplesFrozen are of vacuums, by what the server logs of each; absent
	// where the log's lines do not say.
	Frozen, TuplesFrozen model.Opt[int64]
	// TuplesPrunedOnAccess are dead row versions that others than VACUUM removed: those that
	// updates and deletes made, less those that vacuums removed (the log) and those that are
	// left (n_dead_tup). An estimate: that is one itself.
	TuplesPrunedOnAccess model.Opt[int64]
}

func ratio(part, whole int64) model.Opt[model.Ratio] {
	if whole <= 0 {
		return model.None[model.Ratio]()
	}
	return model.Some(model.Ratio(float64(part) / float64(whole)))
}

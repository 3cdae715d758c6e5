package model

import "time"

// QueueRead is one reading of what autovacuum goes by in the connected database.
type QueueRead struct {
	// Tables are the tables, materialized views and TOAST relations, without temporary
	// ones, that are at half of a threshold or more, that have autovacuum options of
	// their own, or that are the oldest; of those the fullest MaxQueueTables.
	Tables []QueueTable `json:"tables,omitzero"`
	// Holders are who has, or waits for, a lock with which autovacuum passes a table
	// over; nil when they could not be read.
	Holders []Holder `json:"holders,omitzero"`
}

// MaxQueueTables bounds the tables of a reading, beside the oldest.
const MaxQueueTables = 500

// QueueTable is one table with the counts that autovacuum compares with thresholds,
// from pg_class and the cumulative statistics.
type QueueTable struct {
	RelID   uint32        `json:"relid"`
	Schema  Text          `json:"schema,omitzero"`
	Name    Text          `json:"name,omitzero"`
	Kind    Text          `json:"relkind,omitzero"` // r, m, t (TOAST)
	ToastOf *RelationName `json:"toast_of,omitzero"`

	RelTuples    float64     `json:"reltuples"` // 0 when it was never vacuumed or analyzed
	RelPages     Blocks      `json:"relpages"`
	RelAllFrozen Opt[Blocks] `json:"relallfrozen,omitzero"` // 18+

	DeadTuples      int64 `json:"n_dead_tup"`
	InsSinceVacuum  int64 `json:"n_ins_since_vacuum"`
	ModSinceAnalyze int64 `json:"n_mod_since_analyze"`

	XIDAge  int64 `json:"xid_age"`  // age(relfrozenxid)
	MXIDAge int64 `json:"mxid_age"` // mxid_age(relminmxid)

	RelOptions   []Text `json:"reloptions,omitzero"`    // "name=value"
	OwnerOptions []Text `json:"owner_options,omitzero"` // of the table that a TOAST relation belongs to

	// LastVacuum and LastAnalyze are when the last one ended, manual or by autovacuum;
	// absent when none has since the statistics were reset.
	LastVacuum  Opt[time.Time] `json:"last_vacuum,omitzero"`
	LastAnalyze Opt[time.Time] `json:"last_analyze,omitzero"`

	// Score is what the server itself says of the table (pg_stat_autovacuum_scores,
	// 19+); nil before.
	Score *QueueScore `json:"score,omitzero"`
}

// QueueScore is a row of pg_stat_autovacuum_scores: the order in which autovacuum goes,
// the highest first, and what it would do.
type QueueScore struct {
	Score         float64 `json:"score"`
	DoVacuum      bool    `json:"do_vacuum"`
	DoAnalyze     bool    `json:"do_analyze"`
	ForWraparound bool    `json:"for_wraparound"`
}

// Display is how the table is called, safe to print: a TOAST relation by its table.
func (t QueueTable) Display() string {
	if t.ToastOf != nil {
		return "TOAST of " + t.ToastOf.Display()
	}
	return RelationName{t.Schema, t.Name}.Display()
}

// options are those that autovacuum goes by.
func (t QueueTable) options() []Text { return autovacuumOptions(t.RelOptions, t.OwnerOptions) }

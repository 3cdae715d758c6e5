package model

import (
	"fmt"
	"time"
)

// TableChoice is a table that can be vacuumed, as the catalog and the statistics
// tell of it. Nothing is locked to read it.
type TableChoice struct {
	RelID       uint32
	Name        RelationName
	Partitioned bool           // its partitions are vacuumed; it has no pages of its own
	RelPages    Opt[Blocks]    // estimate, as of the last VACUUM or ANALYZE; absent when there was none, up to 13 also when it was empty then
	Rows        Opt[int64]     // n_live_tup and n_dead_tup, an estimate, where RelPages is absent; absent where the statistics know of none
	DeadTuples  Opt[int64]     // n_dead_tup, an estimate; absent for a partitioned table
	LastVacuum  Opt[time.Time] // the later of last_vacuum and last_autovacuum; absent when never
	Allowed     bool           // this role may vacuum it
}

// TableHolder is a session whose lock on a table a VACUUM of it would wait for.
type TableHolder struct {
	PID int32 // 0: a prepared transaction
	// Autovacuum tells that it is an autovacuum worker: a session that waits for it
	// longer than its deadlock_timeout makes the server cancel it.
	Autovacuum bool
	// AntiWraparound tells that it is one that gives no way.
	AntiWraparound bool
	Query          Text // "" when this role may not see it
}

// String says who it is, safe to print.
func (h TableHolder) String() string {
	switch {
	case h.AntiWraparound:
		return fmt.Sprintf("an autovacuum to prevent wraparound (pid %d), which gives no way", h.PID)
	case h.Autovacuum:
		return fmt.Sprintf("an autovacuum (pid %d)", h.PID)
	case h.PID == 0:
		return "a prepared transaction"
	case h.Query == "":
		return fmt.Sprintf("pid %d", h.PID)
	}
	const long = 60
	text := []rune(h.Query.Display())
	if len(text) > long {
		text = append(text[:long], []rune(" ...")...)
	}
	return fmt.Sprintf("pid %d (%s)", h.PID, string(text))
}

// VacuumReview is what is known of a plan before it is sent.
type VacuumReview struct {
	Table RelationName
	// Statements are what will be sent, in order: the settings of its session, then
	// the VACUUM.
	Statements []Text
	// Settings are those that govern its work, as its session will have them.
	Settings []Setting
	// Holders are those that it would wait for, autovacuums first.
	Holders []TableHolder
	// Waiting is how many sessions wait for a lock on the table already.
	Waiting int
	// Allowed tells whether this role may vacuum the table: else the server skips it.
	Allowed bool
	// Workers is how many parallel workers can be given here, and WorkersWhy what
	// makes it so many; absent for FULL.
	Workers    Opt[int]
	WorkersWhy string
}

// SettingInfo is one setting of the server that governs vacuums, from pg_settings.
type SettingInfo struct {
	Setting
	Default  Opt[string] // boot_val, in the same unit
	Min, Max Opt[string] // absent for words
	Words    []Text      // what an enum or a bool can be
	Context  string      // internal, postmaster, sighup, superuser, user ...
	What     Text        // short_desc, in the server's language
	// NoAlterSystem says why this role cannot change it for the whole server, and what
	// would bring that; "" where it can.
	NoAlterSystem string
	// PendingRestart tells that the file holds another value, for after a restart.
	PendingRestart bool
}

// Sent is a VACUUM that this program sent and that has not ended.
type Sent struct {
	PID   int32
	Table RelationName
	// Verbose tells that the server sends messages while it runs: without a client to
	// take them it ends.
	Verbose bool
}

// WithoutUs says what becomes of it when this program leaves, and how to end it.
func (s Sent) WithoutUs() string {
	fate := "goes on"
	if s.Verbose {
		fate = "goes on until the server has something to say (it is VERBOSE: when workers begin and when it ends), and then may end undone"
	}
	return fmt.Sprintf("the VACUUM of %s (pid %d) %s; SELECT pg_cancel_backend(%d) ends it at once", s.Table.Display(), s.PID, fate, s.PID)
}

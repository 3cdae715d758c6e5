package model

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// wrap is how far ids can be told apart: half of the 2^32 there are. The server
// counts from the oldest id to MaxTransactionId >> 1 behind it, and refuses and
// warns some way before (SetTransactionIdLimit in varsup.c, SetMultiXactIdLimit in
// multixact.c).
const wrap = math.MaxUint32 >> 1

// Edge is how far one count of ids has come to where the server acts on it.
type Edge struct {
	Of   EdgeOf
	Name Text // of the database, where Of is one; of a table of the queue, as Display
	// Multixacts tells that multixact ids are counted; else transaction ids.
	Multixacts bool
	Age        int64 // age(relfrozenxid), age(datfrozenxid), or mxid_age of their multixacts
	Limits     []EdgeLimit
}

// EdgeOf says what has the age.
type EdgeOf string

// What can have an age: the table that is vacuumed, its database, and the oldest
// database of the cluster where that is another one. Those of a database are the
// oldest of its tables'; the oldest of all stops the cluster.
const (
	EdgeTable    EdgeOf = "table"
	EdgeDatabase EdgeOf = "database"
	EdgeOldest   EdgeOf = "oldest_database"
)

// The limits of an age, in the order in which it reaches them.
const (
	LimitAutovacuum = "autovacuum" // autovacuum vacuums the table against wraparound, even where it is off
	LimitFailsafe   = "failsafe"   // its vacuum leaves out everything else and does not sleep (14+)
	LimitWarning    = "warning"    // every statement that takes an id warns
	LimitStop       = "stop"       // no id is given out: nothing can be written
)

// EdgeLimit is one age at which the server acts.
type EdgeLimit struct {
	Limit string // LimitAutovacuum, ...
	At    int64  // the age
	// Left is how many ids are left to it; 0 when it was passed.
	Left int64
	// In is the time to it at the rate seen: an estimate. Absent while the rate is
	// not known or no id is used, and beyond maxEdge.
	In Opt[time.Duration]
	// Far tells that In lies beyond maxEdge.
	Far bool
}

// maxEdge is the longest time that is estimated: what comes later does not matter.
const maxEdge = 10 * 365 * 24 * time.Hour

// LimitOf returns one of the limits; absent where this version has none, or the
// setting is not known.
func (e Edge) LimitOf(limit string) Opt[EdgeLimit] {
	for _, l := range e.Limits {
		if l.Limit == limit {
			return Some(l)
		}
	}
	return None[EdgeLimit]()
}

// Edges says how far the run's table, its database and the oldest database of the
// cluster are from where the server acts on their age, as last read. What is not
// known is left out: the table of another database has no age here.
func (s *Snapshot) Edges(r *Run) []Edge {
	rel := r.Relation
	if rel == nil {
		return s.databaseEdges(r.Key.DatID, Database{})
	}
	table := s.edges(EdgeTable, "", rel.XIDAge, rel.MXIDAge, rel.autovacuumOptions())
	return append(table, s.databaseEdges(r.Key.DatID, Database{DatID: rel.DatID, XIDAge: rel.XIDAge.Or(0), MXIDAge: rel.MXIDAge.Or(0)})...)
}

// edges are those of what has both ages, as far as they are known.
func (s *Snapshot) edges(of EdgeOf, name Text, xids, mxids Opt[int64], options []Text) []Edge {
	var out []Edge
	if age, ok := xids.Get(); ok {
		out = append(out, s.edge(Edge{Of: of, Name: name, Age: max(0, age)}, options))
	}
	if age, ok := mxids.Get(); ok {
		out = append(out, s.edge(Edge{Of: of, Name: name, Age: max(0, age), Multixacts: true}, options))
	}
	return out
}

// databaseEdges are those of a database, which is as old as its tables, and of the
// oldest one where that is another. least are ages of the database's tables that were
// read later.
func (s *Snapshot) databaseEdges(datid uint32, least Database) []Edge {
	var out []Edge
	own, known := s.database(datid).Get()
	if known && least.DatID == own.DatID {
		own.XIDAge, own.MXIDAge = max(own.XIDAge, least.XIDAge), max(own.MXIDAge, least.MXIDAge)
	}
	if known {
		out = s.edges(EdgeDatabase, own.Name, Some(own.XIDAge), Some(own.MXIDAge), nil)
	}
	oldest, any := s.oldest().Get()
	if any && (!known || oldest.DatID != own.DatID && oldest.XIDAge > own.XIDAge) {
		out = append(out, s.edges(EdgeOldest, oldest.Name, Some(oldest.XIDAge), Some(oldest.MXIDAge), nil)...)
	}
	return out
}

// maxOldTables is how many of the oldest tables OldestEdges tells of.
const maxOldTables = 5

// OldestEdges says how far the connected database, the oldest database of the cluster
// and the oldest tables of the queue are from where the server acts on their age: of a
// table the count that is nearer to autovacuum's limit, the nearest table first.
func (s *Snapshot) OldestEdges() []Edge {
	var tables []Edge
	for _, t := range s.Queued() {
		both := s.edges(EdgeTable, Text(t.Display()), Some(t.XIDAge), Some(t.MXIDAge), t.options())
		tables = append(tables, slices.MaxFunc(both, byNearness))
	}
	slices.SortStableFunc(tables, func(a, b Edge) int { return byNearness(b, a) })
	return append(s.databaseEdges(s.Server.DatID, Database{}), tables[:min(len(tables), maxOldTables)]...)
}

// byNearness orders edges by the part of the way to autovacuum's limit that is over, or
// where that is not known by their age.
func byNearness(a, b Edge) int {
	x, known := a.LimitOf(LimitAutovacuum).Get()
	y, both := b.LimitOf(LimitAutovacuum).Get()
	if !known || !both || x.At <= 0 || y.At <= 0 {
		return cmp.Compare(a.Age, b.Age)
	}
	return cmp.Compare(float64(a.Age)/float64(x.At), float64(b.Age)/float64(y.At))
}

// aged is a database with its ages as they have grown since they were read.
func (s *Snapshot) aged(d Database) Database {
	d.XIDAge += min(s.XIDsSince, math.MaxInt64-max(0, d.XIDAge))
	d.MXIDAge += min(s.MXIDsSince, math.MaxInt64-max(0, d.MXIDAge))
	return d
}

func (s *Snapshot) database(datid uint32) Opt[Database] {
	for _, d := range s.Databases {
		if d.DatID == datid {
			return Some(s.aged(d))
		}
	}
	return None[Database]()
}

// oldest is the database by which the cluster stops; absent before they were read.
func (s *Snapshot) oldest() Opt[Database] {
	var out Opt[Database]
	for _, d := range s.Databases {
		if !out.Known() || d.XIDAge > out.Or(Database{}).XIDAge {
			out = Some(d)
		}
	}
	if d, ok := out.Get(); ok {
		return Some(s.aged(d))
	}
	return out
}

// edge fills in the limits. options are those of the table: it can have a smaller
// autovacuum_freeze_max_age of its own. That of multixacts can be smaller than the
// setting while their members fill the disk, which cannot be seen.
func (s *Snapshot) edge(e Edge, options []Text) Edge {
	kind, rate := limits{"autovacuum_freeze_max_age", "vacuum_failsafe_age", false}, s.XIDRate
	if e.Multixacts {
		kind, rate = limits{"autovacuum_multixact_freeze_max_age", "vacuum_multixact_failsafe_age", true}, s.MXIDRate
	}
	add := func(limit string, at int64) {
		l := EdgeLimit{Limit: limit, At: at, Left: max(0, at-e.Age)}
		l.In, l.Far = timeTo(l.Left, rate)
		e.Limits = append(e.Limits, l)
	}
	freeze, known := settingInt(s.Settings, kind.freezeMaxAge)
	if known {
		at := int64(freeze)
		if own, ok := optionNumber(options, kind.freezeMaxAge); ok {
			at = min(at, int64(own))
		}
		add(LimitAutovacuum, at)
	}
	if failsafe, ok := settingInt(s.Settings, kind.failsafeAge); ok && known {
		add(LimitFailsafe, failsafeAt(failsafe, freeze))
	}
	stop, warning := kind.stops(s.Server.VersionNum)
	add(LimitWarning, wrap-warning)
	add(LimitStop, wrap-stop)
	return e
}

// failsafeAt is the age from which a vacuum is in failsafe mode: vacuum_failsafe_age,
// and never less than 1.05 times autovacuum_freeze_max_age (vacuum_xid_failsafe_check
// in vacuum.c; likewise for multixacts).
func failsafeAt(failsafe, freezeMax int) int64 {
	const floor = 1.05
	return max(int64(failsafe), int64(floor*float64(freezeMax)))
}

// limits are the settings of one count of ids.
type limits struct {
	freezeMaxAge, failsafeAge string
	multixacts                bool
}

// stops is how many ids before the wrap the server refuses to give out another,
// and from how many on it warns. The sources say 3 million and 40 million from 14
// on; in 13 a million and 11 million, of multixacts 100 and 10,000,100; in 19 it
// warns from 100 million on. The programs of 13, 14 to 18 and 19rc1 hold the same
// constants.
func (l limits) stops(version int) (stop, warning int64) {
	switch {
	case version >= 190000:
		return 3_000_000, 100_000_000
	case version >= 140000:
		return 3_000_000, 40_000_000
	case l.multixacts:
		return 100, 10_000_100
	}
	return 1_000_000, 11_000_000
}

// timeTo is how long ids last at a rate; far tells that it is longer than anybody
// need know.
func timeTo(left int64, rate Opt[IDRate]) (in Opt[time.Duration], far bool) {
	r, ok := rate.Get()
	if !ok || r.PerSecond <= 0 {
		return None[time.Duration](), false
	}
	s := float64(left) / float64(r.PerSecond)
	if s > maxEdge.Seconds() {
		return None[time.Duration](), true
	}
	return Some(seconds(s)), false
}

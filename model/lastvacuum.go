package model

import "time"

// LastVacuum is what the cumulative statistics say of the vacuums of one table of
// the connected database (pg_stat_all_tables): those that completed, VACUUM FULL
// not among them.
type LastVacuum struct {
	RelID  uint32        `json:"relid"`
	Schema Text          `json:"schema,omitzero"`
	Name   Text          `json:"name,omitzero"`
	Manual VacuumHistory `json:"manual,omitzero"`
	Auto   VacuumHistory `json:"auto,omitzero"`
}

// Display is the table's name as identifiers with a dot, safe to print.
func (v LastVacuum) Display() string { return RelationName{v.Schema, v.Name}.Display() }

// VacuumHistory counts the vacuums of one kind since the statistics were reset.
type VacuumHistory struct {
	Last  Opt[time.Time]     `json:"last,omitzero"`     // when the last one ended; absent when there was none
	Count int64              `json:"count"`             // how many there were
	Total Opt[time.Duration] `json:"total_ns,omitzero"` // how long they took together; absent before 18
}

// Mean is how long one took on average; absent before 18 and when there was none.
func (h VacuumHistory) Mean() Opt[time.Duration] {
	total, known := h.Total.Get()
	if !known || h.Count <= 0 {
		return None[time.Duration]()
	}
	return Some(total / time.Duration(h.Count))
}

// Latest is the kind of the table's last vacuum, ByManual or ByAutovacuum, and that
// kind's history.
func (v LastVacuum) Latest() (by string, h VacuumHistory) {
	if v.Auto.Last.Or(time.Time{}).After(v.Manual.Last.Or(time.Time{})) {
		return ByAutovacuum, v.Auto
	}
	return ByManual, v.Manual
}

// sameVacuum is how far apart the statistics' end of a vacuum and the end that was
// seen can be.
const sameVacuum = 5 * time.Second

// Unseen are the last vacuums that no run of the snapshot stands for.
func (s *Snapshot) Unseen() []LastVacuum {
	var out []LastVacuum
	for _, v := range s.LastVacuums {
		_, latest := v.Latest()
		if !s.sawEnd(v.RelID, latest.Last.Or(time.Time{})) {
			out = append(out, v)
		}
	}
	return out
}

// sawEnd tells whether a run of the connected database's table ended at about that
// time, or later.
func (s *Snapshot) sawEnd(relid uint32, at time.Time) bool {
	for _, r := range s.Ended {
		if r.Key.RelID == relid && r.Key.DatID == s.Server.DatID && r.End != nil && r.End.At.Add(sameVacuum).After(at) {
			return true
		}
	}
	return false
}

package model

import (
	"slices"
	"time"
)

// MostCached is how many relations a reading of shared buffers has at most: those with
// most buffers.
const MostCached = 1000

// CachedRead is one reading of the shared buffers of a database (EventCached).
type CachedRead struct {
	At        time.Time
	Relations []CachedRelation // the one with most buffers first
}

// Of is what it says of a relation, which may have no buffer; absent for a relation of
// another database, and for one that was not among those with most buffers.
func (c *CachedRead) Of(datid, relid uint32) Opt[CachedRelation] {
	here := false
	for _, r := range c.Relations {
		if r.RelID == relid && (r.DatID == datid || r.DatID == 0) {
			return Some(r)
		}
		here = here || r.DatID == datid
	}
	if !here || len(c.Relations) >= MostCached {
		return None[CachedRelation]()
	}
	return Some(CachedRelation{DatID: datid, RelID: relid})
}

// readCached keeps the first reading and the last one.
func (t *Tracker) readCached(e Event) {
	t.cached = append(slices.Clone(t.cached[:min(len(t.cached), 1)]), CachedRead{e.At, e.Cached})
}

package model

import (
	"slices"
	"time"
)

// knownRelation is a catalog entry and when it was read.
type knownRelation struct {
	Relation
	at time.Time
}

// learn takes catalog entries; of the earlier ones those of relations in sight stay.
func (t *Tracker) learn(at time.Time, relations []Relation) {
	known := make(map[uint32]knownRelation, len(relations))
	for _, r := range t.active {
		if rel, ok := t.relations[r.run.Key.RelID]; ok {
			known[rel.RelID] = rel
		}
	}
	for _, w := range t.waits {
		if rel, ok := t.relations[w.RelID.Or(0)]; ok {
			known[rel.RelID] = rel
		}
	}
	for _, rel := range relations {
		known[rel.RelID] = knownRelation{rel, at}
	}
	t.relations = known
	t.nameEnded()
}

// nameEnded names the runs that were over before their relation had been read.
// Names come a beat after a relation is first seen, so only the latest can lack one.
func (t *Tracker) nameEnded() {
	for i, run := range t.ended[:min(len(t.ended), maxUnnamed)] {
		rel, ok := t.relation(run.Key.DatID, run.Key.RelID)
		if !ok || run.Table.Known() {
			continue
		}
		named := *run
		named.name(rel.Relation)
		t.ended = slices.Clone(t.ended)
		t.ended[i] = &named
	}
}

// relation finds a catalog entry: only of the connected database, or of a shared
// catalog. A relation of another database may have the same number as a local one.
func (t *Tracker) relation(datid, relid uint32) (knownRelation, bool) {
	rel, ok := t.relations[relid]
	if !ok || (datid != t.server.DatID && rel.DatID != 0) {
		return knownRelation{}, false
	}
	return rel, true
}

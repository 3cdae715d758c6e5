package model

import (
	"slices"
	"time"
)

// maxRelations bounds the catalog entries kept: far more than vacuums run at once.
const maxRelations = 5000

// relationKey identifies a relation of the cluster: databases number theirs alike.
// datid is 0 for a shared catalog.
type relationKey struct{ datid, relid uint32 }

// knownRelation is a catalog entry and when it was read.
type knownRelation struct {
	Relation
	at time.Time
}

// learn takes catalog entries; of the earlier ones those that are still asked for
// stay.
func (t *Tracker) learn(at time.Time, relations []Relation) {
	known := make(map[relationKey]knownRelation, len(relations))
	for _, rel := range relations[:min(len(relations), maxRelations)] {
		known[relationKey{rel.DatID, rel.RelID}] = knownRelation{rel, rel.ReadAt.Or(at)}
	}
	for _, key := range t.relationsInUse() {
		_, again := known[key]
		if rel, ok := t.relations[key]; ok && !again && len(known) < maxRelations {
			known[key] = rel
		}
	}
	t.relations = known
	t.nameEnded()
}

// relationsInUse are the relations of what is in sight, and of runs whose result
// may still show. One that is read in the connected database's catalog can stand
// for a shared one, or lend its name.
func (t *Tracker) relationsInUse() []relationKey {
	var keys []relationKey
	add := func(datid, relid uint32) {
		keys = append(keys, relationKey{datid, relid}, relationKey{0, relid})
		if relid < firstUserOID {
			keys = append(keys, relationKey{t.server.DatID, relid})
		}
	}
	for _, r := range t.active {
		add(r.run.Key.DatID, r.run.Key.RelID)
	}
	for _, w := range t.waits {
		add(w.datid, w.RelID.Or(0))
	}
	for _, a := range t.analyzes {
		add(a.DatID, a.Progress.RelID)
	}
	for _, run := range t.ended[:min(len(t.ended), maxUnnamed)] {
		if run.End.Open {
			add(run.Key.DatID, run.Key.RelID)
		}
	}
	return keys[:min(len(keys), maxRelations)]
}

// nameEnded names the runs that were over before their relation had been read.
// Names come a beat after a relation is first seen (of another database a little
// later), so only the latest can lack one.
func (t *Tracker) nameEnded() {
	var ended []*Run // a copy, once a name has come
	for i, run := range t.ended[:min(len(t.ended), maxUnnamed)] {
		rel, ok := t.relation(run.Key.DatID, run.Key.RelID)
		if !ok || run.Table.Known() {
			continue
		}
		if ended == nil {
			ended = slices.Clone(t.ended)
			t.ended = ended
		}
		named := *run
		named.name(rel.Relation)
		ended[i] = &named
	}
}

// relation finds a catalog entry: of that database, or of a shared catalog. A
// relation of another database may have the same number as a local one.
func (t *Tracker) relation(datid, relid uint32) (knownRelation, bool) {
	for _, key := range []relationKey{{datid, relid}, {0, relid}} {
		if rel, ok := t.relations[key]; ok {
			return rel, true
		}
	}
	return knownRelation{}, false
}

// firstUserOID is where the numbers of user relations begin. Below it every
// database has the same catalogs under the same numbers.
const firstUserOID = 16384

// Where the name of a run's relation comes from.
const (
	NameFromCatalog   = "catalog"
	NameFromStatement = "statement" // autovacuum's own text
	NameFromLikeness  = "likeness"  // the catalog of that number in the connected database
)

// name finds out what the run's relation is called: from its database's catalog,
// else from the text that autovacuum writes, else, of a system catalog with a fixed
// number, from its like here (which tells nothing else of it).
func (t *Tracker) name(run *Run) (rel knownRelation, known bool) {
	key := run.Key
	if rel, known = t.relation(key.DatID, key.RelID); known {
		run.name(rel.Relation)
		return rel, true
	}
	run.NameMissing = t.nameMissing[key.DatID]
	if name, ok := AutovacuumTarget(run.Statement.Or("")); ok && key.RelID != 0 {
		run.Schema, run.Table, run.NameSource = Some(name.Schema), Some(name.Name), NameFromStatement
	} else if like, ok := t.relations[relationKey{t.server.DatID, key.RelID}]; ok && key.RelID < firstUserOID {
		run.Schema, run.Table, run.NameSource = Some(like.Schema), Some(like.Name), NameFromLikeness
	}
	return knownRelation{}, false
}

// name takes what the catalog says of the relation.
func (r *Run) name(rel Relation) {
	r.Schema, r.Table, r.Indexes, r.NameSource, r.NameMissing = Some(rel.Schema), Some(rel.Name), rel.Indexes, NameFromCatalog, ""
	r.Relation = &rel
	if rel.ToastOf != nil {
		r.ToastOf = Some(*rel.ToastOf)
	}
}

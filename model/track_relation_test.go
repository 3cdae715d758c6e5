package model

import (
	"slices"
	"strings"
	"testing"
)

// elsewhereRun folds a vacuum of a relation in database 9, watched from database 5,
// with what a poll brings beside it.
func elsewhereRun(t *testing.T, relid uint32, query Text, change func(*Poll)) (*Snapshot, *Run) {
	t.Helper()
	p := scanning(5, 10)
	p.RelID = relid
	proc := vacuumer(p)
	proc.DatID, proc.Database = Some[uint32](9), Some[Text]("other")
	if query != "" {
		proc.Query, proc.BackendType = Some(query), Some[Text](autovacuumWorker)
	}
	s := beat(2, 1000, proc)
	change(s.Poll)
	snap := last(fold([]Sample{beat(1, -5), s}))
	return snap, onlyRun(t, snap)
}

// A number alone says nothing across databases: a local relation of the same number
// lends neither its name nor anything else.
func TestASameNumberedLocalRelationIsAnotherOne(t *testing.T) {
	local := Relation{DatID: 5, RelID: 16458, Schema: "public", Name: "mine", Indexes: []Index{{RelID: 1}}}
	there := Relation{DatID: 9, RelID: 16458, Schema: "s", Name: "theirs"}
	for name, c := range map[string]struct {
		relations []Relation
		query     Text
		want      string
		source    string
	}{
		"not read yet":          {[]Relation{local}, "", "relation 16458 in other", ""},
		"read there":            {[]Relation{local, there}, "", "s.theirs in other", NameFromCatalog},
		"by autovacuum":         {[]Relation{local}, "autovacuum: VACUUM public.t", "public.t in other", NameFromStatement},
		"the catalog is better": {[]Relation{there, local}, "autovacuum: VACUUM public.t", "s.theirs in other", NameFromCatalog},
		"two dots":              {[]Relation{local}, "autovacuum: VACUUM a.b.c", "relation 16458 in other", ""},
	} {
		t.Run(name, func(t *testing.T) {
			snap, run := elsewhereRun(t, 16458, c.query, func(p *Poll) { p.Relations = c.relations })
			if got := snap.NameOf(run); got != c.want || run.NameSource != c.source || run.Indexes != nil {
				t.Errorf("%q from %q with indexes %v, want %q from %q", got, run.NameSource, run.Indexes, c.want, c.source)
			}
		})
	}
}

// Every database has pg_class under the same number, and each has its own.
func TestACatalogOfAnotherDatabaseHasItsNameOnly(t *testing.T) {
	snap, run := elsewhereRun(t, 1259, "", func(p *Poll) {
		p.Relations = []Relation{{DatID: 5, RelID: 1259, Schema: "pg_catalog", Name: "pg_class", Indexes: []Index{{RelID: 2662}}, VacuumCount: 7}}
	})
	if snap.NameOf(run) != "pg_catalog.pg_class in other" || run.NameSource != NameFromLikeness || run.Indexes != nil || run.counted.Known() {
		t.Errorf("%q from %q, indexes %v, count %v", snap.NameOf(run), run.NameSource, run.Indexes, run.counted)
	}
	shared, run := elsewhereRun(t, 1262, "", func(p *Poll) {
		p.Relations = []Relation{{DatID: 0, RelID: 1262, Schema: "pg_catalog", Name: "pg_database", VacuumCount: 7}}
	})
	if shared.NameOf(run) != "pg_catalog.pg_database in other" || run.NameSource != NameFromCatalog || run.counted != Some[int64](7) {
		t.Errorf("a shared catalog: %q from %q, count %v", shared.NameOf(run), run.NameSource, run.counted)
	}
}

// A database that cannot be read is said where its run is looked at, not as a failure.
func TestWhyANameIsMissing(t *testing.T) {
	snap, run := elsewhereRun(t, 16458, "", func(p *Poll) {
		p.Unreadable = []UnreadableDatabase{{9, "it does not accept connections"}}
	})
	said := Verdict(snap, run)
	if len(snap.Problems) > 0 || !slices.ContainsFunc(said, func(s string) bool {
		return strings.Contains(s, "database other, which cannot be read: it does not accept connections")
	}) {
		t.Errorf("problems %v; said %q", snap.Problems, said)
	}
}

// The count of a relation elsewhere is read once a minute: the result can show long
// after the end, and what was read before the end says nothing.
func TestTheResultOfAVacuumElsewhereShowsLater(t *testing.T) {
	for name, c := range map[string]struct {
		count  int64
		readAt int // ms
		how    Ending
		open   bool
	}{
		"completed":                {8, 58_000, EndCompleted, false},
		"not completed":            {7, 58_000, EndNotCompleted, false},
		"a reading from before":    {7, 1_500, EndNotVisible, true},
		"nothing was read in time": {7, 0, EndNotVisible, false},
	} {
		t.Run(name, func(t *testing.T) {
			proc := vacuumer(scanning(5, 10))
			proc.DatID = Some[uint32](9)
			before, after := counted(7), counted(c.count)
			before[0].DatID, after[0].DatID = 9, 9
			first, second := beat(2, 1000, proc), beat(3, 2000, proc)
			second.Poll.Relations = before
			stream := []Sample{beat(1, -5), first, second, beat(4, 3000)}
			at60 := beat(5, 60_000)
			if c.readAt > 0 {
				after[0].ReadAt = Some(at(c.readAt))
				at60.Poll.Relations = after
			}
			stream = append(stream, at60)
			if !c.open {
				stream = append(stream, beat(6, 90_000))
			}
			if end := last(fold(stream)).Ended[0].End; end.How != c.how || end.Open != c.open {
				t.Errorf("%+v, want %s, open %v", end, c.how, c.open)
			}
		})
	}
}

// Whatever a stream brings, what is kept is bounded.
func TestRelationsKeptAreBounded(t *testing.T) {
	var tracker Tracker
	for i := range 3 {
		s := beat(uint64(i+1), 1000*i)
		for n := range maxRelations {
			s.Poll.Relations = append(s.Poll.Relations, Relation{DatID: uint32(6 + i), RelID: uint32(20000 + n)})
		}
		tracker.Step(s)
		if len(tracker.relations) > maxRelations {
			t.Fatalf("%d relations", len(tracker.relations))
		}
	}
}

package model

import (
	"testing"
	"time"
)

func TestReadingsOfSharedBuffersAreTheFirstAndTheLast(t *testing.T) {
	var tracker Tracker
	at := time.Unix(1000, 0).UTC()
	read := func(buffers Blocks) Event {
		at = at.Add(time.Second)
		return Event{At: at, Kind: EventCached, Cached: []CachedRelation{{DatID: 5, RelID: 1, Buffers: buffers}, {RelID: 1260, Buffers: 1}}}
	}
	if s := tracker.Step(Sample{Seq: 1, At: at}); len(s.Cached) > 0 {
		t.Fatalf("read without a reading: %+v", s.Cached)
	}
	before := tracker.Step(Sample{Seq: 2, At: at, Events: []Event{read(10)}})
	after := tracker.Step(Sample{Seq: 3, At: at, Events: []Event{read(20), read(30)}})
	if len(before.Cached) != 1 || len(after.Cached) != 2 {
		t.Fatalf("%d readings, then %d", len(before.Cached), len(after.Cached))
	}
	for i, want := range []Blocks{10, 30} {
		if got := after.Cached[i].Of(5, 1); got.Or(CachedRelation{}).Buffers != want {
			t.Errorf("reading %d says %v", i, got)
		}
	}
	read1 := after.Cached[0]
	for _, c := range []struct {
		datid, relid uint32
		want         Opt[Blocks]
	}{
		{5, 2, Some[Blocks](0)}, // it is not in them
		{5, 1260, Some[Blocks](1)},
		{6, 1, None[Blocks]()}, // of another database
		{6, 1260, Some[Blocks](1)},
	} {
		got := read1.Of(c.datid, c.relid)
		if n, known := c.want.Get(); got.Known() != known || got.Or(CachedRelation{}).Buffers != n {
			t.Errorf("relation %d of database %d: %v, want %v", c.relid, c.datid, got, c.want)
		}
	}
	full := CachedRead{Relations: make([]CachedRelation, MostCached)}
	full.Relations[0] = CachedRelation{DatID: 5, RelID: 1}
	if got := full.Of(5, 2); got.Known() {
		t.Errorf("one that is not among those with most is said to have %v", got)
	}
}

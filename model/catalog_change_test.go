package model

import (
	"testing"
	"time"
)

// What the catalog says of a table before its vacuum and after it; in between it can
// be half written.
func TestTheCatalogBeforeAndAfterAVacuum(t *testing.T) {
	rel := func(seq uint64, ms int, pages Blocks, count int64, processes ...Process) Sample {
		s := beat(seq, ms, processes...)
		s.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t", RelPages: pages, VacuumCount: count}}
		return s
	}
	stream := []Sample{
		beat(1, -5),
		rel(2, 1000, 100, 7, vacuumer(scanning(1, 10))),
		rel(3, 2000, 90, 7, vacuumer(inPhase("performing final cleanup"))),
		rel(4, 3000, 90, 7), // the statistics are late
		rel(5, 3500, 80, 8),
		rel(6, 8000, 70, 9),
	}
	run := last(fold(stream)).Ended[0]
	if run.Before == nil || run.After == nil || run.Before.RelPages != 100 || run.After.RelPages != 80 || run.After.VacuumCount != 8 {
		t.Errorf("before %+v, after %+v", run.Before, run.After)
	}
	if run := last(fold(stream[2:])).Ended[0]; run.Before != nil || run.After != nil {
		t.Errorf("seen from the middle: before %+v, after %+v", run.Before, run.After)
	}
	cancelled := append(stream[:4:4], rel(5, 3000+int(statisticsLag/time.Millisecond), 100, 7))
	if run := last(fold(cancelled)).Ended[0]; run.After == nil || run.After.VacuumCount != 7 {
		t.Errorf("of one that did not complete: %+v", run.After)
	}
}

// Of a table that is vacuumed again the catalog can tell the next one's.
func TestTheCatalogAfterAVacuumIsNotTheNextOnes(t *testing.T) {
	again := vacuumer(scanning(1, 10))
	again.StatementStart = Some(at(2500))
	s := beat(3, 3000, again)
	s.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t", VacuumCount: 8}}
	first := beat(2, 1000, vacuumer(scanning(1, 10)))
	first.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t", VacuumCount: 7}}
	if run := last(fold([]Sample{beat(1, -5), first, s})).Ended[0]; run.After != nil {
		t.Errorf("%+v", run.After)
	}
}

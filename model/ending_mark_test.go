package model

import (
	"encoding/json"
	"strconv"
	"testing"
)

// marked is the table's catalog entry with a count that stays, and pages that a vacuum
// or an analyze counted anew.
func marked(pages Blocks) []Relation {
	rel := counted(7)
	rel[0].RelPages = pages
	return rel
}

// A session whose track_counts is off raises no count: pg_class tells that its vacuum
// completed, unless somebody else can have written it.
func TestAVacuumThatRaisesNoCountIsNotTakenForCancelled(t *testing.T) {
	analyze := Process{PID: 300, DatID: Some[uint32](5), State: Some[Text]("active"), StatementStart: Some(at(1900)), Query: Some[Text]("analyze t"),
		Progress: &Progress{View: ViewAnalyze, RelID: 16384, Phase: Some[Text]("computing statistics")}}
	waiter := Process{PID: 301, DatID: Some[uint32](5), State: Some[Text]("active"), StatementStart: Some(at(1500)), Query: Some[Text]("analyze t"), Wait: Some(Wait{"Lock", "relation"}), BlockedBy: []int32{100}}
	for name, c := range map[string]struct {
		before, after Blocks
		beside        *Process // while the vacuum runs
		then          *Process // when it is gone
		off           bool     // track_counts of the watching session
		want          Ending
	}{
		"pg_class changed":                    {10, 12, nil, nil, false, EndCompleted},
		"nothing changed":                     {10, 10, nil, nil, false, EndNotCompleted},
		"nothing changed, and nothing counts": {10, 10, nil, nil, true, EndNotVisible},
		"it changed, and nothing counts":      {10, 12, nil, nil, true, EndCompleted},
		"an analyze can have changed it":      {10, 12, nil, &analyze, false, EndNotCompleted},
		"one that waited can have changed it": {10, 12, &waiter, nil, false, EndNotCompleted},
	} {
		t.Run(name, func(t *testing.T) {
			first, second := beat(2, 1000, vacuumer(scanning(5, 10))), beat(3, 2000, vacuumer(scanning(6, 10)))
			if c.beside != nil {
				second.Poll.Processes = append(second.Poll.Processes, *c.beside)
			}
			second.Poll.Relations = marked(c.before)
			if c.off {
				second.Poll.Settings = []Setting{{Name: "track_counts", Setting: "off"}}
			}
			stream := []Sample{beat(1, -5), first, second}
			for i := range 4 {
				s := beat(uint64(4+i), 3000+1000*i)
				if c.then != nil {
					s.Poll.Processes = append(s.Poll.Processes, *c.then)
				}
				s.Poll.Relations = marked(c.after)
				stream = append(stream, s)
			}
			for _, run := range last(fold(stream)).Ended {
				if run.Key.PID == 100 && (run.End.How != c.want || run.End.Open) {
					t.Errorf("%+v, want %s", run.End, c.want)
				}
			}
		})
	}
}

// The process that decodes changes for REPACK (CONCURRENTLY) is one of its run, and no
// parallel worker.
func TestTheDecodingWorkerIsNoParallelWorker(t *testing.T) {
	leader := vacuumer(Progress{Phase: Some[Text]("seq scanning heap")})
	leader.Progress.View, leader.Progress.Command, leader.Query = ViewRepack, Some[Text]("REPACK"), Some[Text]("repack (concurrently) t")
	decoder := Process{PID: 201, LeaderPID: Some[int32](100), DatID: Some[uint32](5), BackendType: Some[Text]("REPACK decoding worker"), BackendStart: Some(at(900)), State: Some[Text]("active")}
	worker := Process{PID: 202, LeaderPID: Some[int32](100), DatID: Some[uint32](5), BackendType: Some[Text]("parallel worker"), BackendStart: Some(at(950)), State: Some[Text]("active")}
	run := onlyRun(t, last(fold([]Sample{beat(1, -5), beat(2, 1000, leader, decoder, worker)})))
	if len(run.Processes) != 3 || run.Processes[1].Worker || run.Processes[1].Helper != "REPACK decoding worker" || !run.Processes[2].Worker || run.Processes[2].Helper != "" {
		t.Errorf("%+v", run.Processes)
	}
}

// CLUSTER in an index's order counts rows of a number that nobody knows.
func TestClusterByAnIndexCountsRows(t *testing.T) {
	stream := []Sample{beat(1, -5)}
	for i := range 5 {
		p := vacuumer(Progress{Phase: Some[Text]("index scanning heap"), HeapBlksTotal: Some[Blocks](0), HeapBlksScanned: Some[Blocks](0)})
		p.Progress.View, p.Progress.Command = ViewCluster, Some[Text]("CLUSTER")
		p.Progress.Other = map[string]json.RawMessage{"heap_tuples_scanned": json.RawMessage(strconv.Itoa(1000 * i))}
		stream = append(stream, beat(uint64(2+i), 1000*(i+1), p))
	}
	run := onlyRun(t, last(fold(stream)))
	moved := run.Phase().Moved
	if moved.Unit != UnitRows || moved.To != 4000 || moved.Total != 0 || moved.Rate().Or(0) == 0 || run.Left.Done.Known() || run.Left.Range.Known() || run.Left.WhyNot == "" {
		t.Errorf("moved %+v, left %+v", moved, run.Left)
	}
}

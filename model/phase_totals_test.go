package model

import (
	"testing"
	"time"
)

// A run of several passes has one line a phase, with the time of all of them.
func TestPhasesOfSeveralPassesAddUp(t *testing.T) {
	run := &Run{Phases: []Span{
		{Phase: "initializing", Pass: 1, Passes: 1, Wall: time.Second, Complete: true},
		{Phase: "scanning heap", Pass: 1, Passes: 1, Wall: 10 * time.Second, Complete: true, Moved: Moved{Unit: UnitBlocks, To: 100, Total: 300, Over: 10 * time.Second}},
		{Phase: "vacuuming indexes", Pass: 1, Passes: 1, Wall: 5 * time.Second, Complete: true, Moved: Moved{Unit: UnitIndexes, To: 4, Total: 4, Over: 5 * time.Second}},
		{Phase: "scanning heap", Pass: 2, Passes: 1, Wall: 20 * time.Second, Complete: true, Moved: Moved{Unit: UnitBlocks, From: 100, To: 300, Total: 300, Over: 20 * time.Second}},
		{Phase: "vacuuming indexes", Pass: 2, Passes: 7, Wall: 30 * time.Second, ProcessTime: time.Minute, Moved: Moved{Unit: UnitIndexes, To: 1, Total: 4, Over: time.Second}},
	}}
	spans, current := run.PhaseTotals()
	if len(spans) != 3 || current != 2 {
		t.Fatalf("%d spans, current %d", len(spans), current)
	}
	scan, index := spans[1], spans[2]
	if scan.Wall != 30*time.Second || scan.Passes != 2 || scan.Moved.Rate() != Some(PerSecond(10)) || !scan.Complete {
		t.Errorf("scan: %+v", scan)
	}
	if index.Wall != 35*time.Second || index.Pass != 1 || index.Passes != 8 || index.Moved.To != 1 || index.Complete {
		t.Errorf("indexes: %+v", index)
	}
	if len(run.Phases) != 5 || run.Phases[1].Wall != 10*time.Second {
		t.Error("the run itself was written")
	}
}

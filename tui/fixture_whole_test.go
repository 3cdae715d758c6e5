package tui

import (
	"time"

	"example.com/vacscope/model"
)

// wholeStates are screens of vacuums whose whole is estimated: of all, of one beside
// another whose phase alone is known, and of one that stands still.
func wholeStates() map[string]*model.Snapshot {
	estimated := func(whole model.Whole) *model.Run {
		run := parallelRun()
		run.Whole = whole
		return run
	}
	known := estimated(model.Whole{
		Left: model.Some(model.Range{Low: 771 * time.Second, High: 1320 * time.Second}), Middle: model.Some(983 * time.Second),
		Done: model.Some(model.Ratio(0.42)),
		Parts: []model.Part{
			{Phase: "vacuuming indexes", Passes: 1, Left: model.Range{Low: 390 * time.Second, High: 480 * time.Second}, Middle: 433 * time.Second, Asleep: model.Some(model.Ratio(0.75)), How: "by the size of the indexes that are done"},
			{Phase: "vacuuming heap", Passes: 1, Left: model.Range{Low: 320 * time.Second, High: 860 * time.Second}, Middle: 550 * time.Second, Asleep: model.Some(model.Ratio(0.9)), How: "by the pages with dead rows, at the scan's pace"},
			{Phase: "cleaning up indexes", Passes: 1, Left: model.Range{High: 600 * time.Millisecond}, Middle: 100 * time.Millisecond, How: "short for most kinds of index"},
		},
	})
	stalled := estimated(model.Whole{
		Done: model.Some(model.Ratio(0.42)), Stalled: model.Some(130 * time.Second), WhyNot: "it has stood still for 2:10",
	})
	snapshot := func(runs ...*model.Run) *model.Snapshot {
		s := emptySnapshot()
		s.Active = runs
		return s
	}
	return map[string]*model.Snapshot{
		"whole":         snapshot(known),
		"whole_or_not":  snapshot(known, autovacuumRun()),
		"whole_stalled": snapshot(stalled),
	}
}

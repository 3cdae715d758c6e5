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
		Pace: model.CostPace{Low: 0.08, Middle: 0.1, High: 0.14, PageCost: 21.5},
		Parts: []model.Part{
			{Phase: "vacuuming indexes", Passes: 1, Left: model.Range{Low: 390 * time.Second, High: 480 * time.Second}, Middle: 433 * time.Second, Asleep: model.Some(model.Ratio(0.75)), How: "by the size of the indexes that are done"},
			{Phase: "vacuuming heap", Passes: 1, Left: model.Range{Low: 320 * time.Second, High: 860 * time.Second}, Middle: 550 * time.Second, Asleep: model.Some(model.Ratio(0.9)), How: "by the pages with dead rows, at the scan's pace"},
			{Phase: "cleaning up indexes", Passes: 1, Left: model.Range{High: 600 * time.Millisecond}, Middle: 100 * time.Millisecond, How: "short for most kinds of index"},
		},
	})
	stalled := estimated(model.Whole{
		Done: model.Some(model.Ratio(0.42)), Stalled: model.Some(130 * time.Second), WhyNot: "it has stood still for 2:10",
	})
	unchanged := estimated(model.Whole{
		Left: model.Some(model.Range{Low: time.Second, High: 40 * time.Second}), Middle: model.Some(12 * time.Second),
		Done: model.Some(model.Ratio(0.89)), Unchanged: model.Some(42 * time.Second),
		Parts: []model.Part{{Phase: "vacuuming indexes", Passes: 1, Left: model.Range{Low: time.Second, High: 40 * time.Second}, Middle: 12 * time.Second, How: "by the indexes' size, at the scan's pace"}},
	})
	snapshot := func(runs ...*model.Run) *model.Snapshot {
		s := emptySnapshot()
		s.Active = runs
		return s
	}
	return map[string]*model.Snapshot{
		"whole":           snapshot(known),
		"whole_or_not":    snapshot(known, autovacuumRun()),
		"whole_stalled":   snapshot(stalled),
		"whole_unchanged": snapshot(unchanged),
	}
}

// wholeSnapshot has a vacuum of somebody else's session whose whole is estimated.
func wholeSnapshot() *model.Snapshot {
	s := wholeStates()["whole"]
	s.Active[0].ProcessTime, s.Active[0].Delay.Reported = 1973*time.Second, model.Some(1551*time.Second)
	return s
}

// wholeAutovacuumSnapshot has an autovacuum that follows changes of the server's
// settings, which it shares with another worker.
func wholeAutovacuumSnapshot() *model.Snapshot {
	s := autovacuumSnapshot()
	run := s.Active[0]
	run.Whole = wholeSnapshot().Active[0].Whole
	run.Allows = model.Allowance{Settings: model.Some(model.CostSettings{Delay: 2 * time.Millisecond, Limit: 100}), Shared: 2}
	run.Whole.Pace = model.CostPace{Settings: run.Allows.Settings, Low: 0.02, Middle: 0.02, High: 0.02, PageCost: 21.5}
	return s
}

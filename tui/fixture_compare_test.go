package tui

import (
	"time"

	"example.com/vacscope/model"
)

// oneRunSnapshot has one vacuum, and none to compare it with.
func oneRunSnapshot() *model.Snapshot {
	s := emptySnapshot()
	s.Active = []*model.Run{parallelRun()}
	return s
}

// twoRunsSnapshot has a vacuum of a table, one of the same table that has ended and took
// longer in its first phase, and an autovacuum of another one.
func twoRunsSnapshot() *model.Snapshot {
	s := oneRunSnapshot()
	before := parallelRun()
	before.Key.PID, before.Key.StatementStart = 4000, ago(3*time.Hour)
	before.FirstSeen, before.Began, before.LastSeen = ago(3*time.Hour), ago(3*time.Hour), ago(3*time.Hour-14*time.Minute)
	before.Phases[0].Wall += 90 * time.Second
	before.State, before.End = model.StateEnded, &model.End{At: before.LastSeen, How: model.EndCompleted}
	other := autovacuumRun()
	other.State, other.End = model.StateEnded, &model.End{At: ago(time.Hour), How: model.EndCompleted}
	s.Ended = []*model.Run{other, before}
	return s
}

package tui

import (
	"slices"

	"example.com/vacscope/model"
)

// selection is the run that the screen is about. Until a person chooses one, it
// follows what runs: it stays on a run to its end, then goes on to the next. A
// chosen one stays as long as it is listed, wherever the list moves it.
type selection struct {
	key    model.RunKey
	chosen bool
}

// choose makes r the selection.
func (s *selection) choose(r *model.Run) { s.key, s.chosen = r.Key, true }

// followFrom makes r the selection until it ends, then the next run.
func (s *selection) followFrom(r *model.Run) { s.key, s.chosen = r.Key, false }

// follow goes to the newest run and follows what runs from there.
func (s *selection) follow() { *s = selection{} }

// strayed tells that r, which a person chose, has ended, while others run.
func (s *selection) strayed(snap *model.Snapshot, r *model.Run) bool {
	return s.chosen && r != nil && r.State == model.StateEnded && len(snap.Active) > 0
}

// resolve returns the selected run of a snapshot, of which these are listed; nil
// when there is none. While a filter hides the selected one, the first that is
// listed stands for it, and for a run of a command that is not open the one that
// stands for the command.
func (s *selection) resolve(snap *model.Snapshot, listed []*model.Run, open map[uint64]bool) *model.Run {
	run := findRun(snap, s.key)
	if run == nil {
		s.chosen = false
	}
	if run == nil || (run.State == model.StateEnded && !s.chosen) {
		run = firstToWatch(snap)
	}
	if head := groupingOf(snap).head(run, open); head != run && !slices.Contains(listed, run) {
		run = head
	}
	if run != nil {
		s.key = run.Key
	}
	if len(listed) > 0 && !slices.Contains(listed, run) {
		return listed[0]
	}
	return run
}

// findRun is the run of that key in a snapshot; nil when it is not there.
func findRun(snap *model.Snapshot, key model.RunKey) *model.Run {
	for _, runs := range [][]*model.Run{snap.Active, snap.Ended} {
		for _, r := range runs {
			if sameRun(r.Key, key) {
				return r
			}
		}
	}
	return nil
}

// sameRun compares keys; a run that waits for its lock may not know its relation yet.
func sameRun(a, b model.RunKey) bool {
	return a.PID == b.PID && a.Analyze == b.Analyze && a.BackendStart.Equal(b.BackendStart) && a.StatementStart.Equal(b.StatementStart) &&
		(a.RelID == b.RelID || a.RelID == 0 || b.RelID == 0)
}

// firstToWatch is the run that a newcomer wants to see: one that runs before one
// that waits before one that is hidden, of these the newest; else one of the
// command that ended last.
func firstToWatch(snap *model.Snapshot) *model.Run {
	for _, state := range []model.State{model.StateRunning, model.StateWaiting, model.StateHidden} {
		var newest *model.Run
		for _, r := range snap.Active {
			if r.State == state && (newest == nil || newer(r, newest)) {
				newest = r
			}
		}
		if newest != nil {
			return newest
		}
	}
	return mainOf(snap.Ended)
}

// newer tells whether a's statement began after b's, or its run was seen later.
func newer(a, b *model.Run) bool {
	if order := a.Key.StatementStart.Compare(b.Key.StatementStart); order != 0 {
		return order > 0
	}
	return a.FirstSeen.After(b.FirstSeen)
}

// mainOf is, of the runs of the command that ended last, the one that took most:
// a table rather than its TOAST relation.
func mainOf(ended []*model.Run) *model.Run {
	var most *model.Run
	for _, r := range ended {
		a, b := r.Key, ended[0].Key
		if a.PID != b.PID || !a.StatementStart.Equal(b.StatementStart) {
			break
		}
		if most == nil || r.ProcessTime > most.ProcessTime {
			most = r
		}
	}
	return most
}

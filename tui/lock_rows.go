package tui

import (
	"time"

	"example.com/vacscope/model"
)

// lockRow is one line: a wait and where it stands in the tree.
type lockRow struct {
	model.LockNode
	// by is which of the wait's blockers the line names; -1 when none is known.
	by int
}

// lockKey identifies a wait: a session waits for one lock at a time, now.
type lockKey struct {
	pid  int32
	from time.Time // of a wait that is over; zero of one that lasts
}

func keyOfWait(w model.LockWait) lockKey {
	if w.Ended.Known() {
		return lockKey{w.PID, w.From}
	}
	return lockKey{pid: w.PID}
}

// shown are the waits of now that the pane lists.
func (l *locks) shown() []model.LockWait {
	var shown []model.LockWait
	for _, w := range l.snap.LockWaits {
		if (w.Around || l.all) && l.narrowing.filter.wait(w) {
			shown = append(shown, w)
		}
	}
	return shown
}

// hidden counts the waits of now that only the filter keeps out of the list.
func (l *locks) hidden() int {
	n := 0
	for _, w := range l.snap.LockWaits {
		if (w.Around || l.all) && !l.narrowing.filter.wait(w) {
			n++
		}
	}
	return n
}

// listed counts what the pane lists without a filter.
func (l *locks) listed() int { return l.waiting + l.hidden() + len(l.snap.PastWaits) }

// treeRows are waits as a tree, each with the blocker it stands under; one that
// stands under none names a vacuum before others.
func treeRows(waits []model.LockWait) []lockRow {
	tree := model.LockTree(waits)
	rows := make([]lockRow, 0, len(tree))
	branch := map[int]int32{} // the last session of each depth
	for _, n := range tree {
		row := lockRow{n, firstBlocker(n.Wait)}
		for i, b := range n.Wait.Blockers {
			if n.Depth > 0 && b.PID == branch[n.Depth-1] {
				row.by = i
			}
		}
		branch[n.Depth] = n.Wait.PID
		rows = append(rows, row)
	}
	return rows
}

func firstBlocker(w model.LockWait) int {
	for i, b := range w.Blockers {
		if b.Vacuum {
			return i
		}
	}
	return min(0, len(w.Blockers)-1)
}

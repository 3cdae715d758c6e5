package tui

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// locks shows who waits for a lock, as a tree: under each session those that wait
// behind it. Below them stands the log of the waits that are over.
type locks struct {
	width     int // of the last drawing
	location  *time.Location
	narrowing *narrowing
	snap      *model.Snapshot
	run       *model.Run
	all       bool      // those away from vacuums too
	rows      []lockRow // who waits now, then what is over
	waiting   int       // rows of who waits now
	list      list
	at        lockKey // the wait under the cursor
}

func (l *locks) title() string {
	if l.all {
		return "All lock waits"
	}
	return "Lock waits around vacuums"
}

// note counts who waits and what is over, and tells which rows are in sight.
func (l *locks) note() string {
	if l.snap == nil {
		return ""
	}
	var waiting, elsewhere, ended string
	if filter := l.narrowing.filter; filter.set() {
		return notes(filter.note(len(l.rows), l.listed()), l.list.note())
	}
	if l.waiting > 0 {
		waiting = model.FormatCount(int64(l.waiting)) + " now"
	}
	if n := len(l.snap.LockWaits) - l.waiting; n > 0 { // without a filter none is hidden
		elsewhere = model.FormatCount(int64(n)) + " elsewhere"
	}
	if n := len(l.snap.PastWaits); n > 0 {
		ended = model.FormatCount(int64(n)) + " ended"
	}
	return notes(waiting, elsewhere, ended, l.list.note(), l.sampled())
}

// sampled says how often the waits are looked at, where there is room: a shorter one
// is seen by chance.
func (l *locks) sampled() string {
	const roomy = 90
	if l.width < roomy || l.snap.Watch.Interval <= 0 {
		return ""
	}
	return "looked at every " + model.FormatDuration(l.snap.Watch.Interval)
}

// counted is what the server itself counted since the watching began; "" for none.
func (l *locks) counted() string {
	c, ok := l.snap.CountedWaits.Get()
	if !ok || c.Waits == 0 {
		return ""
	}
	return fmt.Sprintf("since watching began the server counted %s for a table that lasted over deadlock_timeout, %s in all",
		model.FormatCounted(int(c.Waits), "wait", "waits"), model.FormatDuration(c.WaitTime))
}

func (l *locks) setData(s *model.Snapshot, r *model.Run) {
	l.snap, l.run = s, r
	l.arrange()
}

// arrange makes the rows, and finds the one under the cursor again.
func (l *locks) arrange() {
	l.rows, l.waiting = nil, 0
	if l.snap == nil {
		return
	}
	l.rows = treeRows(l.shown())
	l.waiting = len(l.rows)
	for _, w := range l.snap.PastWaits {
		if !l.narrowing.filter.wait(w) {
			continue
		}
		l.rows = append(l.rows, lockRow{model.LockNode{Wait: w, Also: max(0, len(w.Blockers)-1)}, firstBlocker(w)})
	}
	for i := range l.rows {
		if keyOfWait(l.rows[i].Wait) == l.at {
			l.list.cursor = i
			break
		}
	}
}

func (l *locks) handle(a action) bool {
	if a == actAll {
		l.all = !l.all
		l.arrange()
		return true
	}
	if len(l.rows) == 0 || !l.list.move(a, len(l.rows)) {
		return false
	}
	l.at = keyOfWait(l.rows[l.list.cursor].Wait)
	return true
}

func (l *locks) keys() []paneKey {
	return append(moveKeys("wait"), paneKey{actAll, "all waits, or only those around vacuums"})
}

func (l *locks) rowAt(line int) (row, cursor int, ok bool) { return l.list.rowAt(line) }

func (l *locks) terms(w int) []model.Explanation {
	return newTable(l.columns(w-2), w-2).terms(model.SubjectLocks)
}

func (l *locks) explains(w int) ([]model.Explanation, int) {
	return paneTexts(nil, model.SubjectLocks, l.terms(w)), 0
}

func (l *locks) draw(w, h int, focused bool) []line {
	if l.snap == nil {
		return nil
	}
	l.width = w
	var lines []line
	switch hidden := l.hidden(); {
	case l.waiting == 0 && hidden > 0:
		lines = append(lines, text(styleNote, model.FormatCounted(hidden, "session waits", "sessions wait")+", hidden by the filter"))
	case l.waiting == 0 && l.snap.Blind:
		lines = append(lines, text(styleDim, "who waits could not be read"))
	case l.waiting == 0:
		lines = append(lines, l.noOne())
	}
	if len(l.rows) > 0 {
		t := newTable(l.columns(w-2), w-2)
		lines = append(lines, append(plain("  "), t.heading()...))
		return append(lines, l.table(t, w, h-len(lines), len(lines), focused)...)
	}
	l.list.window(0, 0)
	if counted := l.counted(); counted != "" {
		lines = append(lines, text(styleDim, counted))
	}
	return lines
}

// table is the rows in h lines, below so many others, and, in lines they leave or where there are many,
// the details of the one under the cursor.
func (l *locks) table(t table[lockRow], w, h, above int, focused bool) []line {
	others := l.others(h)
	h -= len(others)
	rows := min(len(l.rows), h)
	if h >= 3*lockDetailLines {
		rows = min(rows, h-lockDetailLines)
	}
	var lines []line
	from, to := l.list.window(len(l.rows), rows)
	l.list.drawn(above, 1)
	for i := from; i < to; i++ {
		row, selected := t.row(l.rows[i]), focused && i == l.list.cursor
		switch {
		case i >= l.waiting:
			row = row.in(styleDim)
		case selected:
			row = row.strengthen()
		}
		lines = append(lines, append(append(marker(selected), plain(" ")...), row...))
	}
	lines = append(lines, l.details(l.rows[l.list.cursor].Wait, w, h-len(lines))...)
	return append(lines, others...)
}

// noOne is the good news, in one line with what has nothing to do with a vacuum.
func (l *locks) noOne() line {
	if elsewhere := l.elsewhere(); elsewhere != "" {
		return append(text(styleGood, "no one waits around a vacuum"), seg{"; " + elsewhere, styleDim})
	}
	return text(styleGood, "no one waits")
}

// others tells of the waits that are not listed, where h leaves room for it.
func (l *locks) others(h int) []line {
	const roomy = 4
	var lines []line
	if elsewhere := l.elsewhere(); elsewhere != "" && l.waiting > 0 && h >= roomy {
		lines = append(lines, text(styleDim, elsewhere))
	}
	if counted := l.counted(); counted != "" && h >= roomy+1 {
		lines = append(lines, text(styleDim, counted))
	}
	return lines
}

// elsewhere counts the waits of now that are not listed; "" for none.
func (l *locks) elsewhere() string {
	n := len(l.snap.LockWaits) - l.waiting - l.hidden()
	if n == 0 {
		return ""
	}
	what := model.FormatCounted(n, "session waits", "sessions wait") + " for locks away from vacuums"
	for _, w := range l.snap.LockWaits {
		if !w.Around {
			return what + ", the longest for " + w.HowLong() + " (" + label(actAll) + ": all)"
		}
	}
	return what
}

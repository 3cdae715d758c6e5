package tui

import (
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// locks lists who waits for a lock around a vacuum: for what, since when, for whom.
type locks struct {
	snap   *model.Snapshot
	run    *model.Run
	around []model.LockWait
	list   list
	pid    int32 // of the waiter under the cursor
}

func (l *locks) title() string { return "Lock waits around vacuums" }
func (l *locks) note() string  { return l.list.note() }

func (l *locks) setData(s *model.Snapshot, r *model.Run) {
	l.snap, l.run, l.around = s, r, nil
	if s == nil {
		return
	}
	for _, w := range s.LockWaits {
		if w.Around {
			l.around = append(l.around, w)
		}
	}
	for i, w := range l.around {
		if w.PID == l.pid {
			l.list.cursor = i
		}
	}
}

func (l *locks) handle(a action) bool {
	if len(l.around) == 0 || !l.list.move(a, len(l.around)) {
		return false
	}
	l.pid = l.around[l.list.cursor].PID
	return true
}

func (l *locks) keys() []paneKey { return moveKeys("waiting session") }

func (l *locks) terms() [][2]string { return terms(l.columns()...) }

func (l *locks) draw(w, h int, focused bool) []line {
	if l.snap == nil {
		return nil
	}
	others := l.others()
	if len(l.around) == 0 {
		lines := []line{text(styleGood, "no one waits")}
		return append(lines, others...)
	}
	t := newTable(l.columns(), w-2)
	lines := []line{append(plain("  "), t.heading()...)}
	if h-len(lines)-len(others) < 1 {
		others = nil
	}
	from, to := l.list.window(len(l.around), h-len(lines)-len(others))
	for i := from; i < to; i++ {
		row := t.row(l.around[i])
		lines = append(lines, append(append(marker(focused && i == l.list.cursor), plain(" ")...), row...))
	}
	return append(lines, others...)
}

// others is one line on the waits that have nothing to do with a vacuum.
func (l *locks) others() []line {
	n := len(l.snap.LockWaits) - len(l.around)
	if n == 0 {
		return nil
	}
	what := plural(n, "session waits", "sessions wait") + " for locks away from vacuums"
	for _, w := range l.snap.LockWaits {
		if !w.Around {
			what += ", the longest for " + model.FormatDuration(w.Waited.Or(w.SeenFor))
			break
		}
	}
	return []line{text(styleDim, what)}
}

func (l *locks) columns() []column[model.LockWait] {
	return []column[model.LockWait]{
		{
			title: "waits", help: "for how long (≥: so long seen, the server does not tell)",
			min: 8, max: 9, right: true, cell: func(w model.LockWait, _ int) line { return waits(w) },
		},
		{
			title: "pid", help: "of the session that waits",
			min: 7, max: 7, right: true, cell: func(w model.LockWait, _ int) line { return plain(fmt.Sprint(w.PID)) },
		},
		{
			title: "wants", help: "the lock mode it asks for",
			min: 15, max: 20, drop: 1, cell: func(w model.LockWait, _ int) line { return wants(w) },
		},
		{
			title: "on", help: "the table, or the kind of lock",
			min: 12, max: 40, drop: 3, first: true, cell: func(w model.LockWait, _ int) line { return wantedOn(w) },
		},
		{
			title: "blocked by", help: "who holds the lock, or waits for it in front",
			min: 20, max: 34, cell: func(w model.LockWait, _ int) line { return l.blockedBy(w) },
		},
		{
			title: "statement", help: "what the session that waits runs",
			min: 12, max: 120, drop: 4, first: true, cell: func(w model.LockWait, _ int) line { return opt(w.Query, oneLine) },
		},
	}
}

// waits is for how long: exact from 14 on, before that at least as long as seen.
func waits(w model.LockWait) line {
	if waited, ok := w.Waited.Get(); ok {
		return text(styleBad, model.FormatDuration(waited))
	}
	return append(text(styleDim, glyphAtLeast+" "), text(styleBad, model.FormatDuration(w.SeenFor))...)
}

// wants is the mode without the suffix that all modes have.
func wants(w model.LockWait) line {
	return opt(w.Mode, func(m model.Text) string { return strings.TrimSuffix(show(m), "Lock") })
}

// wantedOn is what the lock is on: a table, or the kind of lock.
func wantedOn(w model.LockWait) line {
	name, ok := w.Table.Get()
	if !ok {
		return opt(w.LockType, show)
	}
	schema, ok := w.Schema.Get()
	if !ok {
		return plain(show(name.QuoteIdent()))
	}
	return plain(show(model.Text(model.RelationName{Schema: schema, Name: name}.Display())))
}

// blockedBy names the blockers, and says which of them is a vacuum.
func (l *locks) blockedBy(w model.LockWait) line {
	if len(w.BlockedBy) == 0 {
		return absent()
	}
	out := plain(glyphBlockedBy + " " + blockers(w.BlockedBy, 3))
	is := func(what func(pid int32) bool) bool { return slices.ContainsFunc(w.BlockedBy, what) }
	switch {
	case is(func(pid int32) bool { return l.run != nil && hasProcess(l.run, pid) }):
		return append(out, seg{" this vacuum", styleNote})
	case is(func(pid int32) bool {
		return slices.ContainsFunc(l.snap.Active, func(r *model.Run) bool { return hasProcess(r, pid) })
	}):
		return append(out, seg{" a vacuum", styleNote})
	case is(func(pid int32) bool {
		return slices.ContainsFunc(l.snap.LockWaits, func(other model.LockWait) bool { return other.PID == pid })
	}):
		return append(out, seg{" waits too", styleDim})
	}
	return out
}

func hasProcess(r *model.Run, pid int32) bool {
	return r.Key.PID == pid || slices.ContainsFunc(r.Processes, func(m model.Member) bool { return m.Alive && m.PID == pid })
}

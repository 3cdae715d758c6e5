package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// wideLocks is where the columns that matter least may be wider than they must.
const wideLocks = 150

// narrowLocks is where there is no room for the lock mode: who waits, on what and for
// whom matters more.
const narrowLocks = 100

// columns are those of the lock waits. Who blocks grows first, as far as it leaves
// room for what waits.
func (l *locks) columns(w int) []column[lockRow] {
	when, waiting, pid, indent, run, on, by := len("15:04"), 9, 10, 10, 12, 12, 27
	switch {
	case w >= wideLocks:
		when, indent = len("15:04:05"), 16
	case w > 0 && w < narrowLocks:
		waiting, pid, indent, run, on, by = 8, 9, 9, 9, 9, 24
	}
	columns := []column[lockRow]{
		{
			title: "when", min: len("15:04"), max: when, cell: l.when,
		},
		{
			title: "waits", min: waiting, max: 10, right: true, cell: func(r lockRow, w int) line { return waits(r.Wait, w) },
		},
		{
			title: "pid", min: pid, max: indent, cell: treePID,
		},
		{
			title: "statement", min: run, max: 60, drop: 2, cell: func(r lockRow, w int) line { return statement(r.Wait, w) },
		},
		{
			title: "wants", min: 15, max: 20, drop: 3, cell: func(r lockRow, w int) line { return wants(r.Wait, w) },
		},
		{
			title: "on", min: on, max: 30, drop: 1, cell: func(r lockRow, w int) line { return wantedOn(r.Wait, w) },
		},
		{
			title: "blocked by", min: by, max: max(40, w/3), first: true, cell: l.blockedBy,
		},
	}
	if w > 0 && w < narrowLocks {
		columns = slices.DeleteFunc(columns, func(c column[lockRow]) bool { return c.title == "wants" })
	}
	return columns
}

// statement is what the session that waits runs.
func statement(w model.LockWait, cells int) line {
	if w.Masked {
		return text(styleDim, firstFit(cells, "not visible", "hidden"))
	}
	return opt(w.Query, oneLine)
}

// when is the time at which a wait that is over began.
func (l *locks) when(r lockRow, w int) line {
	if !r.Wait.Ended.Known() {
		return plain("now")
	}
	from, now := r.Wait.From.In(l.location), l.snap.At.In(l.location)
	if from.YearDay() != now.YearDay() || from.Year() != now.Year() {
		return plain(from.Format("01-02"))
	}
	return plain(firstFit(w, from.Format("15:04:05"), from.Format("15:04")))
}

// waits is for how long: exact from 14 on, before that at least as long as seen. A
// wait that is over lasted at least until it was last seen: when it ended after that,
// nobody saw.
func waits(w model.LockWait, cells int) line {
	waited, exact := w.Waited.Get()
	over := w.Ended.Known()
	switch {
	case exact && !over:
		return text(styleBad, model.FormatDuration(waited))
	case w.SeenFor >= time.Millisecond && over:
		return append(text(styleDim, glyphAtLeast), plain(model.FormatDuration(w.SeenFor))...)
	case w.SeenFor >= time.Millisecond:
		return append(text(styleDim, glyphAtLeast), text(styleBad, model.FormatDuration(w.SeenFor))...)
	case over:
		return text(styleDim, firstFit(cells, "seen once", "once"))
	}
	return text(styleDim, ellipsis)
}

// treePID is the session, as far to the right as it stands deep in the tree and as
// there is room.
func treePID(r lockRow, w int) line {
	pid := fmt.Sprint(r.Wait.PID)
	if r.Depth == 0 {
		return plain(pid)
	}
	branch := glyphBranch + " "
	if w < ansi.StringWidth("  "+glyphBranch+" 123456") {
		branch = glyphBranch
	}
	indent := max(0, min(2*(r.Depth-1), w-ansi.StringWidth(branch+pid)))
	return line{{strings.Repeat(" ", indent) + branch, styleDim}, {pid, stylePlain}}
}

// unread tells that the lock table was not yet read for a wait that began just now.
func unread(w model.LockWait) bool {
	return w.Kind == "" && !w.Ended.Known() && !w.Mode.Known() && !w.LockType.Known()
}

// wants is the mode without the suffix that all modes have, or what a vacuum is held
// up from doing.
func wants(w model.LockWait, cells int) line {
	switch block, known := w.At.Get(); {
	case w.Kind == model.HeldTruncate:
		return plain(firstFit(cells, "to cut off the empty end", "to truncate"))
	case w.Kind == model.HeldCleanup && known:
		n := model.FormatCount(int64(block))
		return plain(firstFit(cells, "to clean block "+n, "block "+n))
	case w.Kind == model.HeldCleanup:
		return plain("to clean a page")
	case unread(w):
		return text(styleDim, "not read yet")
	}
	return opt(w.Mode, func(m model.Text) string { return strings.TrimSuffix(show(m), "Lock") })
}

// wantedOn is what the lock is on: a table, or the kind of lock. Where the schema has
// no room it is what tells least.
func wantedOn(w model.LockWait, cells int) line {
	name, ok := w.Table.Get()
	switch {
	case unread(w):
		return text(styleDim, ellipsis)
	case !ok && w.RelID.Known():
		return plain(fmt.Sprintf("relation %d", w.RelID.Or(0)))
	case !ok:
		return opt(w.LockType, show)
	}
	table := show(name.QuoteIdent())
	schema, ok := w.Schema.Get()
	if !ok {
		return plain(table)
	}
	return plain(firstFit(cells, show(model.Text(model.RelationName{Schema: schema, Name: name}.Display())), table))
}

// blockedBy names a blocker and what it does, and counts the others. A wait that is
// over says so here.
func (l *locks) blockedBy(r lockRow, w int) line {
	ended := "  ended"
	if w < 27 {
		ended = "" // the time at which it began says so
	}
	if r.Wait.Ended.Known() {
		r.Wait.GivesWay = model.None[time.Time]() // that is over
		w -= len(ended)
	}
	out := absent()
	switch {
	case r.Wait.Kind == model.HeldCleanup:
		out = l.suspects(r.Wait, w)
	case r.by >= 0:
		more := ""
		if r.Also > 0 {
			more = fmt.Sprintf(" +%d", r.Also)
		}
		const roomy = 34
		if more != "" && w >= roomy {
			more += " more"
		}
		out = append(l.blocker(r.Wait, r.Wait.Blockers[r.by], w-len(more)), seg{more, styleDim})
	}
	if r.Wait.Ended.Known() {
		out = append(fit(out, w), seg{ended, stylePlain})
	}
	return out
}

package tui

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// wideLocks is where the columns that matter least may be wider than they must.
const wideLocks = 150

// columns are those of the lock waits. Who blocks grows first, as far as it leaves room
// for what waits.

func (l *locks) columns(w int) []column[lockRow] {
	when, pid := len("15:04"), 10
	if w >= wideLocks {
		when, pid = len("15:04:05"), 16
	}
	return []column[lockRow]{
		{
			title: "when", help: "now; of a wait that is over, its beginning (month-day)",
			min: len("15:04"), max: when, cell: l.when,
		},
		{
			title: "waits", help: "for how long (" + glyphAtLeast + ": since it was seen; " + ellipsis + ": begins)",
			min: 9, max: 10, right: true, cell: func(r lockRow, _ int) line { return waits(r.Wait) },
		},
		{
			title: "pid", help: "who waits; " + glyphBranch + ": behind the one it stands under",
			min: 10, max: pid, cell: treePID,
		},
		{
			title: "statement", help: "what the session that waits runs",
			min: 12, max: 60, drop: 2, cell: func(r lockRow, _ int) line { return opt(r.Wait.Query, oneLine) },
		},
		{
			title: "wants", help: "the lock mode it asks for",
			min: 15, max: 20, drop: 1, first: true, cell: func(r lockRow, _ int) line { return wants(r.Wait) },
		},
		{
			title: "on", help: "the table, or the kind of lock",
			min: 26, max: 30, drop: 3, cell: func(r lockRow, _ int) line { return wantedOn(r.Wait) },
		},
		{
			title: "blocked by", help: "who has the lock or is in front, what it does; +n others",
			min: 27, max: max(40, w/3), first: true, cell: l.blockedBy,
		},
	}
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
// wait that is over ended a little before it was seen to be.
func waits(w model.LockWait) line {
	if ended, over := w.Ended.Get(); over {
		return estimated(plain(model.FormatDuration(ended.Sub(w.From))), true)
	}
	if waited, ok := w.Waited.Get(); ok {
		return text(styleBad, model.FormatDuration(waited))
	}
	if w.SeenFor < time.Millisecond {
		return text(styleDim, ellipsis)
	}
	return append(text(styleDim, glyphAtLeast), text(styleBad, model.FormatDuration(w.SeenFor))...)
}

// treePID is the session, as far to the right as it stands deep in the tree and as
// there is room.
func treePID(r lockRow, w int) line {
	pid := fmt.Sprint(r.Wait.PID)
	if r.Depth == 0 {
		return plain(pid)
	}
	indent := max(0, min(2*(r.Depth-1), w-ansi.StringWidth(glyphBranch+" "+pid)))
	return line{{strings.Repeat(" ", indent) + glyphBranch + " ", styleDim}, {pid, stylePlain}}
}

// unread tells that the lock table was not yet read for a wait that began just now.
func unread(w model.LockWait) bool {
	return !w.Ended.Known() && !w.Mode.Known() && !w.LockType.Known()
}

// wants is the mode without the suffix that all modes have.
func wants(w model.LockWait) line {
	if unread(w) {
		return text(styleDim, "not read yet")
	}
	return opt(w.Mode, func(m model.Text) string { return strings.TrimSuffix(show(m), "Lock") })
}

// wantedOn is what the lock is on: a table, or the kind of lock.
func wantedOn(w model.LockWait) line {
	name, ok := w.Table.Get()
	switch {
	case unread(w):
		return text(styleDim, ellipsis)
	case !ok:
		return opt(w.LockType, show)
	}
	schema, ok := w.Schema.Get()
	if !ok {
		return plain(show(name.QuoteIdent()))
	}
	return plain(show(model.Text(model.RelationName{Schema: schema, Name: name}.Display())))
}

// blockedBy names a blocker and what it does, and counts the others. A wait that is
// over says so here.
func (l *locks) blockedBy(r lockRow, w int) line {
	const ended = "  ended"
	if r.Wait.Ended.Known() {
		r.Wait.GivesWay = model.None[time.Time]() // that is over
		w -= len(ended)
	}
	out := absent()
	if r.by >= 0 {
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

package tui

import (
	"time"

	"example.com/vacscope/model"
)

// vacuums lists the runs in sight and those that ended, and moves the selection.
// What runs stays in sight; what ended scrolls beneath it.
type vacuums struct {
	selection *selection
	narrowing *narrowing
	location  *time.Location
	snap      *model.Snapshot
	run       *model.Run
	grouping  grouping
	runs      []*model.Run // that are listed
	inSight   int          // so many of them run; the others have ended
	list      list         // its cursor goes through both
	active    list
	ended     list
	elapsed   bool // a column tells it
}

func (v *vacuums) title() string { return "Vacuums" }

// note tells what is listed and how, which rows are in sight, and the elapsed time
// of the selected run where no column has room for it.
func (v *vacuums) note() string {
	elapsed, ended := "", v.ended.note()
	if r := v.run; r != nil && r.State != model.StateEnded && !v.elapsed {
		if time, ok := v.elapsedOf(r).Get(); ok {
			elapsed = "elapsed " + model.FormatDuration(time)
		}
	}
	if ended != "" {
		ended = "ended " + ended
	}
	order := ""
	if v.inSight > 1 {
		order = v.narrowing.order.String()
	}
	return notes(v.matching(), v.openable(), order, elapsed, v.active.note(), ended)
}

// matching says how much the filter leaves; "" without one.
func (v *vacuums) matching() string {
	if v.snap == nil {
		return ""
	}
	return v.narrowing.filter.note(v.narrowing.counts(v.snap))
}

func (v *vacuums) setData(s *model.Snapshot, r *model.Run) {
	v.snap, v.run, v.grouping = s, r, groupingOf(s)
	v.runs, v.inSight = v.narrowing.runs(s)
	for i, run := range v.runs {
		if run == r {
			v.list.cursor = i
		}
	}
}

// handle moves the selection. From the first row on it follows what runs.
func (v *vacuums) handle(a action) bool {
	switch a {
	case actLeft, actRight:
		return v.openGroup(a == actRight)
	}
	if len(v.runs) == 0 || !v.list.move(a, len(v.runs)) {
		return false
	}
	selected := v.runs[v.list.cursor]
	if a == actFirst {
		v.selection.followFrom(selected)
	} else {
		v.selection.choose(selected)
	}
	return true
}

func (v *vacuums) keys() []paneKey {
	keys := moveKeys("vacuum")
	for i := range keys {
		if keys[i].action == actFirst {
			keys[i].what += ", then what runs next"
		}
	}
	return append(keys, paneKey{actRight, "lists a command's parts that are over"}, paneKey{actLeft, "hides them"})
}

func (v *vacuums) terms(w int) []model.Explanation {
	columns := newTable(v.columns(w-2), w-2).terms(model.SubjectVacuums)
	if v.snap != nil && len(v.snap.Active) == 0 {
		return append(newTable(v.historyColumns(), w-2).terms(model.SubjectLast), columns...)
	}
	return columns
}

// explains begins with the phase, or the end, of the selected vacuum and with what is
// found of it, which the sentences below the list say; the header stands after the columns.
func (v *vacuums) explains(w int) ([]model.Explanation, int) {
	var row []model.Explanation
	if r := v.run; r != nil {
		if r.End != nil {
			row = model.Explain(model.SubjectEndings, string(r.End.How))
		} else if phase := r.Phase(); phase != nil {
			row = model.Explain(model.SubjectNames, string(phase.Phase))
		}
		row = append(row, rulesOf(v.snap, r)...)
	}
	out, header := paneTexts(row, model.SubjectVacuums, v.terms(w)), model.ExplainSubject(model.SubjectHeader)
	return append(append(out, header.About), header.Of...), 0
}

func (v *vacuums) draw(w, h int, _ bool) []line {
	if v.snap == nil || h <= 0 {
		return nil
	}
	t := newTable(v.columns(w-2), w-2)
	v.elapsed = t.has(titleElapsed)
	var lines []line
	if len(v.runs) > 0 {
		lines = append(lines, append(plain("  "), t.heading()...))
	}
	if v.inSight == 0 {
		lines = append(lines, text(styleDim, "  "+v.nothing()))
	}
	analyzing := v.analyzing(w)
	visible := v.visible(h - len(lines) - len(analyzing))
	v.active.drawn(len(lines), 1)
	v.ended.drawn(len(lines)+v.active.shown, 1)
	for _, i := range visible {
		lines = append(lines, v.row(t, v.runs[i], i == v.list.cursor))
	}
	lines = append(lines, v.history(w, h-len(lines)-len(analyzing))...)
	return append(lines, analyzing...)
}

func (v *vacuums) rowAt(line int) (row, cursor int, ok bool) {
	if row, _, ok = v.active.rowAt(line); ok {
		return row, v.list.cursor, true
	}
	row, _, ok = v.ended.rowAt(line)
	return row + v.inSight, v.list.cursor, ok
}

// visible are the indexes of the runs that are drawn in h lines: those in sight
// first, with a line left for the selection if that has ended.
func (v *vacuums) visible(h int) []int {
	n, all := v.inSight, len(v.runs)
	v.list.cursor = max(0, min(v.list.cursor, all-1))
	lines := min(n, h)
	if v.list.cursor >= n && n < all {
		lines = min(n, max(0, h-1))
	}
	v.active.cursor, v.ended.cursor = v.list.cursor, v.list.cursor-n
	var out []int
	from, to := v.active.window(n, lines)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	from, to = v.ended.window(all-n, h-lines)
	for i := from; i < to; i++ {
		out = append(out, n+i)
	}
	return out
}

func (v *vacuums) row(t table[*model.Run], r *model.Run, selected bool) line {
	row := t.row(r)
	switch {
	case r.State == model.StateEnded && !v.grouping.goesOn(r):
		row = row.in(styleDim)
	case selected:
		row = row.strengthen()
	}
	return append(append(marker(selected), plain(" ")...), row...)
}

// nothing is said in place of the active runs when there are none.
func (v *vacuums) nothing() string {
	switch {
	case len(v.snap.Active) > 0:
		return model.FormatCounted(len(v.snap.Active), "running vacuum", "running vacuums") + " hidden by the filter; " + label(actBack) + " clears it"
	case v.snap.Blind:
		return "what is being vacuumed could not be read"
	case v.snap.Server.InRecovery:
		return "this is a standby: VACUUM runs on its primary"
	case v.snap.Filtered != nil && v.snap.Filtered.Others > 0:
		return "none of these is being vacuumed"
	case len(v.snap.Ended) > 0:
		return "no vacuum is running in sight"
	}
	return "a vacuum that begins appears here"
}

package tui

import "example.com/vacscope/model"

// vacuums lists the runs in sight and those that ended, and moves the selection.
type vacuums struct {
	selection *selection
	snap      *model.Snapshot
	runs      []*model.Run
	list      list
}

func (v *vacuums) title() string { return "Vacuums" }
func (v *vacuums) note() string  { return v.list.note() }

func (v *vacuums) setData(s *model.Snapshot, r *model.Run) {
	v.snap, v.runs = s, listed(s)
	for i, run := range v.runs {
		if run == r {
			v.list.cursor = i
		}
	}
}

func (v *vacuums) handle(a action) bool {
	if len(v.runs) == 0 || !v.list.move(a, len(v.runs)) {
		return false
	}
	v.selection.choose(v.runs[v.list.cursor])
	return true
}

func (v *vacuums) keys() []paneKey { return moveKeys("vacuum") }

func (v *vacuums) draw(w, h int, _ bool) []line {
	if v.snap == nil || h <= 0 {
		return nil
	}
	t := newTable(v.columns(), w-2)
	lines := []line{append(plain("  "), t.heading()...)}
	if len(v.snap.Active) == 0 {
		lines = append(lines, text(styleDim, "  "+v.nothing()))
	}
	analyzing := v.analyzing()
	from, to := v.list.window(len(v.runs), h-len(lines)-len(analyzing))
	for i, r := range v.runs[from:to] {
		selected := from+i == v.list.cursor
		row := t.row(r)
		switch {
		case r.State == model.StateEnded:
			row = row.in(styleDim)
		case selected:
			row = row.strengthen()
		}
		lines = append(lines, append(append(marker(selected), plain(" ")...), row...))
	}
	return append(lines, analyzing...)
}

// analyzing is one line on the ANALYZE commands, which are not runs.
func (v *vacuums) analyzing() []line {
	if len(v.snap.Analyzes) == 0 {
		return nil
	}
	first := v.snap.Analyzes[0]
	what := plural(len(v.snap.Analyzes), "ANALYZE runs", "ANALYZEs run")
	if table, ok := first.Table.Get(); ok {
		what += ": " + show(model.Text(model.RelationName{Schema: first.Schema.Or(""), Name: table}.Display()))
	}
	if phase, ok := first.Progress.Phase.Get(); ok {
		what += ", " + show(phase)
	}
	return []line{text(styleDim, "  "+what)}
}

// nothing is said in place of the active runs when there are none.
func (v *vacuums) nothing() string {
	if len(v.snap.Ended) > 0 {
		return "nothing is being vacuumed"
	}
	return "a vacuum that begins appears here"
}

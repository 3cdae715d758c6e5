package tui

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// processes shows where each process of the selected run spends its time: now, in
// the last seconds, in this phase and over the run.
type processes struct {
	theme *theme
	run   *model.Run
	list  list
	at    memberKey // the process under the cursor
}

// memberKey identifies a process: a pid alone is reused.
type memberKey struct {
	pid   int32
	start time.Time
}

func keyOfMember(m model.Member) memberKey { return memberKey{m.PID, m.BackendStart} }

func (p *processes) title() string { return "Processes" }

// note tells how many workers were asked for, planned and launched, and which rows
// are in sight.
func (p *processes) note() string {
	if p.run == nil {
		return ""
	}
	return notes(parallel(p.run.Parallel), p.list.note())
}

func (p *processes) setData(_ *model.Snapshot, r *model.Run) {
	p.run = r
	if r == nil {
		return
	}
	for i, m := range r.Processes {
		if m.PID == p.at.pid && m.BackendStart.Equal(p.at.start) {
			p.list.cursor = i
		}
	}
}

func (p *processes) handle(a action) bool {
	if p.run == nil || len(p.run.Processes) == 0 || !p.list.move(a, len(p.run.Processes)) {
		return false
	}
	p.at = keyOfMember(p.run.Processes[p.list.cursor])
	return true
}

func (p *processes) keys() []paneKey { return moveKeys("process") }

func (p *processes) rowAt(line int) (row, cursor int, ok bool) { return p.list.rowAt(line) }

func (p *processes) terms(w int) []model.Explanation {
	columns := newTable(p.columns(0, w-2), w-2).terms(model.SubjectProcess)
	return append(columns, model.Explain(model.SubjectProcess, "workers")...)
}

// explains begins with what the process under the cursor waits for; all the classes
// follow the terms.
func (p *processes) explains(w int) ([]model.Explanation, int) {
	var row []model.Explanation
	if p.run != nil && p.list.cursor < len(p.run.Processes) {
		if class, ok := classNow(p.run.Processes[p.list.cursor]).Get(); ok {
			row = model.Explain(model.SubjectClasses, class.String())
		}
	}
	out := paneTexts(row, model.SubjectProcess, p.terms(w))
	classes := model.ExplainSubject(model.SubjectClasses)
	return append(append(out, classes.About), classes.Of...), 0
}

func (p *processes) draw(w, h int, focused bool) []line {
	if text, s := p.nothing(); text != "" {
		return []line{{{text, s}}}
	}
	t := newTable(p.columns(laneEnd(p.run), w-2), w-2)
	perRow, members := t.perRow(), p.run.Processes
	rows := min(len(members), max(1, (h-1)/perRow))
	if h > 6 {
		rows = min(rows, (h-1-detailLines)/perRow)
	}
	from, to := p.list.window(len(members), rows)
	lines := []line{append(plain("  "), t.heading()...)}
	p.list.drawn(len(lines), perRow)
	for i := from; i < to; i++ {
		lines = append(lines, p.row(t, members[i], focused && i == p.list.cursor))
		if perRow == 2 {
			lines = append(lines, append(plain("  "), t.rowBelow(members[i])...))
		}
	}
	if p.run.EarlierWorkers > 0 && len(lines)+detailLines < h && to == len(members) {
		lines = append(lines, p.earlier(w))
	}
	return append(lines, p.details(members[p.list.cursor], w, h-len(lines))...)
}

// earlier is one line on the workers of all index phases before the last.
func (p *processes) earlier(w int) line {
	head := model.FormatCounted(p.run.EarlierWorkers, "worker", "workers") + " of earlier index phases  "
	l := append(text(styleDim, "  "+head), shareTexts(p.run.Earlier, max(0, w-len(head)-2))...)
	return l.in(styleDim)
}

// nothing says why there are no processes to show; "" when there are.
func (p *processes) nothing() (string, style) {
	switch {
	case p.run == nil:
		return " ", stylePlain
	case p.run.State == model.StateHidden:
		return "this role may not see the vacuum's processes", styleDim
	case p.run.State == model.StateWaiting: // it is not sampled
		return fmt.Sprintf("process %d waits for its lock and has not begun", p.run.Key.PID), styleBad
	case len(p.run.Processes) == 0:
		return "no samples yet", styleDim
	}
	return "", stylePlain
}

func (p *processes) row(t table[model.Member], m model.Member, selected bool) line {
	row := t.row(m)
	switch {
	case !m.Alive:
		row = row.in(styleDim)
	case selected:
		row = row.strengthen()
	}
	return append(append(marker(selected), plain(" ")...), row...)
}

// parallel is asked / planned / launched; "" for a vacuum that asked for none.
func parallel(p model.Parallel) string {
	launched, ok := p.Launched.Get()
	planned, plan := p.Planned.Get()
	if !ok && !plan {
		return ""
	}
	s := ""
	if asked, ok := p.Asked.Get(); ok {
		s = fmt.Sprintf("%d asked, ", asked)
	}
	if plan {
		if !p.PlannedExact {
			s += glyphEstimate
		}
		s += fmt.Sprintf("%d planned", planned)
	}
	if ok {
		s += fmt.Sprintf(", %d launched", launched)
	}
	return "workers: " + s
}

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
	workers, rows := parallel(p.run.Parallel), p.list.note()
	if workers != "" && rows != "" {
		workers += " · "
	}
	return workers + rows
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

func (p *processes) draw(w, h int, focused bool) []line {
	if p.run == nil || len(p.run.Processes) == 0 {
		return []line{text(styleDim, p.nothing())}
	}
	t := newTable(p.columns(laneEnd(p.run), w-2), w-2)
	perRow := 1
	if p.theme.letters() && t.has(laneTitle) {
		perRow = 2
	}
	members := p.run.Processes
	rows := min(len(members), max(1, (h-1)/perRow))
	if h > 6 {
		rows = min(rows, (h-1-detailLines)/perRow)
	}
	from, to := p.list.window(len(members), rows)
	lines := []line{append(plain("  "), t.heading()...)}
	for i := from; i < to; i++ {
		lines = append(lines, p.row(t, members[i], focused && i == p.list.cursor))
		if perRow == 2 {
			lines = append(lines, p.letters(t, members[i]))
		}
	}
	return append(lines, p.details(members[p.list.cursor], w, h-len(lines))...)
}

// nothing says why there are no processes.
func (p *processes) nothing() string {
	switch {
	case p.run == nil:
		return ""
	case p.run.State == model.StateHidden:
		return "this role may not see what its processes do"
	case p.run.State == model.StateWaiting:
		return "it waits for its lock and has not begun"
	}
	return "no samples yet"
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

// laneTitle names the lanes' column.
const laneTitle = "last seconds"

// From these widths on there is room for lanes, and for a bar beside them.
const laneWidth, laneAndBarWidth = 96, 150

// columns are those for a width: in a narrow pane a bar takes the lanes' place.
func (p *processes) columns(end int64, w int) []column[model.Member] {
	columns := []column[model.Member]{
		{title: "pid", min: 7, max: 7, right: true, cell: func(m model.Member, _ int) line { return plain(fmt.Sprint(m.PID)) }},
		{title: "role", min: 6, max: 6, drop: 3, cell: func(m model.Member, _ int) line { return plain(role(m)) }},
		{title: "now", min: 15, max: 22, cell: func(m model.Member, _ int) line { return now(m) }},
	}
	if w >= laneWidth {
		columns = append(columns, column[model.Member]{
			title: laneTitle, titleOf: func(w int) string { return fmt.Sprintf("last %d s", w) },
			min: 24, max: model.LaneCells / 2, first: true,
			cell: func(m model.Member, w int) line { return lane(p.theme, m, end, w) },
		})
	}
	if w < laneWidth || w >= laneAndBarWidth {
		columns = append(columns, column[model.Member]{
			title: "phase", min: 10, max: 24, drop: 4, first: true,
			cell: func(m model.Member, w int) line { return shareBar(p.theme, profileNow(m), w) },
		})
	}
	shares := 18
	if w >= laneWidth {
		shares = 24
	}
	columns = append(columns, []column[model.Member]{
		{title: "% of phase", min: shares, max: 28, drop: 2, cell: func(m model.Member, w int) line {
			return shareTexts(profileNow(m), w)
		}},
		{title: "samples", min: 7, max: 7, drop: 1, right: true, cell: func(m model.Member, _ int) line {
			return plain(model.FormatCount(int64(m.Samples.Taken)))
		}},
	}...)
	if w >= laneAndBarWidth {
		columns = append(columns, column[model.Member]{
			title: "missed", min: 6, max: 6, right: true,
			cell: func(m model.Member, _ int) line { return plain(model.FormatCount(int64(m.Samples.Missed))) },
		})
	}
	return columns
}

// profileNow is the profile of the current phase; a worker that ended has spent its
// life in the one before.
func profileNow(m model.Member) []model.WaitTime {
	if m.Worker && !m.Alive {
		return m.Profile
	}
	return m.PhaseProfile
}

func role(m model.Member) string {
	if m.Worker {
		return "worker"
	}
	return "leader"
}

// now is what the last sample saw.
func now(m model.Member) line {
	wait, waits := m.Wait.Get()
	switch {
	case !m.Alive:
		return plain("ended")
	case waits:
		return text(classStyle(wait.Class()), show(model.Text(wait.String())))
	case m.Active:
		return text(styleCPU, "on CPU")
	}
	return absent()
}

// letters is the second line of a row where there are no colours.
func (p *processes) letters(t table[model.Member], m model.Member) line {
	end := laneEnd(p.run)
	second := table[model.Member]{widths: t.widths, columns: make([]column[model.Member], len(t.columns))}
	for i, c := range t.columns {
		c.cell = func(model.Member, int) line { return nil }
		if c.title == laneTitle {
			c.cell = func(m model.Member, w int) line { return laneClasses(m, end, w) }
		}
		second.columns[i] = c
	}
	return append(plain("  "), second.row(m)...)
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

package tui

import (
	"fmt"

	"example.com/vacscope/model"
)

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
		columns = append(columns, p.laneColumn(end))
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
		{title: glyphEstimate + "% of phase", min: shares, max: 28, drop: 2, cell: func(m model.Member, w int) line {
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

// laneColumn is the last seconds; where there are no colours, what a process did
// stands in letters under how much it did.
func (p *processes) laneColumn(end int64) column[model.Member] {
	c := column[model.Member]{
		titleOf: func(w int) string { return fmt.Sprintf("last %d s", w) },
		min:     24, max: model.LaneCells / 2, first: true,
		cell: func(m model.Member, w int) line { return lane(p.theme, m, end, w) },
	}
	if p.theme.letters() {
		c.below = func(m model.Member, w int) line { return laneClasses(m, end, w) }
	}
	return c
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

package tui

import (
	"fmt"

	"example.com/vacscope/model"
)

// From these widths on there is room for lanes, and for the profile of the whole
// run beside that of the phase.
const laneWidth, bothProfilesWidth = 96, 150

// columns are those for a width: in a narrow pane a bar takes the lanes' place.
func (p *processes) columns(end int64, w int) []column[model.Member] {
	activity, shares := p.barColumn(), len("delay 70  leader 30")
	if w >= laneWidth {
		activity, shares = p.laneColumn(end), len("delay 83  wal  9  cpu  8")
	}
	columns := []column[model.Member]{
		{
			title: "pid", min: 7, max: 7, right: true, cell: func(m model.Member, _ int) line { return plain(fmt.Sprint(m.PID)) },
		},
		{
			title: "role", min: 6, max: 6, drop: 3, cell: func(m model.Member, _ int) line { return plain(role(m)) },
		},
		{
			title: "now", min: 15, max: 22, cell: func(m model.Member, _ int) line { return now(m) },
		},
		activity,
		{
			title: glyphEstimate + "% of phase", min: shares, max: 28, drop: 2, cell: func(m model.Member, w int) line { return shareTexts(profileNow(m), w) },
		},
	}
	return append(columns, p.totals(w, shares)...)
}

// totals are the columns about the whole run.
func (p *processes) totals(w, shares int) []column[model.Member] {
	run := column[model.Member]{
		title: glyphEstimate + "% of run", min: shares, max: 28, cell: func(m model.Member, w int) line { return shareTexts(m.Profile, w) },
	}
	samples := column[model.Member]{
		title: "samples", min: 7, max: 7, drop: 1, right: true, cell: func(m model.Member, _ int) line { return plain(model.FormatCount(int64(m.Samples.Taken))) },
	}
	missed := column[model.Member]{
		title: "missed", min: 6, max: 6, right: true, cell: func(m model.Member, _ int) line { return plain(model.FormatCount(int64(m.Samples.Missed))) },
	}
	if w < bothProfilesWidth {
		return []column[model.Member]{samples}
	}
	return []column[model.Member]{run, samples, missed}
}

// laneColumn is the last seconds; where there are no colours, what a process did
// stands in letters under how much it did.
func (p *processes) laneColumn(end int64) column[model.Member] {
	c := column[model.Member]{
		title:   "last n s",
		titleOf: p.laneTitle, min: 24, max: model.LaneCells, first: true,
		cell: func(m model.Member, w int) line { return lane(p.theme, m, end, w) },
	}
	if p.theme.letters() {
		c.below = func(m model.Member, w int) line { return laneClasses(m, end, w) }
	}
	return c
}

// laneTitle says how many seconds the lanes show; of a run that ended, its own last.
func (p *processes) laneTitle(w int) string {
	if p.run != nil && p.run.End != nil {
		return fmt.Sprintf("its last %d s", w)
	}
	return fmt.Sprintf("last %d s", w)
}

// barColumn is the phase's profile as a bar.
func (p *processes) barColumn() column[model.Member] {
	return column[model.Member]{
		title: "phase", min: 10, max: 24, drop: 4, first: true,
		cell: func(m model.Member, w int) line { return shareBar(p.theme, profileNow(m), w) },
	}
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
	switch {
	case m.Helper == "REPACK decoding worker":
		return "decode"
	case m.Helper != "":
		return show(m.Helper)
	case m.Worker:
		return "worker"
	}
	return "leader"
}

// classNow is the class of what the last sample saw; absent of a process that ended.
func classNow(m model.Member) model.Opt[model.Class] {
	wait, waits := m.Wait.Get()
	switch {
	case m.Alive && waits:
		return model.Some(wait.Class())
	case m.Alive && m.Active:
		return model.Some(model.ClassCPU)
	}
	return model.None[model.Class]()
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

package tui

import (
	"strings"

	"example.com/vacscope/model"
)

// wholeLeft is what remains of the whole run, phase by phase, and how that is known.
func (p *runPage) wholeLeft(w int) []line {
	whole := p.run.Whole
	if p.run.State != model.StateRunning || !whole.Left.Known() && whole.WhyNot == "" {
		return nil
	}
	if stalled, ok := whole.Stalled.Get(); ok {
		return []line{text(styleBad, "stalled for "+model.FormatDuration(stalled)+": no telling how long it takes")}
	}
	if !whole.Left.Known() {
		return wrapped("not known: "+show(model.Text(whole.WhyNot)), styleDim, w)
	}
	t := newTable(partColumns(), w-1)
	lines := []line{append(plain(" "), t.heading()...)}
	for _, part := range whole.Parts {
		lines = append(lines, append(plain(" "), t.row(part)...))
	}
	all := "all " + glyphEstimate + coarseRange(whole.Left.Or(model.Range{})) +
		", most likely " + glyphEstimate + coarse(whole.Middle.Or(0))
	if whole.Source != "" {
		all += "; where this run has shown no pace yet, by " + show(whole.Source)
	}
	if unchanged, ok := whole.Unchanged.Get(); ok {
		all += ", if it goes on: every sample of it has been alike for " + model.FormatDuration(unchanged)
	}
	return append(lines, wrapped(all, styleStrong, w)...)
}

func partColumns() []column[model.Part] {
	return []column[model.Part]{
		{title: "remaining phase", min: 24, max: 24, cell: func(p model.Part, _ int) line {
			return plain(show(p.Phase) + strings.Repeat(" ×"+model.FormatCount(int64(p.Passes)), min(1, p.Passes-1)))
		}},
		{title: "left", min: 15, max: 17, right: true, cell: func(p model.Part, _ int) line {
			return estimated(plain(coarseRange(p.Left)), p.Left.High.Seconds() >= 1)
		}},
		{title: "delayed", min: 7, max: 7, drop: 2, right: true, cell: func(p model.Part, _ int) line {
			return opt(p.Asleep, model.FormatPercent)
		}},
		{title: "how that is known", min: 20, max: 60, drop: 1, first: true, cell: func(p model.Part, _ int) line { return text(styleDim, show(model.Text(p.How))) }},
	}
}

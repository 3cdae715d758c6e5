package tui

import (
	"example.com/vacscope/model"
)

// why is where the time of the phase and of the run goes, and what is found of it.
func (p *runPage) why(w int) []line {
	if p.hidden() || p.run.Phase() == nil {
		return nil
	}
	var lines []line
	phase, ofPhase := p.run.Phase().Shares().Get()
	run, ofRun := p.run.Shares().Get()
	if !ofPhase && !ofRun {
		return []line{text(styleDim, "seen too briefly to say")}
	}
	columns := []column[model.Class]{
		{title: "what it does", min: 34, max: 34, cell: func(c model.Class, _ int) line {
			return line{{classLetter(c) + " ", styleDim}, {classMeaning(c), classStyle(c)}}
		}},
		{title: "of the phase", min: 12, max: 12, right: true, cell: shareOf(phase, ofPhase)},
		{title: "of the run", min: 10, max: 10, right: true, cell: shareOf(run, ofRun)},
	}
	t := newTable(columns, w-1)
	lines = append(lines, append(plain(" "), t.heading()...))
	for c := range model.Classes {
		if phase.Of[c] > 0 || run.Of[c] > 0 {
			lines = append(lines, append(plain(" "), t.row(c)...))
		}
	}
	for _, f := range model.Findings(p.snap, p.run) {
		lines = append(lines, nil)
		lines = append(lines, wrapped(show(model.Text(f.Rule+": "+f.Sentence)), stylePlain, w-1)...)
		lines = append(lines, wrapped(show(model.Text(f.Helps)), styleNote, w-1)...)
	}
	return lines
}

// shareOf is a class's share of a division of process-time.
func shareOf(t model.TimeShares, known bool) func(model.Class, int) line {
	return func(c model.Class, _ int) line {
		if !known {
			return absent()
		}
		return estimated(plain(model.FormatPercent(t.Of[c])), c != model.ClassDelay || t.DelayEstimated)
	}
}

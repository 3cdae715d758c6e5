package tui

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// phases shows where the selected run's time went so far, and what holds for the
// run as a whole: dead rows, memory, since when it has been watched.
type phases struct {
	location *time.Location
	snap     *model.Snapshot
	run      *model.Run
	spans    []model.Span // of the run; those of several passes together
	current  int          // the one that the run is in
	list     list
	scrolled bool // else the current phase stays in sight
}

func (p *phases) title() string { return "Phases" }
func (p *phases) note() string {
	all := ""
	if p.run != nil && p.run.PassesSeen() > 1 {
		all = fmt.Sprintf("%d index passes together", p.run.PassesSeen())
	}
	return notes(all, p.list.note())
}

func (p *phases) setData(s *model.Snapshot, r *model.Run) {
	if p.run == nil || r == nil || !sameRun(p.run.Key, r.Key) {
		p.scrolled = false
	}
	p.snap, p.run, p.spans, p.current = s, r, nil, -1
	if r != nil {
		p.spans, p.current = r.PhaseTotals()
	}
}

func (p *phases) handle(a action) bool {
	if p.run == nil || !p.list.move(a, len(p.spans)) {
		return false
	}
	p.scrolled = p.list.cursor != p.current
	return true
}

func (p *phases) keys() []paneKey { return moveKeys("phase") }

func (p *phases) rowAt(line int) (row, cursor int, ok bool) { return p.list.rowAt(line) }

func (p *phases) terms(w int) []model.Explanation {
	columns := newTable(p.columns(), w-2).terms(model.SubjectPhases)
	return append(columns, model.Explain(model.SubjectPhases, "dead rows", "memory", "seen for", "table", "samples")...)
}

func (p *phases) explains(w int) ([]model.Explanation, int) {
	var row []model.Explanation
	if p.list.cursor < len(p.spans) {
		row = model.Explain(model.SubjectNames, string(p.spans[p.list.cursor].Phase))
	}
	return paneTexts(row, model.SubjectPhases, p.terms(w)), 0
}

func (p *phases) draw(w, h int, focused bool) []line {
	switch {
	case p.run == nil:
		return nil
	case p.run.State == model.StateHidden:
		return []line{text(styleDim, "this role may not see the vacuum's phases")}
	case len(p.spans) == 0:
		return []line{text(styleDim, "none yet")}
	}
	n, info := len(p.spans), p.info(w)
	info = info[:max(0, min(len(info), h-3, max(1, h-1-n)))] // a phase matters more than its second line
	t := newTable(p.columns(), w-2)
	lines := []line{append(plain("  "), t.heading()...)}
	if !p.scrolled {
		p.list.cursor = p.current
	}
	from, to := p.list.window(n, h-1-len(info))
	p.list.drawn(len(lines), 1)
	for i := from; i < to; i++ {
		row := t.row(&p.spans[i])
		if i == p.current && p.run.End == nil {
			row = row.strengthen()
		}
		lines = append(lines, append(append(marker(focused && i == p.list.cursor), plain(" ")...), row...))
	}
	for len(lines) < h-len(info) {
		lines = append(lines, nil)
	}
	return append(lines, info...)
}

func (p *phases) columns() []column[*model.Span] {
	pass := 4
	if p.run != nil && len(p.run.Phases) > 0 && p.run.Phases[len(p.run.Phases)-1].Pass > 1 {
		pass = 1 // it tells phases of one name apart
	}
	return []column[*model.Span]{
		{
			title: "phase", min: 24, max: 24, cell: func(s *model.Span, _ int) line { return plain(show(s.Phase)) },
		},
		{
			title: "pass", min: 4, max: 6, drop: pass, right: true, cell: p.pass,
		},
		{
			title: "from", min: 8, max: 8, drop: 7, right: true, cell: p.from,
		},
		{
			title: "time", min: 9, max: 11, right: true, cell: p.time,
		},
		{
			title: "process-time", min: 12, max: 12, drop: 5, right: true, cell: func(s *model.Span, _ int) line { return plain(model.FormatDuration(s.ProcessTime)) },
		},
		{
			title: "delayed", min: 9, max: 11, drop: 1, right: true, cell: func(s *model.Span, _ int) line { return slept(s) },
		},
		{
			title: "share", min: 6, max: 6, drop: 2, right: true, cell: func(s *model.Span, _ int) line { return share(s.Delay, s.ProcessTime, s.Wall) },
		},
		{
			title: "rate", min: 13, max: 16, drop: 3, right: true, cell: func(s *model.Span, _ int) line { return rate(s) },
		},
		{
			title: "done", min: 18, max: 28, drop: 6, first: true, right: true, cell: p.moved,
		},
	}
}

// pass is the index pass, or the passes that a span covers; commands that write
// the table anew make none.
func (p *phases) pass(s *model.Span, w int) line {
	switch {
	case p.run.Command != "VACUUM":
		return absent()
	case s.Passes > 1:
		last := s.Pass + s.Passes - 1
		return plain(firstFit(w, fmt.Sprintf("%d–%d", s.Pass, last), fmt.Sprintf("–%d", last)))
	}
	return plain(fmt.Sprint(s.Pass))
}

func (p *phases) from(s *model.Span, _ int) line {
	return plain(s.From.In(p.location).Format(time.TimeOnly))
}

// slept is the time slept on purpose in a phase.
func slept(s *model.Span) line {
	best, estimate := s.Delay.Best(s.ProcessTime)
	return estimated(opt(best, model.FormatDuration), estimate && best.Known())
}

// time is how long a phase took, as far as it was seen.
func (p *phases) time(s *model.Span, _ int) line {
	first := s == &p.spans[0]
	if !s.Complete && first && !p.run.FromStart {
		return append(text(styleDim, glyphAtLeast+" "), plain(model.FormatDuration(s.Wall))...)
	}
	return plain(model.FormatDuration(s.Wall))
}

// rate is what moved per second; blocks are pages of the table.
func rate(s *model.Span) line {
	r, ok := s.Moved.Rate().Get()
	if !ok || r == 0 {
		return absent()
	}
	if s.Moved.Unit == model.UnitIndexes {
		return plain(model.FormatRate(r*60) + " idx/min")
	}
	if s.Moved.Unit == model.UnitRows {
		return plain(model.FormatRate(r) + " rows/s")
	}
	return plain(model.FormatRate(r) + " pages/s")
}

// moved is the counter's position, of how many. Of what is over it is only the one
// last seen: in the phase in which the run ended, and of indexes, whose count the
// server takes back when their phase ends.
func (p *phases) moved(s *model.Span, w int) line {
	if s.Moved.Unit == model.UnitRows {
		return plain(firstFit(w, model.FormatCount(s.Moved.To)+" rows read", model.FormatCount(s.Moved.To)))
	}
	if s.Moved.Unit == "" || s.Moved.Total == 0 {
		return absent()
	}
	to, total := model.FormatCount(s.Moved.To), model.FormatCount(s.Moved.Total)
	current := s == &p.spans[p.current]
	over := !current && s.Moved.Unit == model.UnitIndexes || current && p.run.End != nil
	if over && s.Moved.To < s.Moved.Total {
		part := model.FormatPercent(model.Ratio(s.Moved.To) / model.Ratio(s.Moved.Total))
		return plain(firstFit(w, "last "+to+" of "+total, "last "+part+" of "+total, "last "+part))
	}
	return plain(to + " of " + total)
}

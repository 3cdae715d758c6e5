package tui

import (
	"time"

	"example.com/vacscope/model"
)

// runPage is everything that is known of one run. It stays with its run when that
// ends, and when the list drops it.
type runPage struct {
	pageList
	location *time.Location
	snap     *model.Snapshot
	run      *model.Run
	dropped  bool   // the run is no longer listed
	phases   phases // for its columns
	inSight  []line // that were drawn last
}

func newRunPage(r *model.Run, location *time.Location) *runPage {
	return &runPage{run: r, location: location, phases: phases{location: location}}
}

func (p *runPage) title() string {
	return show(model.Text(p.snap.NameOf(p.run)))
}

func (p *runPage) note() string {
	state := ""
	switch {
	case p.dropped:
		state = "no longer listed"
	case p.run.End != nil:
		state = string(p.run.End.How)
	}
	return notes(state, p.pageList.note())
}

// setData takes the snapshot, and the page's own run in it, whatever is selected.
func (p *runPage) setData(s *model.Snapshot, _ *model.Run) {
	p.snap, p.dropped = s, true
	for _, runs := range [][]*model.Run{s.Active, s.Ended} {
		for _, r := range runs {
			if p.dropped && sameRun(r.Key, p.run.Key) {
				p.run, p.dropped = r, false
			}
		}
	}
	p.phases.setData(s, p.run)
}

func (p *runPage) terms(int) []model.Explanation {
	var out []model.Explanation
	for _, s := range p.sections() {
		out = append(out, model.ExplainSubject(model.PageSubject(s.title)).About)
	}
	return out
}

// explains are the sections that the page has and what stands in each, and begins
// with the first section in sight.
func (p *runPage) explains(w int) (texts []model.Explanation, at int) {
	at = -1
	for _, s := range p.sections() {
		lines := s.lines(w)
		if len(lines) == 0 {
			continue
		}
		if at < 0 && drawnIn(p.inSight, s.title) {
			at = len(texts)
		}
		explained := model.ExplainSubject(model.PageSubject(s.title))
		texts = append(texts, explained.About)
		for _, e := range explained.Of {
			if drawnIn(lines, e.Name) {
				texts = append(texts, e)
			}
		}
	}
	return texts, max(0, at)
}

func (p *runPage) draw(w, h int, _ bool) []line {
	p.inSight = p.window(pageLines(p.sections(), w), h)
	return p.inSight
}

// sections are the parts of the page, what one looks for first at the top.
func (p *runPage) sections() []section {
	return []section{
		{"Statement", true, p.statement},
		{"Process", false, p.process},
		{"Table", false, p.table},
		{"Phases", true, p.phaseTable},
		{"Where the time goes", true, p.why},
		{"Memory for dead rows", false, p.memory},
		{"Parallel workers", false, p.parallel},
		{"What the cost settings allow", true, p.allowance},
		{"Distance to the edge", true, p.edges},
		{"Who keeps dead rows", true, p.horizon},
		{"Options", true, p.options},
		{"Indexes", true, p.indexes},
		{"Vacuums before", false, p.before},
		{"Notices", true, p.notices},
		{"Progress columns", true, p.columns},
	}
}

func (p *runPage) hidden() bool { return p.run.State == model.StateHidden }

func (p *runPage) edges(w int) []line { return edgeLines(p.snap, p.snap.Edges(p.run), w) }

// clock is a time of the server, with the zone.
func (p *runPage) clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(p.location)
	if p.snap.Now.Sub(t) < 12*time.Hour {
		return clock(t)
	}
	return t.Format(time.DateOnly) + " " + clock(t)
}

// ago is a time and how long ago it was.
func (p *runPage) ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return p.clock(t) + ", " + model.FormatDuration(p.snap.Now.Sub(t)) + " ago"
}

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

func (p *runPage) terms() [][2]string {
	var out [][2]string
	for _, s := range p.sections() {
		out = append(out, [2]string{s.title, s.help})
	}
	return out
}

func (p *runPage) draw(w, h int, _ bool) []line {
	return p.window(pageLines(p.sections(), w), h)
}

// sections are the parts of the page, what one looks for first at the top.
func (p *runPage) sections() []section {
	return []section{
		{"Statement", "as the server has it, which cuts it", true, p.statement},
		{"Process", "who runs it, since when", false, p.process},
		{"Table", "what catalog and statistics say of it", false, p.table},
		{"Phases", "as in the pane, and what remains of the run", true, p.phaseTable},
		{"Where the time goes", "of its processes; what is found and helps", true, p.why},
		{"Memory for dead rows", "how full it is, index passes to expect", false, p.memory},
		{"Parallel workers", "asked, planned, launched, and why fewer", false, p.parallel},
		{"What the cost settings allow", "at most, as if work took no time", true, p.allowance},
		{"Distance to the edge", "ids left until the server acts on their age", true, p.edges},
		{"Who keeps dead rows", "those who keep it from removing them", true, p.horizon},
		{"Options", "of the statement, the version, the table", true, p.options},
		{"Indexes", "sizes as of the last vacuum", true, p.indexes},
		{"Vacuums before", "what the statistics keep of earlier ones", false, p.before},
		{"Notices", "messages of the statement", true, p.notices},
		{"Progress columns", "the row of the server's progress view", true, p.columns},
	}
}

func (p *runPage) hidden() bool { return p.run.State == model.StateHidden }

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

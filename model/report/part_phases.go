package report

import (
	"time"

	"example.com/vacscope/model"
)

// Phases is what the phases of a run took.
type Phases struct {
	Part
	// Spans are the phases in order, those of every index pass by themselves as far as
	// they were kept apart (model.Span.Passes).
	Spans []Phase
	// Totals are the phases, each once, with what all its passes took together.
	Totals []Phase
}

// Phase is one phase in one index pass, or in all of them.
type Phase struct {
	model.Span
	// Started is the time from the beginning of the run, or of the watching.
	Started time.Duration
	// Cumulative and CumulativeDelay are the time and the delay that the server reported
	// from there up to the end of the phase; the latter is absent where it reported none.
	Cumulative      time.Duration
	CumulativeDelay model.Opt[time.Duration]
}

func newPhases(r *model.Run) Phases {
	p := Phases{Part: Part{unseen(r)}, Spans: accumulated(r, r.Phases)}
	if n := len(p.Spans); n > 0 && r.End != nil && r.End.How != model.EndLost && (n > 1 || r.FromStart) {
		p.Spans[n-1].Complete = true // its end is the run's
	}
	totals, _ := r.PhaseTotals()
	p.Totals = accumulated(r, totals)
	return p
}

// accumulated adds up time and delay over phases in order.
func accumulated(r *model.Run, spans []model.Span) []Phase {
	var out []Phase
	var wall time.Duration
	delay := model.None[time.Duration]()
	for _, span := range spans {
		wall += span.Wall
		if d, known := span.Delay.Reported.Get(); known {
			delay = model.Some(delay.Or(0) + d)
		}
		out = append(out, Phase{Span: span, Started: max(0, span.From.Sub(r.WatchedFrom())), Cumulative: wall, CumulativeDelay: delay})
	}
	return out
}

// section is the phases as people read them: the form in which such figures are
// posted, then what each is known to.
func (p *Phases) section() Section {
	s := Section{Name: "phases", Title: "Phases", Missing: p.Missing}
	passes := len(p.Spans) != len(p.Totals)
	for _, phase := range p.Spans {
		s.Lines = append(s.Lines, phase.label(passes)+": "+clock(phase.Cumulative)+phase.delayed())
		if phase.Delay.Differ() {
			s.Notes = append(s.Notes, phase.disagreement(passes))
		}
	}
	if len(p.Spans) == 0 {
		return s
	}
	s.Grids = append(s.Grids, timeGrid("Time", p.Spans, passes), delayGrid("Delay", p.Spans, passes))
	if passes {
		s.Grids = append(s.Grids, timeGrid("Time, all passes", p.Totals, false), delayGrid("Delay, all passes", p.Totals, false))
	}
	if columns := p.columnGrid(passes); len(columns.Rows) > 0 {
		s.Grids = append(s.Grids, columns)
	}
	s.Notes = append(s.Notes, "The lines: time, and delay of all processes, from the beginning to the end of the phase. "+
		"A time is known to the +- beside it, in seconds; process time is that of all processes. Reported: as the server counts it. "+
		"Sampled: an estimate from samples, and half of its 95 % interval. %: of process time.")
	return s
}

// label is the phase and, where passes are told apart, the pass.
func (p *Phase) label(passes bool) string {
	if !passes {
		return p.Phase.Display()
	}
	return p.Phase.Display() + passText(p.Span)
}

// delayed is the cumulative delay in parentheses; "" where the server reports none.
func (p *Phase) delayed() string {
	d, known := p.CumulativeDelay.Get()
	if !known {
		return ""
	}
	return " (" + clock(d) + " delayed)"
}

// disagreement says how far apart the reported and the sampled delay lie.
func (p *Phase) disagreement(passes bool) string {
	share := func(d model.Opt[time.Duration]) string {
		return text(shareOf(d, p.ProcessTime, p.Wall), percent) + " %"
	}
	return p.label(passes) + ": reported (" + share(p.Delay.Reported) + ") and sampled (" + share(p.Delay.Sampled) +
		") delay disagree: they lie more than three sampling errors apart."
}

// columnGrid are the columns of the progress view that the program does not know.
func (p *Phases) columnGrid(passes bool) Grid {
	g := newGrid("Other columns of the progress view", "phase", "column", "#difference", "#value")
	for _, phase := range p.Spans {
		for _, c := range phase.Columns {
			g.add(phase.label(passes), model.Text(c.Name).Display(), plainNumber(c.Grown), plainNumber(c.Value))
		}
	}
	return g
}

func timeGrid(title string, phases []Phase, passes bool) Grid {
	g := newGrid(title, "phase", "#started", "#time", "#+-", "#process\ntime")
	for i := range phases {
		p := &phases[i]
		g.add(p.label(passes), clock(p.Started), clock(p.Wall), uncertainty(p.Uncertain), clock(p.ProcessTime))
	}
	return g
}

func delayGrid(title string, phases []Phase, passes bool) Grid {
	g := newGrid(title, "phase", "#reported", "#%", "#sampled", "#%", "#+-")
	for i := range phases {
		p := &phases[i]
		d, of := p.Delay, func(d model.Opt[time.Duration]) string { return text(shareOf(d, p.ProcessTime, p.Wall), percent) }
		within := ascii(model.Absent)
		if d.Sampled.Known() {
			within = clock(d.SampledError)
		}
		g.add(p.label(passes), text(d.Reported, clock), of(d.Reported), text(d.Sampled, clock), of(d.Sampled), within)
	}
	return g
}

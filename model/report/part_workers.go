package report

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// Workers is how a parallel vacuum used its processes.
type Workers struct {
	Part
	Parallel model.Parallel
	// Passes are the index phases with workers, in order.
	Passes []WorkersPass
}

// WorkersPass is one index phase, or several that were merged.
type WorkersPass struct {
	Phase        model.Text
	Pass, Passes int
	Wall         time.Duration
	// Workers is how many lived in it, in all its passes; Lived how long together.
	Workers int
	Lived   time.Duration
	// Each is how long each of them lived, where passes were not merged.
	Each []model.ProcessLife
	// Idle is how long the leader waited for its workers (ParallelFinish): an estimate
	// from IdleSamples.
	Idle        time.Duration
	IdleSamples int
}

// Utilisation is the life of the workers within the passes, as a share of the passes.
func (p *WorkersPass) Utilisation() model.Opt[model.Ratio] {
	perPass := p.Wall.Seconds() / float64(max(1, p.Passes))
	if whole := perPass * float64(p.Workers); whole > 0 {
		return model.Some(min(1, model.Ratio(p.Lived.Seconds()/whole)))
	}
	return model.None[model.Ratio]()
}

func newWorkers(r *model.Run) Workers {
	out := Workers{Part: Part{unseen(r)}, Parallel: r.Parallel}
	for i := range r.Phases {
		span := &r.Phases[i]
		n, lived := span.Workers()
		if n == 0 {
			continue
		}
		pass := WorkersPass{Phase: span.Phase, Pass: span.Pass, Passes: span.Passes, Wall: span.Wall, Workers: n, Lived: lived}
		for _, l := range span.Lives {
			if l.Worker && l.PID != 0 {
				pass.Each = append(pass.Each, l)
			}
		}
		for _, w := range span.Waits {
			if w.Class == model.ClassLeader {
				pass.Idle, pass.IdleSamples = pass.Idle+w.Weight, pass.IdleSamples+w.Samples
			}
		}
		out.Passes = append(out.Passes, pass)
	}
	if out.Missing == "" && len(out.Passes) == 0 {
		out.Missing = "no parallel worker was seen"
	}
	return out
}

// section is the workers as people read it.
func (w *Workers) section() Section {
	s := Section{Name: "workers", Title: "Workers", Missing: w.Missing}
	if w.Missing != "" {
		return s
	}
	s.Lines = hang("", workersText(w.Parallel))
	passes := newGrid("Index passes", "phase", "#pass", "#time", "#workers", "#lived\n%", "#leader\nidle", "#samples\nidle")
	each := newGrid("Workers", "#pass", "#pid", "#lived", "#% of\npass")
	for _, p := range w.Passes {
		label := passLabel(p.Pass, p.Passes)
		passes.add(p.Phase.Display(), label, clock(p.Wall), fmt.Sprint(p.Workers), text(p.Utilisation(), percent), clock(p.Idle), fmt.Sprint(p.IdleSamples))
		for _, l := range p.Each {
			of := shareOf(model.Some(l.Lived), p.Wall, p.Wall)
			each.add(label, fmt.Sprint(l.PID), clock(l.Lived), text(of, percent))
		}
	}
	s.Grids = append(s.Grids, passes)
	if len(each.Rows) > 0 {
		s.Grids = append(s.Grids, each)
	}
	s.Notes = []string{"Lived: of the time of the pass. Leader idle: it waits for its workers (ParallelFinish), ~ by its samples."}
	return s
}

// passLabel is the index pass of a span, or the first and last of those it covers.
func passLabel(pass, passes int) string {
	if passes > 1 {
		return fmt.Sprintf("%d-%d", pass, pass+passes-1)
	}
	return fmt.Sprint(pass)
}

package report

import (
	"time"

	"example.com/vacscope/model"
)

// growthHeight is how high the plot of a growthChart is.
const growthHeight = 220.0

// growthChart is how process-time and delay of runs grew, as lines. Nothing where there
// are too few points for a line.
func growthChart(runs []timedRun) []drawing {
	d := drawing{Title: "Process time and delay, cumulative", W: drawingWidth, H: growthHeight + axisHeight + 8}
	var end, top time.Duration
	for _, r := range runs {
		end = max(end, r.run.Elapsed)
		for _, p := range r.run.History {
			end, top = max(end, p.Since), max(top, p.ProcessTime, p.Reported.Or(0), p.Sampled.Or(0))
		}
	}
	for i, r := range runs {
		for _, s := range grown {
			d.growth(r, s, i > 0, end, top)
		}
	}
	if len(d.Lines) == 0 {
		return nil
	}
	for _, at := range ticksOf(top) {
		y := upwards(at, top)
		d.line("grid", plotLeft, y, plotRight, y)
		d.text(plotLeft-8, y+4, "end", axisTime(at))
	}
	d.timeAxis(0, growthHeight+8, end)
	return []drawing{d}
}

// grownSeries is one series of a growthChart.
type grownSeries struct {
	class, what string
	of          func(model.DelayPoint) model.Opt[time.Duration]
}

var grown = []grownSeries{
	{"line-process", "process time", func(p model.DelayPoint) model.Opt[time.Duration] { return model.Some(p.ProcessTime) }},
	{"line-delay", "delay, as the server reports it", func(p model.DelayPoint) model.Opt[time.Duration] { return p.Reported }},
	{"line-sampled", "delay, estimated from samples", func(p model.DelayPoint) model.Opt[time.Duration] { return p.Sampled }},
}

// growth draws one series of a run, that of a second run with dashes.
func (d *drawing) growth(r timedRun, s grownSeries, second bool, end, top time.Duration) {
	var places []float64
	for _, p := range r.run.History {
		if v, known := s.of(p).Get(); known {
			places = append(places, along(p.Since, end), upwards(v, top))
		}
	}
	if len(places) < 4 || top <= 0 {
		return
	}
	class, what := s.class, s.what
	if second {
		class += " second"
	}
	if r.label != "" {
		what = r.label + ": " + what
	}
	d.line(class, places...)
	d.explain(legendKey{class, what, true})
}

// upwards is where a value stands in the plot of a growthChart.
func upwards(v, top time.Duration) float64 {
	return 8 + growthHeight*(1-float64(v)/float64(max(1, top)))
}

package report

import (
	"fmt"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// timedRun is a run with what it is called in a chart.
type timedRun struct {
	label string
	run   *RunReport
}

// phasesChart is the phases of runs as bars along one axis of time. Nothing where no phase
// was seen.
func phasesChart(runs []timedRun) []drawing {
	d := drawing{Title: "Phases", W: drawingWidth}
	var end time.Duration
	for _, r := range runs {
		end = max(end, r.run.Elapsed)
	}
	for i, r := range runs {
		y := float64(i) * rowHeight
		d.text(plotLeft-8, y+textDrop, "end", r.label)
		passes := len(r.run.Phases.Spans) != len(r.run.Phases.Totals)
		for _, span := range r.run.Phases.Spans {
			x := along(span.Started, end)
			class := phaseClass(span.Phase)
			d.Rects = append(d.Rects, rect{
				x, y + 3, max(0.5, along(span.Started+span.Wall, end)-x), rowHeight - 6, class,
				span.label(passes) + ": " + clock(span.Wall),
			})
			d.explain(legendKey{Class: class, Text: span.Phase.Display()})
		}
		d.text(plotRight+6, y+textDrop, "start", model.FormatDuration(r.run.Elapsed))
	}
	if len(d.Rects) == 0 {
		return nil
	}
	bottom := float64(len(runs)) * rowHeight
	d.timeAxis(0, bottom, end)
	d.H = bottom + axisHeight
	return []drawing{d}
}

// phaseNames are the phases of VACUUM in their order; each has a colour of its own. All
// others share one.
var phaseNames = []model.Text{
	"initializing", "scanning heap", "vacuuming indexes", "vacuuming heap", "cleaning up indexes", "truncating heap", "performing final cleanup",
}

func phaseClass(phase model.Text) string {
	if i := slices.Index(phaseNames, phase); i >= 0 {
		return fmt.Sprintf("phase%d", i)
	}
	return "phase"
}

package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// waitBar is a row of a waitsChart: what processes did, by class of wait.
type waitBar struct {
	label   string
	samples int
	weights [model.Classes]time.Duration
}

func (b *waitBar) add(w WaitSamples) {
	b.samples += w.Samples
	b.weights[w.Class] += w.Weight
}

// most is how many rows a waitsChart has; the rows that follow are one.
const mostBars = 24

// waitsChart is the shares of processes' samples by class of wait, as bars.
func waitsChart(title string, bars []waitBar) drawing {
	d := drawing{Title: title, W: drawingWidth, H: float64(len(bars)) * rowHeight}
	for i, b := range bars {
		y := float64(i) * rowHeight
		d.text(plotLeft-8, y+textDrop, "end", b.label)
		var all, before time.Duration
		for _, w := range b.weights {
			all += w
		}
		for class, w := range b.weights {
			if w == 0 {
				continue
			}
			x := along(before, all)
			before += w
			name := model.Class(class).String()
			d.Rects = append(d.Rects, rect{x, y + 3, along(before, all) - x, rowHeight - 6, name,
				fmt.Sprintf("%s: %s %s", b.label, name, model.FormatPercent(model.Ratio(w)/model.Ratio(all)))})
		}
		d.text(plotRight+6, y+textDrop, "start", model.FormatCount(int64(b.samples)))
	}
	for class := range model.Classes {
		if slices.ContainsFunc(bars, func(b waitBar) bool { return b.weights[class] > 0 }) {
			d.explain(legendKey{Class: model.Class(class).String(), Text: classText(model.Class(class))})
		}
	}
	return d
}

// classText is a class as people read it.
func classText(c model.Class) string {
	switch c {
	case model.ClassDelay:
		return "asleep on purpose"
	case model.ClassLock:
		return "lock"
	case model.ClassWAL:
		return "WAL"
	case model.ClassIO:
		return "I/O"
	case model.ClassLWLock:
		return "LWLock"
	case model.ClassLeader:
		return "waits for its workers"
	case model.ClassCPU:
		return "on CPU"
	}
	return "other"
}

// waitsCharts are the shares of each process, a chart for each phase; leaders first.
func (r *RunReport) waitsCharts() []drawing {
	var out []drawing
	for _, phase := range r.Samples.Phases {
		var bars []waitBar
		for _, p := range phase.Processes {
			bars = append(bars, barOf(p, phase.Waits))
		}
		out = append(out, waitsChart("Waits while "+phase.Phase.Display()+", by process: shares of samples, and their number", joined(bars)))
	}
	return out
}

// barOf is the row of a process.
func barOf(p ProcessSamples, waits []WaitSamples) waitBar {
	b := waitBar{label: processLabel(p)}
	for _, w := range waits {
		if p.has(w) {
			b.add(w)
		}
	}
	return b
}

// processLabel says which process it is.
func processLabel(p ProcessSamples) string {
	pid, known := p.PID.Get()
	switch {
	case !known:
		return "earlier workers"
	case p.LeaderPID.Known():
		return fmt.Sprintf("worker %d", pid)
	}
	return fmt.Sprintf("leader %d", pid)
}

// joined are the bars, those with the fewest samples as one where there are many. The
// first stays.
func joined(bars []waitBar) []waitBar {
	if len(bars) <= mostBars {
		return bars
	}
	slices.SortStableFunc(bars[1:], func(a, b waitBar) int { return cmp.Compare(b.samples, a.samples) })
	rest := waitBar{label: fmt.Sprintf("%d others", len(bars)-mostBars+1)}
	for _, b := range bars[mostBars-1:] {
		rest.samples += b.samples
		for class, w := range b.weights {
			rest.weights[class] += w
		}
	}
	return append(bars[:mostBars-1], rest)
}

// waitsCharts are the shares of leaders and workers of both sides, a chart for each phase.
func (c *Comparison) waitsCharts() []drawing {
	var out []drawing
	for _, phase := range (measuring{c.A, c.B}).phases() {
		var bars []waitBar
		for _, workers := range []bool{false, true} {
			for _, side := range []*Side{&c.A, &c.B} {
				b := waitBar{label: side.Label + " leader"}
				if workers {
					b.label = side.Label + " workers"
				}
				for i := range side.Runs {
					for _, w := range side.Runs[i].Samples.of(phase).Waits {
						if w.LeaderPID.Known() == workers {
							b.add(w)
						}
					}
				}
				if b.samples > 0 {
					bars = append(bars, b)
				}
			}
		}
		if len(bars) > 0 {
			out = append(out, waitsChart("Waits while "+phase.Display()+": shares of samples, and their number", bars))
		}
	}
	return out
}

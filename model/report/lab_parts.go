package report

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// labDurations are the durations of pieces of work: those of all runs of a side together.
func labDurations(l experiment.Lab) []Section {
	var out []Section
	for _, what := range durationsOf(l) {
		d := pooled(l, what)
		all := d.Summaries()
		s := d.statisticsSection(all)
		s.Name, s.Title = "durations", "Durations of "+what+", in milliseconds"
		if len(all) > 1 {
			s.Grids = append(s.Grids, differencesSection(all).Grids...)
		}
		out = append(out, s)
	}
	return out
}

// durationsOf are the pieces of work that runs had.
func durationsOf(l experiment.Lab) []string {
	var out []string
	for _, side := range l.Sides {
		for _, r := range side.Compared() {
			for _, d := range r.Durations {
				if !slices.Contains(out, d.What) {
					out = append(out, d.What)
				}
			}
		}
	}
	return out
}

// pooled are the durations of a piece of work, those of all runs of a side together.
func pooled(l experiment.Lab, what string) Durations {
	var out Durations
	for _, side := range l.Sides {
		of := DurationSide{Name: model.Text(side.Name)}
		for _, r := range side.Compared() {
			for _, d := range r.Durations {
				if d.What == what {
					of.Milliseconds = append(of.Milliseconds, each(d.Each, model.InMilliseconds)...)
				}
			}
		}
		out.Sides = append(out.Sides, of)
	}
	return out
}

// labWindows are latencies before, during and after aggressive vacuums, those of all runs
// of a side together.
func labWindows(l experiment.Lab) []Section {
	g := newGrid("", "side", "#vacuums", "when", "#n", "#P50", "#P95", "#P99", "#max")
	for _, side := range l.Sides {
		before, during, after, vacuums := side.Around()
		if before.N+during.N+after.N == 0 {
			continue
		}
		of := []string{labHead(side.Name), fmt.Sprint(vacuums)}
		g.add(append(of, windowCells("before", before)...)...)
		g.add(append(of, windowCells("during", during)...)...)
		g.add(append(of, windowCells("after", after)...)...)
	}
	if len(g.Rows) == 0 {
		return nil
	}
	note := "In milliseconds. Before and after are windows of 60 s, and at most a fifth of the run; during is from a vacuum's start to its end."
	return []Section{{Name: "windows", Title: "Latency around aggressive vacuums", Grids: []Grid{g}, Notes: []string{note}}}
}

func windowCells(when string, h experiment.Histogram) []string {
	cells := []string{when, model.FormatCount(h.N)}
	for _, p := range []int{50, 95, 99} {
		cells = append(cells, text(mapped(h.Percentile(p), model.InMilliseconds), latencyText))
	}
	return append(cells, text(someIf(h.N > 0, model.InMilliseconds(h.Max)), latencyText))
}

// eventsShown is how many wait events have a line.
const eventsShown = 10

// labEvents are the wait events that were seen most.
func labEvents(l experiment.Lab) []Section {
	type event struct {
		backend, kind, name string
		samples             []int
		all                 int
	}
	var events []event
	for i, side := range l.Sides {
		for _, r := range side.Compared() {
			for _, w := range r.Waits {
				at := slices.IndexFunc(events, func(e event) bool { return e.backend == w.Backend && e.kind == w.Type && e.name == w.Event })
				if at < 0 {
					at = len(events)
					events = append(events, event{w.Backend, w.Type, w.Event, make([]int, len(l.Sides)), 0})
				}
				events[at].samples[i] += w.Samples
				events[at].all += w.Samples
			}
		}
	}
	if len(events) == 0 {
		return nil
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(b.all, a.all) })
	heads := []string{"backend", "wait event"}
	shown := l.Sides[:min(len(l.Sides), sidesInGrid)]
	for _, side := range shown {
		heads = append(heads, "#"+labHead(side.Name))
	}
	g := newGrid("", heads...)
	for _, e := range events[:min(len(events), eventsShown)] {
		cells := []string{safe(e.backend), safe(cmp.Or(e.name, experiment.OnCPU))}
		for i := range shown {
			cells = append(cells, model.FormatCount(int64(e.samples[i])))
		}
		g.add(cells...)
	}
	s := Section{Name: "events", Title: "The most frequent of them", Grids: []Grid{g}, Notes: []string{"Samples of all runs of a side."}}
	return []Section{s}
}

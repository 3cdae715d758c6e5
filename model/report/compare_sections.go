package report

import (
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report/statistics"
)

// title says what is compared with what.
func (c *Comparison) title() string {
	a, b := c.A.Runs[0].compared(), c.B.Runs[0].compared()
	if a == b {
		return "Comparison of " + a + ": B against A"
	}
	return "Comparison: B, " + b + ", against A, " + a
}

// ComparisonSections are the names of the parts of a comparison. The last is there where a
// side has several runs.
var ComparisonSections = []string{"sides", "observations", "conditions", "phases", "samples", "workers", "impact", "statistics"}

// Document is the comparison as people read it.
func (c *Comparison) Document() Document {
	d := Document{c.title(), c.sections()}
	d.draw("phases", phasesChart(c.timed()), growthChart([]timedRun{{"A", &c.A.Runs[0]}, {"B", &c.B.Runs[0]}}))
	d.draw("samples", c.waitsCharts())
	return d
}

// timed are the runs of both sides with their names in charts.
func (c *Comparison) timed() []timedRun {
	var out []timedRun
	for _, side := range []*Side{&c.A, &c.B} {
		for i := range side.Runs {
			label := side.Label
			if len(side.Runs) > 1 {
				label += fmt.Sprintf(" %d", i+1)
			}
			out = append(out, timedRun{label, &side.Runs[i]})
		}
	}
	return out
}

func (c *Comparison) sections() []Section {
	out := []Section{
		c.sidesSection(),
		c.observationsSection(),
		c.conditionsSection(),
		c.phasesSection(),
		c.samplesSection(),
		c.quantitiesSection("workers", "Index passes and workers", "nothing is known of them", workerKinds...),
		c.quantitiesSection("impact", "WAL and I/O, as the server tells them", "only runs that vacscope starts with VERBOSE tell what they used", impactKinds...),
	}
	if !c.single() {
		out = append(out, c.statisticsSection())
	}
	return out
}

func (c *Comparison) sidesSection() Section {
	g := newGrid("", "side", "recording", "vacuum", "began", "#took", "result")
	s := Section{Name: "sides", Title: "Sides"}
	for _, side := range []Side{c.A, c.B} {
		for _, r := range side.Runs {
			g.add(side.Label, model.Text(r.Context.Origin.File).Display(), r.Command, r.From.UTC().Format(timeLayout), clock(r.Elapsed), r.resultText())
		}
		if n := len(side.LeftOut); n > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%s of %s not compared: not seen from start to end, or not completed.", model.FormatCounted(n, "vacuum", "vacuums"), side.Label))
		}
	}
	s.Grids = []Grid{g}
	return s
}

func (c *Comparison) observationsSection() Section {
	s := Section{Name: "observations", Title: "Observations, the largest difference first"}
	for _, o := range c.Observations {
		s.Items = append(s.Items, o.Text)
	}
	if len(s.Items) == 0 {
		s.Missing = "no difference was found"
		return s
	}
	s.Notes = []string{"A / B (B - A), ordered by the difference against the whole of A: its time or, for what is of processes, its process time. " +
		"What is below 0.5 % of that is left out."}
	if few := c.tooFew(); few != "" {
		s.Notes = append(s.Notes, few+" what of this is chance.")
	} else {
		s.Notes = append(s.Notes, "In parentheses: the 95 % interval of the difference of the means (Welch), in percent of A's mean or in samples.")
	}
	return s
}

func (c *Comparison) conditionsSection() Section {
	s := Section{Name: "conditions", Title: "Conditions that differ"}
	g := newGrid("", "what", "A", "B")
	for _, condition := range c.Conditions {
		g.add(condition.What, condition.A, condition.B)
	}
	if len(g.Rows) == 0 {
		s.Missing = "none that is known of"
		return s
	}
	s.Grids = []Grid{g}
	return s
}

// phasesSection is what the phases took, and where the two ways to tell the delay disagree.
func (c *Comparison) phasesSection() Section {
	s := c.quantitiesSection("phases", "Phases", "no phase of them was seen", KindTime, KindProcessTime, KindDelay, KindSampledDelay)
	if !c.single() {
		return s
	}
	for _, side := range []*Side{&c.A, &c.B} {
		for _, phase := range side.Runs[0].Phases.Totals {
			if phase.Delay.Differ() {
				s.Notes = append(s.Notes, side.Label+", "+phase.disagreement(false))
			}
		}
	}
	return s
}

// quantitiesSection is a table for each of the kinds, or one for those that are of whole
// runs only.
func (c *Comparison) quantitiesSection(name, title, missing string, kinds ...Kind) Section {
	s := Section{Name: name, Title: title}
	whole := c.newGrid("", "")
	for _, kind := range kinds {
		g := c.newGrid(kindTitles[kind], "phase")
		for i := range c.Quantities {
			q := &c.Quantities[i]
			switch {
			case q.Kind != kind:
			case kindTitles[kind] == "":
				whole.Rows = append(whole.Rows, c.row(q, string(kind)))
			default:
				g.Rows = append(g.Rows, c.row(q, phaseOrWhole(q.Phase)))
			}
		}
		if len(g.Rows) > 0 {
			s.Grids = append(s.Grids, g)
		}
	}
	if len(whole.Rows) > 0 {
		s.Grids = append(s.Grids, whole)
	}
	if len(s.Grids) == 0 {
		s.Missing = missing
	}
	return s
}

// kindTitles are the titles of the tables of kinds that are measured by phase.
var kindTitles = map[Kind]string{
	KindTime: "Time", KindProcessTime: "Process time", KindDelay: "Delay, as the server reports it", KindSampledDelay: "Delay, estimated from samples",
}

func phaseOrWhole(phase model.Text) string {
	if phase == "" {
		return "whole run"
	}
	return phase.Display()
}

// newGrid is a table of quantities: with their difference where there are too few runs to
// tell it from chance, else with what was found.
func (c *Comparison) newGrid(title string, heads ...string) Grid {
	switch {
	case c.single():
		return newGrid(title, append(heads, "#A", "#B", "#B - A", "#change")...)
	case c.tooFew() != "":
		return newGrid(title, append(heads, "#A, mean", "#B, mean", "#B - A", "#change")...)
	}
	return newGrid(title, append(heads, "#A, mean", "#B, mean", "difference found")...)
}

// tooFew says that there are too few runs to tell a difference from chance; "" where there
// are enough.
func (c *Comparison) tooFew() string {
	return statistics.Difference{N: min(len(c.A.Runs), len(c.B.Runs))}.TooFew("run", "runs")
}

// row is a quantity in a table, after the cells that say what it is of.
func (c *Comparison) row(q *Quantity, of ...string) []string {
	cells := append(of, q.meanText(q.A), q.meanText(q.B))
	if c.tooFew() != "" {
		return append(cells, q.changeText(), text(q.Difference.Ratio(), statistics.Percent))
	}
	return append(cells, q.found())
}

// found is what was found of several runs, in short.
func (q *Quantity) found() string { return foundText(q.Difference) }

// foundText is a difference between the means of several runs, in short.
func foundText(d statistics.Difference) string {
	if d.Interval.Known() && !d.Found() {
		return strings.TrimSuffix("no: "+d.Numbers(), ": ")
	}
	return d.Words("run", "runs")
}

// samplesSection is a table of wait events for each phase.
func (c *Comparison) samplesSection() Section {
	s := Section{Name: "samples", Title: "Samples", Missing: "no samples were taken"}
	var g *Grid
	phase, sameRate := model.Text(""), true
	for i := range c.Quantities {
		q := &c.Quantities[i]
		if q.Kind != KindSamples {
			continue
		}
		if g == nil || q.Phase != phase {
			s.Grids = append(s.Grids, newGrid("while "+q.Phase.Display(), "of", "wait_event", "#A", "#B", "#B - A", "#~ time"))
			g, phase = &s.Grids[len(s.Grids)-1], q.Phase
		}
		g.add(q.who(), q.Event, q.meanText(q.A), q.meanText(q.B), q.countChange(), text(q.Standing, signedTime))
		sameRate = sameRate && q.SameRate
	}
	if len(s.Grids) == 0 {
		return s
	}
	s.Missing, s.Notes = "", []string{"~ time: what the difference stands for, of the time of all processes."}
	if !sameRate {
		s.Notes = append(s.Notes, "The sides were not sampled as often: the counts cannot be compared, only the times.")
	}
	if !c.single() {
		s.Notes = append(s.Notes, "Counts are means of the runs.")
	}
	return s
}

// countChange is the difference of two counts of samples; absent where they cannot be
// compared.
func (q *Quantity) countChange() string {
	if !q.SameRate {
		return ascii(model.Absent)
	}
	return q.changeText()
}

// statisticsSection describes the times of sides of several runs.
func (c *Comparison) statisticsSection() Section {
	s := Section{Name: "statistics", Title: "Times of several runs"}
	for i := range c.Quantities {
		q := &c.Quantities[i]
		if q.Kind != KindTime {
			continue
		}
		g := statisticsGrid(phaseOrWhole(q.Phase), []string{"A", "B"}, []model.Opt[statistics.Summary]{q.A, q.B}, q.valueText)
		s.Grids = append(s.Grids, g)
	}
	return s
}

// statisticsGrid has a row for each statistic and a column for each side. A percentile
// stands where a sample holds it.
func statisticsGrid(title string, sides []string, of []model.Opt[statistics.Summary], value func(float64) string) Grid {
	g := newGrid(title, "")
	for _, side := range sides {
		g.Columns = append(g.Columns, Column{Head: side, Number: true})
	}
	row := func(name string, cell func(statistics.Summary) string) {
		cells := []string{name}
		for _, s := range of {
			cells = append(cells, text(s, cell))
		}
		g.add(cells...)
	}
	row("n", func(s statistics.Summary) string { return model.FormatCount(int64(s.N)) })
	row("total", func(s statistics.Summary) string { return value(s.Total) })
	row("mean", func(s statistics.Summary) string { return value(s.Mean) })
	row("median", func(s statistics.Summary) string { return value(s.Median) })
	row("min", func(s statistics.Summary) string { return value(s.Min) })
	percentile := func(name string, of func(statistics.Summary) model.Opt[float64]) {
		row(name, func(s statistics.Summary) string { return text(of(s), value) })
		if row := g.Rows[len(g.Rows)-1]; !slices.ContainsFunc(row[1:], func(cell string) bool { return cell != ascii(model.Absent) }) {
			g.Rows = g.Rows[:len(g.Rows)-1]
		}
	}
	percentile("P95", func(s statistics.Summary) model.Opt[float64] { return s.P95 })
	percentile("P99", func(s statistics.Summary) model.Opt[float64] { return s.P99 })
	row("max", func(s statistics.Summary) string { return value(s.Max) })
	row("stddev", func(s statistics.Summary) string { return text(s.StdDev, value) })
	return g
}

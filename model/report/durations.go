package report

import (
	"fmt"
	"math"
	"slices"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report/statistics"
	"github.com/charmbracelet/x/ansi"
)

// DurationSummary describes one side of durations that were measured elsewhere.
type DurationSummary struct {
	Name               model.Text
	statistics.Summary // in milliseconds
	// Difference is that of the means from the first side's; absent for the first.
	Difference model.Opt[statistics.Difference]
}

// Summaries describe the sides, in order.
func (d *Durations) Summaries() []DurationSummary {
	var out []DurationSummary
	for i, side := range d.Sides {
		summary, known := statistics.Summarize(side.Milliseconds).Get()
		if !known {
			continue
		}
		s := DurationSummary{Name: side.Name, Summary: summary}
		if i > 0 {
			s.Difference = model.Some(statistics.Compare(out[0].Sample(), summary.Sample()))
		}
		out = append(out, s)
	}
	return out
}

// DurationsSections are the names of the parts of a report of durations.
var DurationsSections = []string{"statistics", "differences"}

// Document is what the durations say as people read it.
func (d *Durations) Document() Document {
	all := d.Summaries()
	return Document{"Durations of " + model.FormatCounted(len(all), "side", "sides"), []Section{d.statisticsSection(all), differencesSection(all)}}
}

// sidesInGrid is how many sides stand beside each other in one table, and maxSideHead how
// much of their names, so that it is not too wide.
const sidesInGrid, maxSideHead = 4, 14

func (d *Durations) statisticsSection(all []DurationSummary) Section {
	of := Section{Name: "statistics", Title: "Statistics, in milliseconds"}
	value := inDecimals(all)
	for some := range slices.Chunk(all, sidesInGrid) {
		var names []string
		var summaries []model.Opt[statistics.Summary]
		for _, s := range some {
			names = append(names, ansi.Truncate(s.Name.Display(), maxSideHead, "..."))
			summaries = append(summaries, model.Some(s.Summary))
		}
		of.Grids = append(of.Grids, statisticsGrid("", names, summaries, value))
	}
	of.Notes = append(of.Notes, "stddev: of the sample. A percentile stands where the sample holds it: P95 from 20 values on, P99 from 100.")
	if d.Without > 0 {
		of.Notes = append(of.Notes, model.FormatCounted(d.Without, "transaction", "transactions")+" of pgbench failed or were skipped, and have no duration.")
	}
	return of
}

func differencesSection(all []DurationSummary) Section {
	s := Section{Name: "differences", Title: "Differences of the means"}
	if len(all) < 2 {
		s.Missing = "there is one side only"
		return s
	}
	g := newGrid("", "side", "against "+all[0].Name.Display())
	for _, side := range all[1:] {
		if d, known := side.Difference.Get(); known {
			g.add(side.Name.Display(), d.Words("value", "values"))
		}
	}
	s.Grids = []Grid{g}
	s.Notes = []string{"In percent of the mean that it is measured against, with the 95 % interval (Welch)."}
	return s
}

// inDecimals writes numbers with as many decimals as the smallest mean needs for about
// four digits.
func inDecimals(all []DurationSummary) func(float64) string {
	least := math.Inf(1)
	for _, s := range all {
		least = min(least, s.Mean)
	}
	decimals := 0
	for least < 1000 && decimals < 3 {
		least *= 10
		decimals++
	}
	scale := math.Pow10(decimals)
	return func(v float64) string {
		whole, part := math.Modf(math.Round(v*scale) / scale)
		if decimals == 0 {
			return model.FormatCount(int64(whole))
		}
		return model.FormatCount(int64(whole)) + fmt.Sprintf("%.*f", decimals, part)[1:]
	}
}

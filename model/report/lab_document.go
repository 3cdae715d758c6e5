package report

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"github.com/charmbracelet/x/ansi"
)

// LabDocument is what an experiment measured as people read it.
func LabDocument(l experiment.Lab) Document {
	d := Document{Title: "Measured: " + l.Summary, Sections: []Section{labConditions(l)}}
	measured := measureLab(l)
	for _, group := range experiment.Groups() {
		if s := labGroup(l, measured, group); len(s.Grids) > 0 {
			d.Sections = append(d.Sections, s)
		}
		switch group {
		case experiment.GroupTime:
			d.Sections = append(d.Sections, labDurations(l)...)
		case experiment.GroupLatency:
			d.Sections = append(d.Sections, labWindows(l)...)
		case experiment.GroupWaits:
			d.Sections = append(d.Sections, labEvents(l)...)
		}
	}
	return d
}

// labConditions are what was run on what, and what is to be known before any number is
// read.
func labConditions(l experiment.Lab) Section {
	s := Section{Name: "conditions", Title: "What was run"}
	add := func(what, value string) {
		if value != "" {
			s.Facts = append(s.Facts, Fact{what, value})
		}
	}
	add("workload", l.Workload)
	add("command", strings.Join(l.Command, " "))
	add("options", strings.Join(l.Options, ", "))
	add("size", labSize(l))
	add("settings", strings.Join(l.Settings, ", "))
	for _, side := range l.Sides {
		add(labHead(side.Name), labSide(l, side))
	}
	s.Items = append(l.Conditions(), l.Remarks()...)
	if few := tooFewRuns(l); few != "" && len(l.Sides) > 1 {
		s.Items = append(s.Items, few)
	}
	return s
}

// labSize is how long and how large it was.
func labSize(l experiment.Lab) string {
	var parts []string
	if l.Clients > 0 {
		parts = append(parts, model.FormatCounted(l.Clients, "client", "clients"))
	}
	if l.Duration > 0 {
		parts = append(parts, "runs of "+l.Duration.String())
	}
	if l.Scale > 0 {
		parts = append(parts, fmt.Sprintf("scale %g, seed %d", l.Scale, l.Seed))
	}
	return strings.Join(parts, ", ")
}

// labSide is a side in a line: its programs, settings and runs.
func labSide(l experiment.Lab, side experiment.Side) string {
	parts := []string{"not run"}
	if v := side.Programs.Version; v != "" {
		parts[0] = "PostgreSQL " + v
	}
	if len(side.Settings) > 0 {
		parts = append(parts, strings.Join(side.Settings, ", "))
	}
	var numbers []string
	for _, r := range side.Runs {
		numbers = append(numbers, fmt.Sprint(r.Number))
	}
	switch {
	case len(side.Runs) == 0 && side.Programs.Version != "":
		parts = append(parts, "no run was measured")
	case len(side.Runs) == 0:
	case len(side.Runs) < l.Runs:
		parts = append(parts, fmt.Sprintf("%d of %d runs: %s", len(side.Runs), l.Runs, strings.Join(numbers, ", ")))
	case len(side.Runs) == 1:
		parts = append(parts, "run "+numbers[0])
	default:
		parts = append(parts, "runs "+strings.Join(numbers, ", "))
	}
	return strings.Join(parts, "; ")
}

// labHead is a side's name over a column.
func labHead(name string) string { return ansi.Truncate(safe(name), maxSideHead, "...") }

// labTitles are the groups' titles.
var labTitles = map[experiment.Group]string{
	experiment.GroupTime:    "Time",
	experiment.GroupVacuum:  "Vacuums of the workload's tables",
	experiment.GroupLatency: "Latency of statements",
	experiment.GroupWAL:     "WAL",
	experiment.GroupIO:      "Pages read and written",
	experiment.GroupRows:    "Rows",
	experiment.GroupWaits:   "Samples of active backends by type of wait",
}

// labNotes are what is to be known of a group's numbers.
var labNotes = map[experiment.Group]string{
	experiment.GroupVacuum: "From the start to the end of each vacuum, delay included, not multiplied by its workers. " +
		"sum adds them up; union counts the time once in which several ran.",
	experiment.GroupLatency: "From when a statement was due, whether or not its client was free (of pgbench: with --rate). Percentiles are known to 2 %.",
}

// labGroup is the table of a group's quantities, sides beside each other.
func labGroup(l experiment.Lab, all []LabQuantity, group experiment.Group) Section {
	s := Section{Name: string(group), Title: labTitles[group]}
	var of []LabQuantity
	for _, q := range all {
		if q.Group == group {
			of = append(of, q)
		}
	}
	if len(of) == 0 {
		return s
	}
	for first := 0; first < len(l.Sides); first += sidesInGrid {
		s.Grids = append(s.Grids, meansGrid(l, of, first, min(first+sidesInGrid, len(l.Sides))))
	}
	if len(l.Sides) > 2 {
		at := differencesInGrid(l)
		for first := 1; first < len(l.Sides); first += at {
			s.Grids = append(s.Grids, differencesGrid(l, of, first, min(first+at, len(l.Sides))))
		}
	}
	if note := labNotes[group]; note != "" {
		s.Notes = append(s.Notes, note)
	}
	return s
}

// meansGrid has the means of some sides beside each other; of two sides also what
// differs.
func meansGrid(l experiment.Lab, all []LabQuantity, from, to int) Grid {
	heads := []string{"mean of the runs"}
	if l.Runs == 1 {
		heads[0] = ""
	}
	for _, side := range l.Sides[from:to] {
		heads = append(heads, "#"+labHead(side.Name))
	}
	two := len(l.Sides) == 2
	if two {
		heads = append(heads, differenceHead(l))
	}
	g := newGrid("", heads...)
	for _, q := range all {
		cells := []string{q.Name}
		for _, s := range q.Sides[from:to] {
			cells = append(cells, q.meanText(s))
		}
		if two {
			cells = append(cells, q.differenceText(1))
		}
		g.add(cells...)
	}
	return g
}

// differencesGrid is how some sides differ from the first.
func differencesGrid(l experiment.Lab, all []LabQuantity, from, to int) Grid {
	number := ""
	if tooFewRuns(l) != "" {
		number = "#"
	}
	heads := []string{"against " + labHead(l.Sides[0].Name)}
	for _, side := range l.Sides[from:to] {
		heads = append(heads, number+labHead(side.Name))
	}
	g := newGrid("", heads...)
	for _, q := range all {
		cells := []string{q.Name}
		for side := from; side < to; side++ {
			cells = append(cells, q.differenceText(side))
		}
		g.add(cells...)
	}
	return g
}

// differencesInGrid is how many differences stand beside each other: those with intervals
// are wide.
func differencesInGrid(l experiment.Lab) int {
	if tooFewRuns(l) != "" {
		return sidesInGrid
	}
	return 2
}

package report

import (
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// SweepDocument is what a sweep measured as people read it. Lines that stand before the
// last row of its table do not change when rows come; with whole, the notes follow.
func SweepDocument(s *experiment.Sweep, whole bool) Document {
	d := Document{Title: "One VACUUM by indexes and parallel workers", Sections: []Section{sweepSetup(s)}}
	table := Section{Name: "sweep", Title: "Time and speed-up"}
	for _, size := range sizesMeasured(s) {
		table.Grids = append(table.Grids, sweepGrid(s, size))
	}
	if whole {
		table.Notes = sweepNotes(s)
	}
	d.Sections = append(d.Sections, table)
	if whole && s.Plan.Runs > 1 {
		d.Sections = append(d.Sections, sweepSpread(s))
	}
	if whole {
		d.Sections = append(d.Sections, sweepFindings(s))
	}
	return d
}

// sweepSetup says what was measured, on what.
func sweepSetup(s *experiment.Sweep) Section {
	out := Section{Name: "setup", Title: "What was measured"}
	add := func(what, value string) { out.Facts = append(out.Facts, Fact{what, value}) }
	add("server", "PostgreSQL "+s.Measured.Version+sweepCalled(s.Measured))
	add("baseline", sweepBaseline(s))
	sizes := each(s.Plan.Sizes, model.FormatBytes)
	add("table", fmt.Sprintf("%s without indexes, %s of its rows dead, %s before each VACUUM",
		strings.Join(sizes, ", "), model.FormatPercent(s.Plan.Dirty), sweepRestored(s.Place)))
	add("in memory", sweepMemory(s.Place))
	if !s.Place.Own {
		add("WAL", "a checkpoint comes before each VACUUM: pages that it changes are written there whole")
	}
	add("cost delay", sweepDelay(s.Place))
	add("workers", fmt.Sprintf("at most %d for one VACUUM, %d for the server, in %d processes; also for small indexes (min_parallel_index_scan_size is 0)",
		s.Place.MaxMaintenanceWorkers, s.Place.MaxWorkers, s.Place.MaxProcesses))
	add("cores", fmt.Sprint(s.Place.Cores))
	if len(s.Plan.Settings) > 0 {
		add("settings", strings.Join(s.Plan.Settings, ", "))
	}
	timed := "vacscope's, from sending VACUUM to its answer"
	if s.Plan.Runs > 1 {
		timed += fmt.Sprintf("; the median of %d runs, in turn", s.Plan.Runs)
	}
	add("clock", timed)
	out.Notes = s.Conditions()
	return out
}

func sweepCalled(p experiment.ServerPrograms) string {
	if p.Name == "" {
		return ""
	}
	return " (" + p.Name + ")"
}

func sweepBaseline(s *experiment.Sweep) string {
	if s.Baseline == s.Measured {
		return "PARALLEL 0 on the same server"
	}
	return "PARALLEL 0 with PostgreSQL " + s.Baseline.Version + sweepCalled(s.Baseline)
}

func sweepRestored(p experiment.SweepPlace) string {
	if p.Own {
		return "made anew"
	}
	return "a copy of the same files"
}

func sweepMemory(p experiment.SweepPlace) string {
	buffers := "shared_buffers of " + model.FormatBytes(p.SharedBuffers)
	switch {
	case p.Own:
		return "what making the table leaves in " + buffers
	case p.Warmed:
		return "all of it, read into " + buffers + " before each VACUUM"
	}
	return "not all of it, with " + buffers
}

func sweepDelay(p experiment.SweepPlace) string {
	if p.Delay == 0 {
		return "off"
	}
	return fmt.Sprintf("%s after a cost of %d (vacuum_cost_delay, vacuum_cost_limit), in every VACUUM", model.FormatDelay(p.Delay), p.Limit)
}

// sizesMeasured are the sizes of which there are rows, or the first.
func sizesMeasured(s *experiment.Sweep) []model.Bytes {
	n := 1
	for _, r := range s.Rows() {
		for i, size := range s.Plan.Sizes {
			if size == r.Size {
				n = max(n, i+1)
			}
		}
	}
	return s.Plan.Sizes[:n]
}

func sweepGrid(s *experiment.Sweep, size model.Bytes) Grid {
	g := newGrid("", "#indexes", "#parallel\ndegree", "#baseline\nms", "#time\nms", "#speed\nup", "#rounds", "#ideal", "#launched")
	const milliseconds = 8 // an hour, with a decimal
	g.Columns[2].Width, g.Columns[3].Width = milliseconds, milliseconds
	if len(s.Plan.Sizes) > 1 {
		g.Title = "Table of " + model.FormatBytes(size)
	}
	for _, r := range s.Rows() {
		if r.Size == size {
			g.add(fmt.Sprint(r.Indexes), fmt.Sprint(r.Degree), ms(r.Baseline.Median), ms(r.Time.Median),
				twoDecimals(r.SpeedUp), fmt.Sprint(r.Rounds), text(r.Ideal, twoDecimals), launched(r))
		}
	}
	return g
}

func ms(v float64) string { return fmt.Sprintf("%.1f", v) }

func twoDecimals(r model.Ratio) string { return fmt.Sprintf("%.2f", float64(r)) }

// launched is how many workers were, by all runs of a row.
func launched(r experiment.SweepRow) string {
	if r.Launched < r.Most {
		return fmt.Sprintf("%d-%d", r.Launched, r.Most)
	}
	return fmt.Sprint(r.Launched)
}

// sweepSpread is how far the runs of each row lie apart, and those of its baseline.
func sweepSpread(s *experiment.Sweep) Section {
	g := newGrid("", "#table", "#indexes", "#parallel\ndegree", "#runs", "#shortest\nms", "#median\nms", "#longest\nms")
	add := func(r experiment.SweepRow, degree string, t experiment.Spread) {
		g.add(model.FormatBytes(r.Size), fmt.Sprint(r.Indexes), degree, fmt.Sprint(t.N), ms(t.Min), ms(t.Median), ms(t.Max))
	}
	rows := s.Rows()
	for i, r := range rows {
		if i == 0 || rows[i-1].Size != r.Size || rows[i-1].Indexes != r.Indexes {
			add(r, "baseline", r.Baseline)
		}
		add(r, fmt.Sprint(r.Degree), r.Time)
	}
	return Section{Name: "spread", Title: "Spread of the runs", Grids: []Grid{g}}
}

// sweepNotes say how to read the table.
func sweepNotes(s *experiment.Sweep) []string {
	notes := []string{"rounds is how many indexes the busiest process takes, the leader among them: indexes / (1 + launched), rounded up. " +
		"ideal is the speed-up if the time for the indexes followed the rounds; the rest is what the table without indexes takes."}
	if !slices.Contains(s.Plan.Indexes, 0) {
		notes = append(notes, "There is no ideal here: --indexes 0 tells what a VACUUM takes beside its indexes.")
	}
	return notes
}

package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

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
				fmt.Sprintf("%.2f", float64(r.SpeedUp)), fmt.Sprint(r.Rounds), text(r.Ideal, twoDecimals), launched(r))
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

// sweepFindings are what a reader should see in the table, or know before believing it.
func sweepFindings(s *experiment.Sweep) Section {
	out := Section{Name: "findings", Title: "What it says"}
	for _, find := range []func(*experiment.Sweep) string{sweepUnfinished, sweepNoise, sweepNoGain, sweepBest, sweepCaps, sweepCores, sweepDirty, sweepPays, sweepSpent} {
		if said := find(s); said != "" {
			out.Items = append(out.Items, said)
		}
	}
	return out
}

func sweepUnfinished(s *experiment.Sweep) string {
	if !s.Interrupted {
		return ""
	}
	return fmt.Sprintf("It was interrupted after %d of %d runs: these are the rows that are there.", len(s.Runs), len(s.Plan.Steps()))
}

func sweepNoise(s *experiment.Sweep) string {
	noise, known := s.Noise().Get()
	if !known {
		return ""
	}
	return fmt.Sprintf("Degree 0 is the baseline measured again. It lies up to %s from 1.00: what differs by less is noise.", model.FormatPercent(noise))
}

// sweepNoGain names rows that have more workers than another one and save no round.
func sweepNoGain(s *experiment.Sweep) string {
	rows := s.Rows()
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		if a.Size == b.Size && a.Indexes == b.Indexes && b.Launched > a.Launched && a.Rounds == b.Rounds && a.SavesRounds() {
			return fmt.Sprintf("More workers that save no round gain nothing: with %d indexes %d launched and %d both need %s (%.2f and %.2f).",
				a.Indexes, a.Launched, b.Launched, model.FormatCounted(a.Rounds, "round", "rounds"), float64(a.SpeedUp), float64(b.SpeedUp))
		}
	}
	return ""
}

func sweepBest(s *experiment.Sweep) string {
	var best experiment.SweepRow
	for _, r := range s.Rows() {
		if r.SavesRounds() && r.SpeedUp > best.SpeedUp {
			best = r
		}
	}
	switch {
	case best.SpeedUp == 0:
		return ""
	case best.SpeedUp <= 1+s.Noise().Or(0):
		return "No worker made a VACUUM faster, noise aside."
	}
	return fmt.Sprintf("Most was gained with %d indexes and %s: %.2f times as fast%s.", best.Indexes,
		model.FormatCounted(best.Launched, "worker", "workers"), float64(best.SpeedUp),
		mapped(best.Ideal, func(i model.Ratio) string { return fmt.Sprintf(", of %.2f that the rounds allow", float64(i)) }).Or(""))
}

// sweepCaps names rows in which the server launched fewer workers than there is work for.
func sweepCaps(s *experiment.Sweep) string {
	var rows []string
	for _, r := range s.Rows() {
		if r.Launched < min(r.Degree, r.Indexes-1) {
			rows = append(rows, fmt.Sprintf("%d/%d", r.Indexes, r.Degree))
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return fmt.Sprintf("Fewer workers than the indexes and the degree ask for, in the rows (indexes/degree) %s: max_parallel_maintenance_workers is %d, max_parallel_workers %d, max_worker_processes %d.",
		strings.Join(rows, ", "), s.Place.MaxMaintenanceWorkers, s.Place.MaxWorkers, s.Place.MaxProcesses)
}

func sweepCores(s *experiment.Sweep) string {
	busiest := 0
	for _, r := range s.Rows() {
		busiest = max(busiest, 1+r.Most)
	}
	if s.Place.Own || busiest <= s.Place.Cores {
		return ""
	}
	share := fmt.Sprintf("Up to %d processes shared %s", busiest, model.FormatCounted(s.Place.Cores, "core", "cores"))
	if s.Place.Delay > 0 {
		return share + ", which they need little of: they sleep most of the time."
	}
	return share + fmt.Sprintf(": more than %d save rounds and hardly any time. Throttled (--cost-delay 2ms) they would: who sleeps needs no core.", s.Place.Cores)
}

func sweepDirty(s *experiment.Sweep) string {
	dirty := 0
	for _, r := range s.Runs {
		if !r.Cleaned {
			dirty++
		}
	}
	if dirty == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d VACUUMs left the table dirty: somebody on that server keeps its dead rows, and the times say nothing.", dirty, len(s.Runs))
}

// sweepPays says from what size on workers pay, by the sizes that were measured.
func sweepPays(s *experiment.Sweep) string {
	pays, known := s.PaysFrom().Get()
	if !known {
		return ""
	}
	gains := strings.Join(each(pays.Sizes, func(z experiment.SweepSize) string {
		return fmt.Sprintf("%s %.2f", model.FormatBytes(z.IndexBytes), float64(z.Gain))
	}), ", ")
	where := "on this machine"
	if s.Place.Own {
		where = "on that server"
	}
	about, between := pays.About().Get()
	said := "PARALLEL pays from about " + model.FormatBytes(about) + " per index"
	switch {
	case between:
	case pays.At == 0:
		said = "PARALLEL does not pay up to " + model.FormatBytes(pays.NotAt) + " per index"
	default:
		said = "PARALLEL pays from less than " + model.FormatBytes(pays.At) + " per index"
	}
	return fmt.Sprintf("%s %s (by size of an index, the middle speed-up where rounds are saved: %s).", upperFirst(where), said, gains)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func sweepSpent(s *experiment.Sweep) string {
	all := s.Spent.Vacuum + s.Spent.Restore + s.Spent.Other
	if all == 0 {
		return ""
	}
	share := func(d time.Duration) string { return model.FormatPercent(model.Ratio(float64(d) / float64(all))) }
	return fmt.Sprintf("It took %s: %s in VACUUM, %s making and restoring the table, %s elsewhere.",
		model.FormatDuration(all), share(s.Spent.Vacuum), share(s.Spent.Restore), share(s.Spent.Other))
}

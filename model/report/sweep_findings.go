package report

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

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
	return fmt.Sprintf("Rows that must be alike, and what lies above the ideal, differ by up to %s: what differs by less is noise.", model.FormatPercent(noise))
}

// sweepNoGain names rows that have more workers than another one, save no round, and take
// as long; none where noise is larger than what would be a gain.
func sweepNoGain(s *experiment.Sweep) string {
	if s.Noise().Or(0) > experiment.LeastGain {
		return ""
	}
	rows := s.Rows()
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		if a.Size == b.Size && a.Indexes == b.Indexes && b.Launched > a.Launched && a.Rounds == b.Rounds && a.SavesRounds() && max(a.SpeedUp/b.SpeedUp, b.SpeedUp/a.SpeedUp) <= 1+experiment.LeastGain {
			return fmt.Sprintf("More workers that save no round gain nothing: with %d indexes %d launched and %d both need %s (%.2f and %.2f).",
				a.Indexes, a.Launched, b.Launched, model.FormatCounted(a.Rounds, "round", "rounds"), float64(a.SpeedUp), float64(b.SpeedUp))
		}
	}
	return ""
}

// sweepBest names the row that gained most, where one did by more than noise.
func sweepBest(s *experiment.Sweep) string {
	best, known := s.Best().Get()
	if !known {
		return ""
	}
	row, told := best.Row.Get()
	switch {
	case told:
		return fmt.Sprintf("Most was gained with %d indexes at degree %d (%s): %.2f times as fast%s.%s", row.Indexes, row.Degree,
			model.FormatCounted(row.Launched, "worker", "workers"), float64(row.SpeedUp),
			mapped(row.Ideal, func(i model.Ratio) string { return fmt.Sprintf(", of %.2f that the rounds allow", float64(i)) }).Or(""), sweepNoiseUnknown(s))
	case best.Hidden:
		return "It is too noisy to tell whether workers made a VACUUM faster: a larger --size, more --runs or --cost-delay 2ms (naps need no cores) make it plain."
	}
	return "No worker made a VACUUM faster, noise aside."
}

func sweepNoiseUnknown(s *experiment.Sweep) string {
	if s.Noise().Known() {
		return ""
	}
	return " How much of it is noise is not known: 0 and more degrees in --parallel tell."
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
		said := fmt.Sprintf("%s %.2f", model.FormatBytes(z.IndexBytes), float64(z.Gain))
		if z.Hidden {
			said += " (too noisy to tell)"
		}
		return said
	}), ", ")
	where := "On this machine"
	if s.Place.Own {
		where = "On that server"
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
	return fmt.Sprintf("%s %s (by size of an index, the middle speed-up where rounds are saved: %s).", where, said, gains)
}

func sweepSpent(s *experiment.Sweep) string {
	all := s.Spent.Vacuum + s.Spent.Restore + s.Spent.Other
	if all == 0 {
		return ""
	}
	share := func(d time.Duration) string { return model.FormatPercent(model.Ratio(float64(d) / float64(all))) }
	return fmt.Sprintf("It took %s: %s in VACUUM, %s making and restoring the table, %s elsewhere.",
		model.FormatDuration(all), share(s.Spent.Vacuum), share(s.Spent.Restore), share(s.Spent.Other))
}

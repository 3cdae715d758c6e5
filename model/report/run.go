package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// maxStatement is how much of a statement a summary shows.
const maxStatement = 200

// WriteRun writes the closing summary of one run: what ran, its phases with the
// time they took and slept, and the samples per process and wait event.
func WriteRun(w io.Writer, r *model.Run) error {
	lines := runHeading(r)
	lines = append(lines, "")
	lines = append(lines, phaseTable(r)...)
	lines = append(lines,
		"A time is known to the +- beside it. Sampled is an estimate from samples, with",
		"half of its 95 % interval. Share is of the time of all processes, ~ estimated.", "")
	lines = append(lines, sampleTable(r)...)
	lines = append(lines, "", fmt.Sprintf("samples: %s taken, %s missed",
		model.FormatCount(int64(r.Samples.Taken)), model.FormatCount(int64(r.Samples.Missed))))
	return writeLines(w, lines)
}

func runHeading(r *model.Run) []string {
	lines := []string{titleOf(r)}
	add := func(label, value string) { lines = append(lines, field("  ", label, value)...) }
	if statement, known := r.Statement.Get(); known {
		add("statement", ansi.Truncate(statement.Display(), maxStatement, "..."))
	}
	add("started by", fmt.Sprintf("%s, pid %d, database %s", startedBy(r.StartedBy, r.Role), r.Key.PID, r.Database.Display()))
	add("seen", seenText(r))
	if size, known := r.HeapBytes.Get(); known {
		add("heap", model.FormatBytes(size))
	}
	if r.Progress != nil {
		add("indexes", passesText(r.Progress.IndexVacuumCount.Or(0)))
	}
	add("workers", workersText(r.Parallel))
	return lines
}

// seenText says when the run was seen, whether from its start, and how it ended.
func seenText(r *model.Run) string {
	s := r.FirstSeen.UTC().Format(timeLayout) + ", for " + elapsed(r.LastSeen.Sub(r.FirstSeen))
	if !r.FromStart {
		s += " and not from its start"
		if whole, known := r.Elapsed().Get(); known {
			s += " (the statement ran for " + elapsed(whole) + ")"
		}
	}
	if r.End == nil {
		return s + "; it runs on"
	}
	return s + "; " + string(r.End.How)
}

func workersText(p model.Parallel) string {
	count := func(n int) string { return model.FormatCount(int64(n)) }
	planned := text(p.Planned, count)
	if p.Planned.Known() && !p.PlannedExact {
		planned = "~" + planned
	}
	s := fmt.Sprintf("%s asked, %s planned, %s launched", text(p.Asked, count), planned, text(p.Launched, count))
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s
}

// phaseTable is the phases in order. Times lie within the +- beside them; the
// delay that the server reported stands beside the one estimated from samples.
func phaseTable(r *model.Run) []string {
	t := table{heads: []string{"phase", "time", "+-", "delayed", "sampled", "+-", "share"}, align: "lrrrrrr"}
	row := func(name, wall, uncertain string, d model.Delay, processTime, whole time.Duration) {
		t.add(append([]string{name, wall, uncertain}, delayCells(d, processTime, whole)...)...)
	}
	severalPasses := slices.ContainsFunc(r.Phases, func(s model.Span) bool { return s.Pass+s.Passes > 2 })
	var whole time.Duration
	for i, s := range r.Phases {
		name, wall := s.Phase.Display(), elapsed(s.Wall)
		if severalPasses {
			name += passText(s)
		}
		if i == 0 && !r.FromStart {
			wall = ">= " + wall // it had begun before it was seen
		}
		row(name, wall, elapsed(s.Uncertain), s.Delay, s.ProcessTime, s.Wall)
		whole += s.Wall
	}
	row("all", elapsed(whole), "", r.Delay, r.ProcessTime, r.Watched())
	return t.lines("")
}

// passText is the index pass of a span, or the first and last of those it covers.
func passText(s model.Span) string {
	switch {
	case s.Pass == 0:
		return ""
	case s.Passes > 1:
		return fmt.Sprintf(" (%d-%d)", s.Pass, s.Pass+s.Passes-1)
	}
	return fmt.Sprintf(" (%d)", s.Pass)
}

// delayCells are the reported delay, the sampled one with its error, and the
// better of the two as a share of the time of all processes.
func delayCells(d model.Delay, processTime, wall time.Duration) []string {
	sampled, uncertain := ascii(model.Absent), ascii(model.Absent)
	if estimate, known := d.Sampled.Get(); known {
		sampled, uncertain = elapsed(estimate), elapsed(d.SampledError)
	}
	share, estimated := d.Share(processTime, wall)
	percent := text(share, model.FormatPercent)
	if share.Known() && estimated {
		percent = "~" + percent
	}
	return []string{text(d.Reported, model.FormatDuration), sampled, uncertain, percent}
}

// sampleTable counts the samples per process and wait event, most first.
func sampleTable(r *model.Run) []string {
	waits := slices.Clone(r.Earlier)
	for _, m := range r.Processes {
		waits = append(waits, m.Profile...)
	}
	slices.SortStableFunc(waits, func(a, b model.WaitTime) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.PID, b.PID))
	})
	t := table{heads: []string{"leader_pid", "pid", "wait_event", "count"}, align: "rrlr"}
	for _, w := range waits {
		t.add(leaderPID(r, w), pidText(w), waitName(w), model.FormatCount(int64(w.Samples)))
	}
	return t.lines("")
}

// leaderPID is empty for the leader, as in pg_stat_activity.
func leaderPID(r *model.Run, w model.WaitTime) string {
	if !w.Worker {
		return ""
	}
	return fmt.Sprint(r.Key.PID)
}

func pidText(w model.WaitTime) string {
	if w.PID == 0 {
		return "earlier"
	}
	return fmt.Sprint(w.PID)
}

// waitName is the wait event, and CPU where there is none: running, or in code
// that is not instrumented.
func waitName(w model.WaitTime) string {
	wait, waits := w.Wait.Get()
	if !waits {
		return "CPU"
	}
	return wait.String()
}

// elapsed is a duration in a table.
func elapsed(d time.Duration) string { return ascii(model.FormatDuration(d)) }

package report

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// Minutes is one wait event by time.
type Minutes struct {
	Part
	// Event is the wait event's name; several types and spellings of it are counted
	// together.
	Event string
	// Rows are the stretches in which it was seen.
	Rows []MinuteRow
	// Longest are the longest runs of consecutive samples of one process in it: of the
	// leader and of the workers, where there are any.
	Longest []model.WaitStreak
}

// MinuteRow counts the samples of one minute of the server's clock, or of several where
// the run is long.
type MinuteRow struct {
	From            time.Time
	For             time.Duration
	Leader, Workers int // samples in the event
	Of              int // all samples of the leader in that time
}

// DefaultEvent is the event that is counted by minute unless another one is chosen: the
// leader waits for its workers.
const DefaultEvent = "ParallelFinish"

func newMinutes(r *model.Run, event string) Minutes {
	if event == "" {
		event = DefaultEvent
	}
	out := Minutes{Part: Part{unseen(r)}, Event: event}
	is := func(w model.Opt[model.Wait]) bool {
		wait, waits := w.Get()
		return strings.EqualFold(event, "CPU") && !waits || waits && (strings.EqualFold(event, string(wait.Event)) || strings.EqualFold(event, string(wait.Type+":"+wait.Event)))
	}
	for _, m := range r.Minutes() {
		row := MinuteRow{From: m.From, For: m.For}
		for _, w := range m.Waits {
			if !w.Worker {
				row.Of += w.Samples
			}
			switch {
			case !is(w.Wait):
			case w.Worker:
				row.Workers += w.Samples
			default:
				row.Leader += w.Samples
			}
		}
		if row.Leader+row.Workers > 0 {
			out.Rows = append(out.Rows, row)
		}
	}
	for _, s := range r.Streaks {
		if is(s.Wait) {
			out.Longest = append(out.Longest, s)
		}
	}
	if out.Missing == "" && len(out.Rows) == 0 {
		out.Missing = "no process was seen in " + event
	}
	return out
}

// section is the event by minute as people read it.
func (m *Minutes) section() Section {
	s := Section{Name: "minutes", Title: m.Event + " by minute", Missing: m.Missing}
	if m.Missing != "" {
		return s
	}
	workers := false
	for _, row := range m.Rows {
		workers = workers || row.Workers > 0
	}
	heads := []string{"minute (UTC)", "#leader", "#of"}
	if workers {
		heads = append(heads, "#workers")
	}
	g := newGrid("", heads...)
	for _, row := range m.Rows {
		from := row.From.UTC().Format("2006-01-02 15:04")
		if row.For > time.Minute {
			from += row.From.Add(row.For).UTC().Format(" - 15:04")
		}
		cells := []string{from, fmt.Sprint(row.Leader), fmt.Sprint(row.Of)}
		if workers {
			cells = append(cells, fmt.Sprint(row.Workers))
		}
		g.add(cells...)
	}
	s.Grids = append(s.Grids, g)
	for _, longest := range m.Longest {
		s.Notes = append(s.Notes, longestText(longest))
	}
	return s
}

// longestText is the longest run of consecutive samples, with its place.
func longestText(s model.WaitStreak) string {
	who := "the leader"
	if s.Worker {
		who = fmt.Sprintf("worker %d", s.PID)
	}
	return fmt.Sprintf("Most consecutive samples of %s in it: %d, from %s to %s, in %s (pass %d).", who, s.Samples,
		s.From.UTC().Format("15:04:05"), s.To.UTC().Format("15:04:05"), s.Phase.Display(), s.Pass)
}

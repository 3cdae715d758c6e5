package report

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// maxSummaryLine bounds a line of a summary: names are what somebody chose.
const maxSummaryLine = 300

// Summary is a run in a few plain lines, to be pasted or kept: server, table and
// size, who started it and when, phase, time left or why it is not known, how much
// it slept, who waits behind it. Times are in the given zone, with its offset. It
// holds no control characters but the ends of its lines.
func Summary(s *model.Snapshot, r *model.Run, zone *time.Location) string {
	lines := []string{summaryTitle(s, r)}
	add := func(label, value string) {
		if value != "" {
			lines = append(lines, "  "+pad(label, 12, true)+value)
		}
	}
	add("server", fmt.Sprintf("PostgreSQL %s at %s, database %s", s.Server.Version, s.Server.Address, r.Database.Display()))
	add("table", tableSize(r))
	add("started by", startText(r, zone))
	add("phase", summaryPhase(s, r))
	add("left", leftText(r))
	add("asleep", asleepText(r))
	add("behind it", behindText(s, r))
	add("settings", loadedText(s, r, zone))
	add("as of", s.At.In(zone).Format(zonedLayout))
	for i, line := range lines {
		lines[i] = ansi.Truncate(model.Text(ascii(line)).Display(), maxSummaryLine, "...")
	}
	return strings.Join(lines, "\n") + "\n"
}

// zonedLayout is how a time reads outside of reports, which are in UTC.
const zonedLayout = "2006-01-02 15:04:05 -07:00"

func summaryTitle(s *model.Snapshot, r *model.Run) string {
	if r.Command == "" {
		return "VACUUM of " + s.NameOf(r)
	}
	return r.Command + " of " + s.NameOf(r)
}

// tableSize is the size of the heap, and how many indexes there are.
func tableSize(r *model.Run) string {
	size, known := r.HeapBytes.Get()
	if !known {
		return ""
	}
	if len(r.Indexes) == 0 {
		return model.FormatBytes(size)
	}
	return model.FormatBytes(size) + ", " + model.FormatCounted(len(r.Indexes), "index", "indexes")
}

// startText is who started it and when.
func startText(r *model.Run, zone *time.Location) string {
	out := fmt.Sprintf("%s, pid %d", startedBy(r.StartedBy, r.Role), r.Key.PID)
	if start := r.Key.StatementStart; !start.IsZero() {
		out += ", at " + start.In(zone).Format(zonedLayout)
	}
	if elapsed, known := r.Elapsed().Get(); known {
		out += ", for " + model.FormatDuration(elapsed)
	}
	if !r.FromStart {
		out += " (seen for " + model.FormatDuration(r.Watched()) + ")"
	}
	return out
}

// summaryPhase is what the run does now, or how it ended.
func summaryPhase(s *model.Snapshot, r *model.Run) string {
	switch {
	case r.State == model.StateHidden:
		return "not visible to this role: GRANT pg_monitor TO " + s.Server.Role.QuoteIdent().Display()
	case r.State == model.StateWaiting:
		return "waits for its lock on the table, behind " + blockers(r.BlockedBy)
	}
	phase := r.Phase()
	switch {
	case phase == nil && r.End == nil:
		return ""
	case phase == nil && r.OnlyWaited():
		return string(r.End.How) + ", last seen waiting for its table lock"
	case phase == nil:
		return string(r.End.How)
	}
	out := phase.Phase.Display()
	if last := phase.LastPass(); last > 1 {
		out += fmt.Sprintf(" (pass %d)", last)
	}
	if phase.Moved.Unit != "" && phase.Moved.Total > 0 {
		unit := phase.Moved.Unit
		if unit == model.UnitBlocks {
			unit = "pages"
		}
		out += fmt.Sprintf(", %s of %s %s", model.FormatCount(phase.Moved.To), model.FormatCount(phase.Moved.Total), unit)
	}
	if r.End != nil {
		return string(r.End.How) + ", last seen " + out
	}
	return out + ", for " + model.FormatDuration(phase.Wall)
}

// leftText is the time left of the whole run, else in the phase, or why it is not
// known.
func leftText(r *model.Run) string {
	left, known := r.Left.Range.Get()
	whole, estimated := r.Whole.Left.Get()
	switch {
	case r.State != model.StateRunning:
		return ""
	case r.Whole.Stalled.Known():
		return "not known (stalled for " + model.FormatDuration(r.Whole.Stalled.Or(0)) + ")"
	case r.Whole.Unchanged.Known():
		return "≈" + model.FormatLeft(whole) + " of the whole run, unchanged for " + model.FormatDuration(r.Whole.Unchanged.Or(0))
	case estimated:
		return "≈" + model.FormatLeft(whole) + " of the whole run"
	case known && r.Left.UntilFull:
		return "≈" + model.FormatRange(left) + " until the memory for dead rows is full"
	case known:
		return "≈" + model.FormatRange(left) + " in this phase"
	case r.Left.WhyNot != "":
		return "not known (" + r.Left.WhyNot + ")"
	}
	return ""
}

// asleepText is how much of its process-time the run slept on purpose.
func asleepText(r *model.Run) string {
	share, estimated := r.Delay.Share(r.ProcessTime, r.Watched())
	best, _ := r.Delay.Best(r.ProcessTime)
	percent, known := share.Get()
	if !known {
		return ""
	}
	mark := ""
	if estimated {
		mark = "≈"
	}
	return fmt.Sprintf("%s%s of its process-time (%s%s)", mark, model.FormatPercent(percent), mark, text(best, model.FormatDuration))
}

// behindText says who waits for the run, directly or behind one who does.
func behindText(s *model.Snapshot, r *model.Run) string {
	behind := s.Behind(r)
	if len(behind) == 0 || r.End != nil {
		return ""
	}
	longest := behind[0]
	for _, w := range behind {
		if w.Waited.Or(w.SeenFor) > longest.Waited.Or(longest.SeenFor) {
			longest = w
		}
	}
	return fmt.Sprintf("%s, the longest (pid %d) for %s, wants %s", model.FormatCounted(len(behind), "session waits", "sessions wait"),
		longest.PID, longest.HowLong(), text(longest.Mode, model.Text.Display))
}

// loadedText is when the server last read its configuration, and whether that was
// while the run was seen.
func loadedText(s *model.Snapshot, r *model.Run, zone *time.Location) string {
	loaded := s.Server.ConfLoadedAt
	if loaded.IsZero() {
		return ""
	}
	out := "configuration last loaded at " + loaded.In(zone).Format(zonedLayout)
	if loaded.After(r.FirstSeen) && !loaded.After(r.LastSeen) {
		out += ", while this ran"
	}
	return out
}

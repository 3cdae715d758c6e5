package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// timeLayout is how a time reads in a report; times are turned to UTC before.
const timeLayout = "2006-01-02 15:04:05 UTC"

// WriteText writes a snapshot for a person to read.
func WriteText(w io.Writer, s *model.Snapshot) error {
	lines := heading(s)
	if s.Filtered != nil {
		lines = append(lines, s.Filtered.Display())
	}
	lines = append(lines, "")
	lines = append(lines, vacuumLines(s)...)
	for _, a := range s.Analyzes {
		lines = append(lines, "", fmt.Sprintf("ANALYZE of %s (pid %d): %s",
			name(a.Schema, a.Table, a.Progress.RelID), a.PID, text(a.Progress.Phase, model.Text.Display)))
	}
	lines = append(lines, "")
	lines = append(lines, lockWaitLines(s)...)
	if next := model.QueueSentence(s); next != "" {
		lines = append(append(lines, ""), field("", "next", ascii(next))...)
	}
	for _, p := range problems(s) {
		lines = append(lines, "", "not read: "+p.Part+": "+p.Message.Display())
	}
	return writeLines(w, lines)
}

func writeLines(w io.Writer, lines []string) error {
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

func heading(s *model.Snapshot) []string {
	return []string{
		serverLine(s.Server),
		fmt.Sprintf("%s, round trip %.1f ms", readAt(s).UTC().Format(timeLayout), model.InMilliseconds(s.Watch.RoundTrip)),
	}
}

// serverLine says which server it is, and as whom it is read.
func serverLine(s model.Server) string {
	standby := ""
	if s.InRecovery {
		standby = " (standby)"
	}
	return fmt.Sprintf("PostgreSQL %s%s at %s, database %s as %s", s.Version.Display(), standby,
		model.Text(s.Address).Display(), s.Database.Display(), s.Role.Display())
}

// readAt is the time of what the snapshot shows, or of the attempt to read it.
func readAt(s *model.Snapshot) time.Time {
	if s.At.IsZero() {
		return s.Now
	}
	return s.At
}

func vacuumLines(s *model.Snapshot) []string {
	var lines []string
	hidden := 0
	for _, r := range s.Active {
		if r.State == model.StateHidden {
			hidden++
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, vacuumBlock(s, r)...)
	}
	switch {
	case hidden > 0:
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, fmt.Sprintf("%s that this role may not see: GRANT pg_monitor TO %s shows them",
			model.FormatCounted(hidden, "vacuum runs", "vacuums run"), s.Server.Role.QuoteIdent().Display()))
	case s.Blind:
		lines = append(lines, "what is being vacuumed could not be read")
	case len(lines) == 0 && s.Server.InRecovery:
		lines = append(lines, "nothing is being vacuumed here: VACUUM runs on the primary of this standby")
	case len(lines) == 0 && s.Filtered != nil:
		lines = append(lines, "none of these is being vacuumed")
	case len(lines) == 0 && s.Server.SeesAll:
		lines = append(lines, "nothing is being vacuumed")
	case len(lines) == 0:
		lines = append(lines, "no vacuum is in sight of this role")
	}
	return lines
}

func vacuumBlock(s *model.Snapshot, r *model.Run) []string {
	lines := []string{titleOf(r)}
	add := func(label, value string) { lines = append(lines, field("  ", label, value)...) }
	add("process", fmt.Sprintf("pid %d, database %s, started by %s", r.Key.PID, r.Database.Display(), startedBy(r.StartedBy, r.Role)))
	add("statement", "runs for "+text(r.Elapsed(), model.FormatDuration))
	if g := s.GroupOf(r); g != nil {
		add("command", ascii(model.GroupProgress(g)))
	}
	if toast, is := r.ToastOf.Get(); is {
		add("TOAST of", (toast.Schema.QuoteIdent() + "." + toast.Name.QuoteIdent()).Display())
	}
	if r.State == model.StateWaiting {
		add("waiting", "for its lock on the table, behind "+blockers(r.BlockedBy))
	}
	if r.HeldUp != nil {
		add("held up", heldText(r))
	}
	if p := r.Progress; p != nil {
		add("phase", phaseText(r))
		add("heap", heapText(p))
	}
	if p := r.Progress; p != nil && p.View == model.ViewVacuum {
		add("dead rows", deadRows(r))
		add("delayed", delayText(p.DelayTime))
	}
	processes := table{heads: []string{"pid", "role", "waits for"}, align: "rll"}
	for _, m := range r.Processes {
		if m.Alive {
			processes.add(fmt.Sprint(m.PID), role(m), waitText(m))
		}
	}
	if len(processes.rows) > 0 {
		lines = append(lines, processes.lines("  ")...)
	}
	return lines
}

// titleOf is the command and the relation that it works on.
func titleOf(r *model.Run) string {
	command := r.Command
	if command == "" {
		command = "VACUUM"
	}
	return command + " " + name(r.Schema, r.Table, r.Key.RelID)
}

// startedBy is the role whose statement it is, or autovacuum and why.
func startedBy(who model.Opt[string], role model.Opt[model.Text]) string {
	by, known := who.Get()
	switch {
	case !known:
		return ascii(model.Absent)
	case by == model.ByAutovacuumWraparound:
		return "autovacuum (to prevent wraparound)"
	case by == model.ByManual && role.Known():
		return text(role, model.Text.Display)
	}
	return by
}

func phaseText(r *model.Run) string {
	p := r.Progress
	s := text(p.Phase, model.Text.Display)
	if total := p.IndexesTotal.Or(0); total > 0 {
		s += fmt.Sprintf(", %d of %d indexes done", p.IndexesProcessed.Or(0), total)
	}
	if passes := p.IndexVacuumCount.Or(0); passes > 0 {
		s += ", " + passesText(passes)
	}
	return s
}

func passesText(n int64) string {
	return model.FormatCounted(int(n), "index pass done", "index passes done")
}

func heapText(p *model.Progress) string {
	blocks := func(b model.Blocks) string { return model.FormatCount(int64(b)) }
	s := fmt.Sprintf("%s of %s blocks scanned", text(p.HeapBlksScanned, blocks), text(p.HeapBlksTotal, blocks))
	if p.HeapBlksVacuumed.Known() {
		s += ", " + text(p.HeapBlksVacuumed, blocks) + " vacuumed"
	}
	return s
}

func deadRows(r *model.Run) string {
	m := r.Memory
	if !m.Known() {
		return ascii(model.Absent)
	}
	used, most := model.FormatBytes(model.Bytes(m.Used)), model.FormatBytes(model.Bytes(m.Max))
	if !m.Bytes {
		return fmt.Sprintf("%s collected, room for %s", model.FormatCount(m.Used), model.FormatCount(m.Max))
	}
	return fmt.Sprintf("%s collected in %s of %s", text(m.Items, model.FormatCount), used, most)
}

func delayText(delay model.Opt[float64]) string {
	ms, _ := delay.Get()
	switch delaySource(delay) {
	case delayAbsent:
		return "- (the server does not say)"
	case delayOffOrNone:
		return "0 ms (no delay, or track_cost_delay_timing is off there)"
	}
	return model.FormatDuration(model.Milliseconds(ms)) + ", all processes together"
}

func waitText(m model.Member) string {
	if w, waits := m.Wait.Get(); waits {
		return w.String()
	}
	if m.Active {
		return "nothing (on CPU)"
	}
	return ascii(model.Absent)
}

func lockWaitLines(s *model.Snapshot) []string {
	waits := lockRequests(s)
	if len(waits) == 0 {
		return []string{"no one waits for a lock"}
	}
	lines := []string{model.FormatCounted(len(waits), "session waits for a lock", "sessions wait for a lock")}
	for _, l := range waits {
		lines = append(lines, field("  ", fmt.Sprintf("pid %d", l.PID), lockWaitText(l))...)
	}
	return lines
}

func lockWaitText(l model.LockWait) string {
	var s string
	if waited, known := l.Waited.Get(); known {
		s = "for " + model.FormatDuration(waited) + ", "
	}
	s += "wants " + text(l.Mode, model.Text.Display)
	if relid, known := l.RelID.Get(); known {
		s += " on " + name(l.Schema, l.Table, relid)
	} else if kind, known := l.LockType.Get(); known {
		s += " on a " + kind.Display()
	}
	return s + ", behind " + blockers(l.BlockedBy)
}

// blockers names who blocks: pids, or a prepared transaction.
func blockers(pids []int32) string {
	if len(pids) == 0 {
		return ascii(model.Absent)
	}
	names := each(pids, func(pid int32) string {
		if pid == 0 {
			return "a prepared transaction"
		}
		return fmt.Sprint(pid)
	})
	return strings.Join(names, ", ")
}

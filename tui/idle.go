package tui

import (
	"time"

	"example.com/vacscope/model"
)

// What is shown while no vacuum runs, which is most of the time.

// idle gives the vacuums the room of the panes that would be empty: all but the
// lock waits and the one with the focus.
func (l layout) idle(focus paneID) layout {
	if l.mode != modeFull || l.pane[paneVacuums] == 0 {
		return l
	}
	before := l.paneLines()
	for id := range l.pane {
		if id := paneID(id); id != paneVacuums && id != paneLocks && id != focus {
			l.pane[id] = 0
		}
	}
	if l.pane[panePhases] == 0 || l.pane[paneDelay] == 0 {
		l.left = 0 // nothing stands beside another
	}
	l.pane[paneVacuums] += before - l.paneLines()
	return l
}

// roomFor gives the vacuums lines for n rows, as far as the processes can spare them.
func (l layout) roomFor(n int) layout {
	const around, spared = 4, 10 // frame, heading and an empty line; what the processes keep
	if l.mode != modeFull || l.pane[paneVacuums] == 0 {
		return l
	}
	more := max(0, min(n+around-l.pane[paneVacuums], l.pane[paneProcesses]-spared))
	l.pane[paneVacuums] += more
	l.pane[paneProcesses] -= more
	return l
}

// paneLines is how many lines all panes take.
func (l layout) paneLines() int {
	n := 0
	for id, h := range l.pane {
		if l.left == 0 || paneID(id) != paneDelay { // else it stands beside the phases
			n += h
		}
	}
	return n
}

// idleSentences say that nothing runs, and what was last.
func idleSentences(s *model.Snapshot) []string {
	if s.Server.InRecovery {
		return []string{"No vacuum runs here: VACUUM runs on the primary of this standby.",
			"What it removes cancels queries here that still need it (recovery conflict), and where it truncates a table, that is locked here for a moment."}
	}
	said := []string{"No vacuum is running in sight.", "This screen wakes by itself when one begins."}
	if next := model.QueueSentence(s); next != "" {
		said[1] = next + ": " + label(actQueue) + " lists them."
	}
	if len(s.LastVacuums) > 0 {
		last := s.LastVacuums[0]
		by, h := last.Latest()
		if by == model.ByManual {
			by = "VACUUM"
		}
		said = append(said, "The last one in this database: "+by+" of "+show(model.Text(last.Display()))+", "+since(s, h)+" ago.")
	}
	return said
}

func since(s *model.Snapshot, h model.VacuumHistory) string {
	return model.FormatDuration(s.At.Sub(h.Last.Or(s.At)))
}

// history is, in at most h lines, the last vacuums of the database that no run in
// the list stands for.
func (v *vacuums) history(w, h int) []line {
	const least = 3 // an empty line, the heading, a row
	if len(v.snap.Active) > 0 || v.snap.LastVacuums == nil || h < least {
		return nil
	}
	t := newTable(v.historyColumns(), w-2)
	if v.snap.Server.InRecovery && len(v.snap.LastVacuums) == 0 {
		return nil // they are the primary's
	}
	lines := []line{nil, append(plain("  "), t.heading()...)}
	for _, last := range v.narrowing.history(v.snap) {
		lines = append(lines, append(plain("  "), t.row(last)...))
	}
	if len(v.snap.LastVacuums) == 0 {
		lines = append(lines, text(styleDim, "  none since the statistics of this database began"))
	}
	if len(lines) < h && v.snap.Server.VersionNum < firstWithTimes && len(v.snap.LastVacuums) > 0 {
		lines = append(lines, text(styleDim, "  how long they took: the server keeps it from version 18 on"))
	}
	return lines[:min(len(lines), h)]
}

// firstWithTimes is the first version whose statistics say how long vacuums took.
const firstWithTimes = 180000

func (v *vacuums) historyColumns() []column[model.LastVacuum] {
	latest := func(l model.LastVacuum) model.VacuumHistory { _, h := l.Latest(); return h }
	return []column[model.LastVacuum]{
		{
			title: "last vacuums", min: 16, max: 64, first: true, cell: func(l model.LastVacuum, _ int) line { return plain(show(model.Text(l.Display()))) },
		},
		{
			title: "when", min: 14, max: 14, drop: 3, cell: func(l model.LastVacuum, _ int) line {
				return opt(latest(l).Last, func(t time.Time) string { return t.In(v.location).Format("01-02 15:04:05") })
			},
		},
		{
			title: "ago", min: 9, max: 11, right: true, cell: func(l model.LastVacuum, _ int) line { return plain(since(v.snap, latest(l))) },
		},
		{
			title: "by", min: 10, max: 10, cell: func(l model.LastVacuum, _ int) line { by, _ := l.Latest(); return plain(by) },
		},
		{
			title: "vacuums", min: 7, max: 7, drop: 2, right: true, cell: func(l model.LastVacuum, _ int) line { return plain(model.FormatCount(latest(l).Count)) },
		},
		{
			title: "mean time", min: 9, max: 9, drop: 1, right: true, cell: func(l model.LastVacuum, _ int) line { return opt(latest(l).Mean(), model.FormatDuration) },
		},
	}
}

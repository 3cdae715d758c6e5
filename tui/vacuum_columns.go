package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// The columns of the vacuums pane. From the phase on they are about the phase.

func (v *vacuums) columns() []column[*model.Run] {
	return []column[*model.Run]{
		{title: "table", min: 11, max: 48, first: true, cell: v.name},
		{title: "started by", min: 11, max: 16, drop: 5, cell: func(r *model.Run, _ int) line { return startedBy(r) }},
		{title: "phase", min: 17, max: 24, drop: 3, cell: func(r *model.Run, _ int) line { return phaseName(r) }},
		{title: "phase progress", titleOf: progressTitle, min: counterWidth, max: 36, drop: 1, first: true, cell: v.progress},
		{title: "phase left", min: 11, max: 15, drop: 2, right: true, cell: v.left},
		{title: "elapsed", min: 9, max: 9, drop: 7, right: true, cell: func(r *model.Run, _ int) line {
			return opt(r.Elapsed(), model.FormatDuration)
		}},
		{title: "delayed", min: 7, max: 7, drop: 4, right: true, cell: func(r *model.Run, _ int) line { return delayed(r) }},
		{title: "workers", min: 7, max: 7, drop: 6, right: true, cell: func(r *model.Run, _ int) line { return workers(r.Parallel) }},
	}
}

func progressTitle(w int) string {
	const whole = "phase progress"
	if w < len(whole) {
		return "progress"
	}
	return whole
}

// name is the run's table; where it is cut, its end is what tells it from others.
func (v *vacuums) name(r *model.Run, w int) line {
	if r.State == model.StateHidden {
		return plain(fmt.Sprintf("pid %d", r.Key.PID))
	}
	name := show(model.Text(v.snap.NameOf(r)))
	table, known := r.Table.Get()
	if short := ellipsis + show(table.QuoteIdent()); known && ansi.StringWidth(name) > w && ansi.StringWidth(short) <= w {
		return plain(short)
	}
	return plain(name)
}

// startedBy names who began it. An autovacuum that prevents wraparound carries an
// exclamation mark: it gives way to nobody.
func startedBy(r *model.Run) line {
	switch by, _ := r.StartedBy.Get(); by {
	case model.ByAutovacuum:
		return plain("autovacuum")
	case model.ByAutovacuumWraparound:
		return line{{"autovacuum", stylePlain}, {"!", styleBad}}
	}
	return opt(r.Role, show)
}

// phaseName is the phase in the server's words, or why there is none.
func phaseName(r *model.Run) line {
	switch r.State {
	case model.StateWaiting:
		return text(styleBad, "waiting for lock")
	case model.StateHidden:
		return text(styleDim, "not visible")
	case model.StateEnded:
		if r.End != nil {
			how, _, _ := strings.Cut(string(r.End.How), ",")
			return plain(how)
		}
	}
	if phase := r.Phase(); phase != nil {
		return plain(show(phase.Phase))
	}
	return absent()
}

// progress is the phase's own: a bar and its counter. Runs without one say here
// what is to be said instead.
func (v *vacuums) progress(r *model.Run, w int) line {
	switch r.State {
	case model.StateWaiting:
		return text(styleBad, v.waitedFor(r, w))
	case model.StateHidden:
		return text(styleDim, "to this role")
	case model.StateEnded:
		if r.End != nil {
			_, rest, _ := strings.Cut(string(r.End.How), ", ")
			if r.End.How == model.EndLost {
				rest = "not watched"
			}
			return plain(rest)
		}
	}
	done, ok := r.Left.Done.Get()
	if !ok {
		return absent()
	}
	number := alignRight(plain(counter(r, done)), counterWidth)
	if w < counterWidth+4 {
		return number // no room for a bar
	}
	return append(append(progressBar(done, w-counterWidth-1), seg{" ", stylePlain}), number...)
}

// counterWidth holds "12/21 idx".
const counterWidth = 9

// counter is the phase's progress in its own unit.
func counter(r *model.Run, done model.Ratio) string {
	if span := r.Phase(); span != nil && span.Moved.Unit == model.UnitIndexes {
		return fmt.Sprintf("%d/%d idx", span.Moved.To, span.Moved.Total)
	}
	return model.FormatPercent(done)
}

// waitedFor tells for whom a run waits and, where there is room, for how long.
func (v *vacuums) waitedFor(r *model.Run, w int) string {
	waited, known := r.WaitedForLock.Get()
	for _, w := range v.snap.LockWaits {
		if w.PID == r.Key.PID {
			waited, known = w.Waited.Or(w.SeenFor), true
		}
	}
	duration := ""
	if known {
		duration = model.FormatDuration(waited)
	}
	if len(r.BlockedBy) == 0 {
		return duration
	}
	by := glyphBlockedBy + " " + blockers(r.BlockedBy, 1)
	if both := by + "  " + duration; known && ansi.StringWidth(both) <= w {
		return both
	}
	return by
}

// left is the time left in the phase; for a run that ended, when it did.
func (v *vacuums) left(r *model.Run, w int) line {
	if r.State == model.StateEnded {
		if r.End == nil {
			return absent()
		}
		return plain(model.FormatDuration(v.snap.At.Sub(r.End.At)) + " ago")
	}
	if left, ok := r.Left.Range.Get(); ok {
		return plain(runRange(left, w))
	}
	return absent()
}

// delayed is the share slept in the phase; of an ended run, in all of it.
func delayed(r *model.Run) line {
	if span := r.Phase(); span != nil && r.State != model.StateEnded {
		return share(span.Delay, span.ProcessTime, span.Wall)
	}
	return share(r.Delay, r.ProcessTime, r.Watched())
}

// workers is how many were launched of how many planned.
func workers(p model.Parallel) line {
	launched, ok := p.Launched.Get()
	if !ok {
		return absent()
	}
	planned, ok := p.Planned.Get()
	if !ok {
		return plain(fmt.Sprint(launched))
	}
	estimate := ""
	if !p.PlannedExact {
		estimate = glyphEstimate
	}
	return plain(fmt.Sprintf("%d/%s%d", launched, estimate, planned))
}

// blockers lists at most so many pids; 0 is a prepared transaction.
func blockers(pids []int32, most int) string {
	var b strings.Builder
	for i, pid := range pids {
		switch {
		case i == most:
			fmt.Fprintf(&b, " +%d", len(pids)-most)
			return b.String()
		case i > 0:
			b.WriteString(", ")
		}
		if pid == 0 {
			b.WriteString("prepared transaction")
		} else {
			fmt.Fprint(&b, pid)
		}
	}
	return b.String()
}

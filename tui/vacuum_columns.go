package tui

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// The columns of the vacuums pane. From the phase on they are about the phase.

const (
	titleElapsed = "elapsed"
	leastLeft    = 11  // the phase left, without a mark
	wideList     = 120 // here every column is drawn
	wholeNames   = 94  // from here on the longest name of a phase stands whole
	barList      = 70  // from here on there is room for bars and for the mark of an estimate
)

func (v *vacuums) columns(w int) []column[*model.Run] {
	name, phase, bar, mark := 11, 17, 0, 0
	if w >= barList {
		name, bar, mark = 16, 5, 1
	}
	if w >= wholeNames {
		name, phase = v.nameWidth(name), 24
	}
	return []column[*model.Run]{
		{
			title: "table", min: name, max: 64, first: true, cell: v.name,
		},
		{
			title: "started by", min: 11, max: 16, drop: 5, cell: func(r *model.Run, _ int) line { return startedBy(r) },
		},
		{
			title: "phase", min: phase, max: 24, drop: 3, cell: func(r *model.Run, _ int) line { return v.phase(r) },
		},
		{
			title:   "progress",
			titleOf: v.progressTitle, min: counterWidth + bar, max: 36, drop: 1, cell: v.progress,
		},
		{
			title:   "left",
			titleOf: v.leftTitle, min: leastLeft + mark, max: 15, drop: 2, right: true, cell: v.left,
		},
		{
			title: titleElapsed, min: 9, max: 9, drop: 7, right: true, cell: func(r *model.Run, _ int) line {
				return opt(v.elapsedOf(r), model.FormatDuration)
			},
		},
		{
			title: "delayed", min: 7, max: 7, drop: 4, right: true, cell: func(r *model.Run, _ int) line { return delayed(r) },
		},
		{
			title: "workers", min: 7, max: 7, drop: 6, right: true, cell: func(r *model.Run, _ int) line { return workers(r) },
		},
	}
}

// scope is of what progress and time left are shown: of whole runs where they are
// known for all in sight, of phases where they are for none, else both.
func (v *vacuums) scope() (whole, phase bool) {
	for _, r := range v.runs[:min(v.inSight, len(v.runs))] {
		if r.State != model.StateRunning {
			continue
		}
		if r.OfWhole() {
			whole = true
		} else {
			phase = true
		}
	}
	return whole, phase
}

// ofPhase is what the title says where all is of the phase.
func (v *vacuums) ofPhase() string {
	if whole, _ := v.scope(); whole {
		return ""
	}
	return "phase "
}

func (v *vacuums) progressTitle(w int) string {
	if title := v.ofPhase() + "progress"; len(title) <= w {
		return title
	}
	return "progress"
}

// leftTitle carries the mark of an estimate where the cells have no room for it.
func (v *vacuums) leftTitle(w int) string {
	if w <= leastLeft {
		return glyphEstimate + v.ofPhase() + "left"
	}
	return v.ofPhase() + "left"
}

// phaseMark stands behind what is of the phase alone, beside what is of whole runs.
func (v *vacuums) phaseMark(r *model.Run) line {
	if whole, phase := v.scope(); whole && phase && !r.OfWhole() {
		return text(styleNote, glyphPhase)
	}
	return nil
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
	if r.Own != nil {
		return text(styleStrong, "you")
	}
	return opt(r.Role, show)
}

// phaseName is the phase in the server's words, or why there is none.
func phaseName(r *model.Run) line { return phaseOrEnd(r, r.End) }

// phase is the same; of a command that is over it is how that ended.
func (v *vacuums) phase(r *model.Run) line {
	if v.grouping.goesOn(r) {
		return text(styleDim, "between tables")
	}
	return phaseOrEnd(r, v.end(r))
}

// end is how the run, or the command that it stands for, ended; nil while it goes on.
func (v *vacuums) end(r *model.Run) *model.End {
	if g := v.grouping.of(r); g != nil {
		return g.End
	}
	return r.End
}

func phaseOrEnd(r *model.Run, end *model.End) line {
	switch r.State {
	case model.StateWaiting:
		return text(styleBad, "waiting for lock")
	case model.StateHidden:
		return text(styleDim, "not visible")
	case model.StateEnded:
		if end != nil {
			how, _, _ := strings.Cut(string(end.How), ",")
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
		if end := v.end(r); end != nil {
			ofTable := end == r.End || v.grouping.of(r).Kind == model.GroupTable // and not of many
			if why := r.IndexPassSkipped(); why != "" && ofTable {
				return plain(firstFit(w, "index pass skipped: "+why, "index pass skipped", "no index pass"))
			}
			return plain(firstFit(w, ending(end)...))
		}
		return nil
	}
	done, ok := r.Done().Get()
	if span := r.Phase(); !ok && span != nil && span.Moved.Unit == model.UnitRows {
		n := model.FormatCount(span.Moved.To)
		return plain(firstFit(w, n+" rows read", n+" rows", n))
	}
	if !ok {
		return absent()
	}
	number := alignRight(append(plain(counter(r, done)), v.phaseMark(r)...), counterWidth)
	if w < counterWidth+4 {
		return number // no room for a bar
	}
	return append(append(progressBar(done, w-counterWidth-1), seg{" ", stylePlain}), number...)
}

// ending is what the phase column does not say of an end, in ever fewer words.
func ending(end *model.End) []string {
	switch {
	case end.Restarted.Known():
		return []string{"server restarted", "restarted"}
	case end.How == model.EndLost:
		return []string{"not watched", "unwatched"}
	case end.Open:
		return []string{"result follows", "follows"}
	case end.How == model.EndNotVisible:
		return []string{"result not visible", "result unknown", "unknown"}
	}
	return []string{""}
}

// counterWidth holds "12/21 idx".
const counterWidth = 9

// counter is how much of the run is done, or the phase's progress in its own unit.
func counter(r *model.Run, done model.Ratio) string {
	if span := r.Phase(); !r.OfWhole() && span != nil && span.Moved.Unit == model.UnitIndexes {
		return fmt.Sprintf("%d/%d idx", span.Moved.To, span.Moved.Total)
	}
	return model.FormatPercent(done)
}

// waitedFor tells for whom a run waits and, where there is room, for how long.
func (v *vacuums) waitedFor(r *model.Run, w int) string {
	waited, known := r.WaitedForLock.Get()
	least := known
	for _, w := range v.snap.LockWaits {
		if w.PID == r.Key.PID {
			waited, least = w.Waited.Or(w.SeenFor), !w.Waited.Known()
			known = waited >= time.Millisecond
		}
	}
	duration := ""
	if known {
		duration = model.FormatDuration(waited)
	}
	if least {
		duration = glyphAtLeast + duration
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

// left is the time left; for a run that ended, when it did.
func (v *vacuums) left(r *model.Run, w int) line {
	if r.State == model.StateEnded {
		if end := v.end(r); end != nil {
			return plain(model.FormatDuration(v.snap.Now.Sub(end.At)) + " ago")
		}
		return absent()
	}
	if stalled, ok := r.Whole.Stalled.Get(); ok {
		return text(styleBad, firstFit(w, "stalled "+coarse(stalled), "stalled"))
	}
	if unchanged, ok := r.Whole.Unchanged.Get(); ok {
		return text(styleDim, firstFit(w, "unchanged "+coarse(unchanged), "stalled? "+coarse(unchanged), "stalled?"))
	}
	if left, ok := r.Whole.Left.Get(); ok {
		return estimated(plain(coarseRange(left)), w > leastLeft && left.High >= time.Second)
	}
	left, ok := r.Left.Range.Get()
	if !ok || r.OfWhole() {
		return absent()
	}
	if mark := v.phaseMark(r); mark != nil {
		high := coarseRange(model.Range{Low: left.High, High: left.High})
		return append(plain(firstFit(w-1, coarseRange(left), high)), mark...)
	}
	estimate := estimated(plain(coarseRange(left)), w > leastLeft && left.High >= time.Second)
	if r.Left.UntilFull {
		return untilFull(estimate, left, w)
	}
	return estimate
}

// untilFull marks a time after which the scan stops for want of memory. The mark
// goes before that of an estimate, and where it lacks room, before the short end.
func untilFull(estimate line, left model.Range, w int) line {
	for _, l := range []line{estimate, plain(coarseRange(left))} {
		if l.width() < w {
			return append(l, seg{glyphUntilFull, styleNote})
		}
	}
	return line{{coarseRange(model.Range{Low: left.High, High: left.High}), stylePlain}, {glyphUntilFull, styleNote}}
}

// delayed is the share slept in the phase; of an ended run, in all of it.
func delayed(r *model.Run) line {
	if span := r.Phase(); span != nil && r.State != model.StateEnded {
		return share(span.Delay, span.ProcessTime, span.Wall)
	}
	return share(r.Delay, r.ProcessTime, r.Watched())
}

// workers is how many were launched of how many planned; where a command plans
// none, how many are at work.
func workers(r *model.Run) line {
	p := r.Parallel
	launched, ok := p.Launched.Get()
	if !ok {
		return atWork(r)
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

func atWork(r *model.Run) line {
	n := 0
	for _, m := range r.Processes {
		if m.Worker && m.Alive {
			n++
		}
	}
	if n == 0 {
		return absent()
	}
	return plain(fmt.Sprint(n))
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

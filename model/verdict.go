package model

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict says in sentences how a run stands, the most telling one first: what it
// does with its time, how long this phase still takes, what is out of the
// ordinary. The sentences hold estimates marked ≈ and are safe to print.
func Verdict(s *Snapshot, r *Run) []string {
	name := s.NameOf(r)
	if r.Command != "" && r.Command != "VACUUM" {
		name = r.Command + " of " + name
	}
	switch r.State {
	case StateHidden:
		return []string{fmt.Sprintf("A vacuum runs in %s that this role may not see: GRANT pg_monitor TO %s.",
			r.Database.QuoteIdent().Display(), s.Server.Role.QuoteIdent().Display())}
	case StateWaiting:
		return []string{waitingSentence(s, name, r)}
	case StateEnded:
		out := append(endedSentences(name, r), groupSentence(s.GroupOf(r)), streakSentence(s, r))
		return said(append(out, foundSentences(Findings(s, r))...))
	}
	if r.Phase() == nil {
		return []string{name + " has just been seen for the first time."}
	}
	found, helps := Findings(s, r), ""
	out := []string{timeSentence(name, r), changeSentence(s, r), limitSentence(s, r), streakSentence(s, r), groupSentence(s.GroupOf(r)), allowSentence(r), wholeSentence(r)}
	if held := heldSentences(s, name, r); held != nil {
		out = append(held, streakSentence(s, r), groupSentence(s.GroupOf(r)))
		found = found[1:] // that is what they say
	} else if len(found) > 0 && foundInTime(found[0], r) {
		found, helps = found[1:], found[0].Helps
	}
	out = append(out, behindSentence(s, r))
	out = append(out, horizonSentences(s, r)...)
	out = append(out, exclusiveSentence(r), failsafeSentence(r), helps)
	out = append(out, foundSentences(found)...)
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule == fewerWorkers }) {
		out = append(out, parallelSentence(r)) // a fact, before it counts
	}
	out = append(out, earlierSentence(r), seenSentence(r), nameSentence(s, r))
	return said(out)
}

// foundSentences are what was found, each with what helps.
func foundSentences(found []Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.Sentence, f.Helps)
	}
	return out
}

// said leaves out the sentences that there was no cause for.
func said(sentences []string) []string {
	return slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
}

// waitedFor is how long a run has waited for its lock: exactly, where the server
// tells since when (14+), else at least as long as it was seen to.
func waitedFor(s *Snapshot, r *Run) string {
	for _, w := range s.LockWaits {
		if w.PID == r.Key.PID && w.Waited.Known() {
			return w.HowLong()
		}
	}
	return "at least " + FormatDuration(r.WaitedForLock.Or(0))
}

func waitingSentence(s *Snapshot, name string, r *Run) string {
	blockers := make([]string, 0, len(r.BlockedBy))
	for _, pid := range r.BlockedBy {
		if pid == 0 {
			blockers = append(blockers, "a prepared transaction")
			continue
		}
		blockers = append(blockers, fmt.Sprintf("pid %d", pid))
	}
	sentence := fmt.Sprintf("%s has not begun: it has waited for its table lock for %s", name, waitedFor(s, r))
	if len(blockers) > 0 {
		sentence += ", blocked by " + strings.Join(blockers, ", ")
	}
	return sentence + "."
}

// lostSentence tells of a run that went while nobody watched, as far as it was seen.
func lostSentence(name string, r *Run) string {
	sentence := name + " ended while it was not watched"
	if at, ok := r.End.Restarted.Get(); ok {
		sentence = fmt.Sprintf("%s was interrupted: the server was started anew %s after it was last seen, unless it had ended before",
			name, FormatDuration(max(0, at.Sub(r.LastSeen))))
	}
	sentence += "; last seen"
	if phase := r.Phase(); phase != nil {
		sentence += " " + phase.Phase.Display()
	} else if r.OnlyWaited() {
		sentence += " waiting for its table lock"
	}
	if elapsed, ok := r.Elapsed().Get(); ok {
		sentence += " after " + FormatDuration(elapsed)
	}
	return sentence + "."
}

func endedSentences(name string, r *Run) []string {
	if r.End.How == EndLost {
		return []string{lostSentence(name, r)}
	}
	sentence := name + endedVerb[r.End.How]
	if elapsed, ok := r.Elapsed().Get(); ok {
		sentence += " after " + FormatDuration(elapsed)
	}
	if phase := r.Phase(); phase != nil {
		sentence += ", last seen " + phase.Phase.Display()
	} else if r.OnlyWaited() {
		sentence += ", last seen waiting for its table lock"
	}
	sentence += "." + endedNote(r) + keptSentence(r)
	if share, estimated := r.Delay.Share(r.ProcessTime, r.Watched()); share.Known() {
		sentence += fmt.Sprintf(" It was asleep %s of its process-time.", mark(estimated, FormatPercent(share.Or(0))))
	}
	return []string{sentence}
}

// endedVerb says how a run ended.
var endedVerb = map[Ending]string{
	EndCompleted:    " completed",
	EndCancelled:    " was cancelled",
	EndFailed:       " failed",
	EndNotCompleted: " did not complete (the table's count of vacuums did not rise): it ended",
	EndGaveWay:      " gave way, probably, to a session that waited for it: it ended",
	EndNotVisible:   " ended",
}

// endedNote explains what the ending leaves open.
func endedNote(r *Run) string {
	switch {
	case r.End.Open:
		return " Whether it completed will show in a moment."
	case r.End.Message != "":
		return fmt.Sprintf(" The server said: %s (SQLSTATE %s).", r.End.Message.Display(), r.End.SQLState)
	case r.End.How == EndNotVisible:
		return " From outside it cannot be seen whether it completed."
	case r.End.How == EndGaveWay:
		return " Autovacuum will start it again from the beginning."
	}
	if skipped := skippedSentence(r); skipped != "" {
		return " " + skipped
	}
	return ""
}

// timeSentence says what the run does with its time in this phase.
func timeSentence(name string, r *Run) string {
	phase := r.Phase()
	where := phase.Phase.Display()
	begun := phase.Phase == phaseVacuumingIndexes || phase.Pass > 1 || r.Progress != nil && r.Progress.IndexVacuumCount.Or(0) > 0
	if begun && phase.Phase != phaseCleaningUp { // which is once, after all passes or without any
		where += fmt.Sprintf(" (pass %d)", phase.LastPass())
	}
	delayed, estimated := phase.Delay.Share(phase.ProcessTime, phase.Wall)
	if asleep, ok := delayed.Get(); ok && asleep >= mostlyShare {
		return fmt.Sprintf("%s is asleep %s of its time while %s.", name, mark(estimated, FormatPercent(asleep)), where)
	}
	shares, seen := phase.Shares().Get()
	class, share := shares.Top()
	switch {
	case !seen:
		return fmt.Sprintf("%s is %s; seen too briefly to say where its time goes.", name, where)
	case share >= mostlyShare:
		return fmt.Sprintf("%s %s ≈%s of its time while %s.", name, classVerb[class], FormatPercent(share), where)
	case share >= partlyShare:
		return fmt.Sprintf("%s is %s; the largest part of its time, ≈%s, it %s.", name, where, FormatPercent(share), classVerb[class])
	}
	return fmt.Sprintf("%s is %s; nothing takes most of its time.", name, where)
}

func mark(estimated bool, text string) string {
	if estimated {
		return "≈" + text
	}
	return text
}

func leftSentence(r *Run) string {
	left, ok := r.Left.Range.Get()
	switch {
	case ok && r.Left.UntilFull:
		return fmt.Sprintf("≈%s until the memory for dead rows is full and an index pass begins.", FormatRange(left))
	case ok:
		return fmt.Sprintf("≈%s left in this phase.", FormatRange(left))
	}
	return "Time left in this phase is not known (" + r.Left.WhyNot + ")."
}

// behindSentence says who waits for this vacuum, directly or behind one who does.
func behindSentence(s *Snapshot, r *Run) string {
	behind := s.Behind(r)
	if len(behind) == 0 {
		return ""
	}
	longest := slices.MaxFunc(behind, byWait).HowLong()
	// Not all who wait are asked for their blockers.
	unasked := slices.ContainsFunc(s.LockWaits, func(w LockWait) bool { return w.BlockedBy == nil })
	switch {
	case unasked:
		return fmt.Sprintf("At least %d sessions wait behind it, one for %s.", len(behind), longest)
	case len(behind) == 1:
		return fmt.Sprintf("1 session waits behind it, for %s.", longest)
	}
	return fmt.Sprintf("%d sessions wait behind it, the longest for %s.", len(behind), longest)
}

// exclusiveSentence warns of the commands that let nobody else at the table.
// REPACK (CONCURRENTLY) does, and may be what a REPACK is.
func exclusiveSentence(r *Run) string {
	if r.Command == "VACUUM FULL" || r.Command == "CLUSTER" {
		return "It holds AccessExclusiveLock: nobody else reads or writes the table."
	}
	return ""
}

func parallelSentence(r *Run) string {
	p := r.Parallel
	if p.Reason == "" {
		return ""
	}
	var parts []string
	if n, ok := p.Asked.Get(); ok {
		parts = append(parts, fmt.Sprintf("%d workers asked", n))
	}
	if n, ok := p.Planned.Get(); ok {
		parts = append(parts, mark(!p.PlannedExact, fmt.Sprintf("%d planned", n)))
	}
	if n, ok := p.Launched.Get(); ok {
		parts = append(parts, fmt.Sprintf("%d launched", n))
	}
	return strings.Join(parts, ", ") + ": " + p.Reason + "."
}

func memorySentence(r *Run) string {
	m := r.Memory
	made := r.IndexPass()
	switch {
	case !m.Known():
		return ""
	case r.End != nil && made > 1:
		return fmt.Sprintf("It made %d passes over the indexes: with more %s there would have been fewer.", made, memorySetting(r))
	case r.End != nil:
		return ""
	}
	projected, ok := m.Projected.Get()
	scans := r.Phase().Phase == phaseScanningHeap
	switch {
	case m.Fill() >= 1 && scans:
		return "The memory for dead rows is full: an index pass is due."
	case !scans && m.Passes.Or(1) > 1:
		return fmt.Sprintf("Pass %d of ≈%d over the indexes: with more %s there would be fewer.", r.Phase().LastPass(), m.Passes.Or(1), memorySetting(r))
	case ok && projected > 1 && m.Needed.Known():
		return fmt.Sprintf("The memory for dead rows will not hold them: ≈%d index passes; ≈%s would do with one.", m.Passes.Or(0), FormatBytes(m.Needed.Or(0)))
	case ok && projected > 1:
		return fmt.Sprintf("The memory for dead rows will not hold them: ≈%d index passes.", m.Passes.Or(0))
	}
	return ""
}

// memorySetting is the setting that limits the memory for dead rows of the run.
func memorySetting(r *Run) string {
	if r.StartedBy.Or(ByManual) == ByManual {
		return "maintenance_work_mem"
	}
	return "autovacuum_work_mem (or, where that is -1, maintenance_work_mem)"
}

// nameSentence says why a relation of another database has no name.
func nameSentence(s *Snapshot, r *Run) string {
	if r.Table.Known() || r.Key.DatID == s.Server.DatID || r.NameMissing == "" {
		return ""
	}
	return fmt.Sprintf("Its name is in the catalog of database %s, which cannot be read: %s.", r.Database.QuoteIdent().Display(), r.NameMissing)
}

func seenSentence(r *Run) string {
	elapsed, ok := r.Elapsed().Get()
	if r.FromStart || !ok {
		return ""
	}
	return fmt.Sprintf("Seen for %s of %s.", FormatDuration(r.Watched()), FormatDuration(elapsed))
}

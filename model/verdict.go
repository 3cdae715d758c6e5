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
		return said([]string{waitingSentence(s, name, r), beginsSentence(s, r)})
	case StateEnded:
		return endedVerdict(s, name, r)
	}
	if r.Phase() == nil {
		return []string{name + " has just been seen for the first time."}
	}
	found, held := Findings(s, r), heldSentences(s, name, r)
	out := []string{timeSentence(name, r, found), changeSentence(s, r), limitSentence(s, r), streakSentence(s, r), groupSentence(s.GroupOf(r))}
	left, unknown := wholeSentence(r), ""
	if !leftIsKnown(r) {
		left, unknown = "", left // what is found matters more
	}
	out = append(out, left)
	if held != nil {
		out, unknown = append(held, streakSentence(s, r), groupSentence(s.GroupOf(r))), ""
		found = found[1:] // that is what they say
	}
	out = append(out, behindSentence(s, r), exclusiveSentence(r), failsafeSentence(r))
	keeps := horizonSentences(s, r)
	out = append(out, keeps...)
	out = append(out, foundSentences(found, r)...)
	if held == nil && len(keeps)+len(found)+len(s.Behind(r)) == 0 {
		out = append(out, usualSentence(r))
	}
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule == fewerWorkers }) {
		out = append(out, parallelSentence(r)) // a fact, before it counts
	}
	out = append(out, unknown, allowSentence(r), earlierSentence(r), seenSentence(r), nameSentence(s, r))
	return said(out)
}

// usualSentence is the good news of a run whose phase was seen for long enough to judge.
func usualSentence(r *Run) string {
	if _, ofRun, judged := r.judged(); ofRun || !judged || r.Failsafe != nil || r.Whole.Stalled.Known() || exclusiveSentence(r) != "" {
		return ""
	}
	return "Nothing unusual."
}

// foundSentences are what was found of a run, each with what helps; what the sentence
// on its time says already is not said again.
func foundSentences(found []Finding, r *Run) []string {
	var out []string
	for _, f := range found {
		if !inTimeSentence(f, r) {
			out = append(out, f.Sentence)
		}
		out = append(out, f.Helps)
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
	sentence := fmt.Sprintf("%s has not begun: it has waited for its table lock for %s", name, waitedFor(s, r))
	if who := blockersOf(s, r); len(who) > 0 {
		sentence += ", blocked by " + sessions(who, s.At)
	}
	return sentence + "."
}

// beginsSentence says what lets a waiting run begin.
func beginsSentence(s *Snapshot, r *Run) string {
	who := blockersOf(s, r)
	if len(who) != 1 {
		return ""
	}
	b := who[0]
	switch {
	case b.PID == 0 && b.GID.Known():
		return "It begins when that ends: ROLLBACK PREPARED " + quoteLiteral(b.GID.Or("")) + "."
	case b.idles():
		return fmt.Sprintf("It begins when that transaction ends: SELECT pg_terminate_backend(%d).", b.PID)
	}
	return "It begins when that ends."
}

// blockersOf are those that a waiting run waits for, with what is known of them.
func blockersOf(s *Snapshot, r *Run) []Blocker {
	for _, w := range s.LockWaits {
		if w.PID == r.Key.PID && len(w.Blockers) > 0 {
			return w.Blockers
		}
	}
	out := make([]Blocker, len(r.BlockedBy))
	for i, pid := range r.BlockedBy {
		out[i] = Blocker{PID: pid}
	}
	return out
}

// timeSentence says what the run does with its time in this phase, as far as that was
// not found of the whole run.
func timeSentence(name string, r *Run, found []Finding) string {
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
	case !seen && slices.ContainsFunc(found, Finding.ofTime):
		return fmt.Sprintf("%s is %s.", name, where)
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

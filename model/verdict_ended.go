package model

import "fmt"

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

// endedVerdict says how a run ended, what it could not do, and what was found of it.
func endedVerdict(s *Snapshot, name string, r *Run) []string {
	out := append(endedSentences(name, r), groupSentence(s.GroupOf(r)))
	out = append(out, keptSentences(s, r)...)
	out = append(out, foundSentences(Findings(s, r), r)...)
	return said(append(out, streakSentence(s, r)))
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
	sentence += "." + endedNote(r)
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

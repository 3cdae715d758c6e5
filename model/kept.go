package model

import (
	"fmt"
	"time"
)

// Kept says, in sentences, what a run leaves behind when it is cancelled now, and
// what is lost: its pages stay as clean and frozen as they are, and what it has
// collected is gone.
func Kept(r *Run) []string {
	p := r.Progress
	if p == nil {
		return []string{"It has not begun: nothing is lost."}
	}
	if r.Command != "VACUUM" {
		return []string{"All of its work is lost: the new copy of the table is thrown away."}
	}
	kept := "Kept: the pages that it has pruned and frozen"
	if passes := p.IndexVacuumCount.Or(0); passes > 0 {
		kept += fmt.Sprintf(", and the dead rows removed by %s", FormatCounted(passes, "whole index pass", "whole index passes"))
	}
	lost := "Lost: " + FormatDuration(r.Watched()) + " of work"
	if items, ok := r.Memory.Items.Get(); ok && items > 0 {
		lost += fmt.Sprintf(", the list of %s dead rows", FormatCount(items))
	}
	if done := p.IndexesProcessed.Or(0); done > 0 {
		lost += fmt.Sprintf(", %s of this pass", FormatCounted(done, "index", "indexes"))
	}
	if !r.FromStart {
		lost += " at least: it was not seen from its start"
	}
	return []string{kept + ".", lost + "."}
}

// SleptPart says how much of the run's time so far would go with the sleeping: what
// other cost settings can change at most, because the work itself stays. It is an
// estimate of what is over, not of what would come.
func SleptPart(r *Run) string {
	delay, estimated := r.Delay.Best(r.ProcessTime)
	share, _ := r.Delay.Share(r.ProcessTime, r.Watched())
	slept, ok := share.Get()
	if !ok || delay.Or(0) == 0 {
		return "How long it would take is not known: what it sleeps on purpose is not known."
	}
	work := time.Duration(float64(r.Watched()) * (1 - float64(slept)))
	return fmt.Sprintf("Of the %s seen it slept %s; the same part without any delay is ≈%s, with ten times the limit ≈%s. The rest of the table is not in that.",
		FormatDuration(r.Watched()), mark(estimated, FormatPercent(slept)), FormatDuration(work),
		FormatDuration(work+time.Duration(float64(r.Watched())*float64(slept)/10)))
}

// EdgeSentences say how old the table of an autovacuum is, and how far that is from
// where the server acts on it; none for a vacuum that a person started.
func EdgeSentences(s *Snapshot, r *Run) []string {
	by := r.StartedBy.Or("")
	if by != ByAutovacuum && by != ByAutovacuumWraparound {
		return nil
	}
	for _, e := range s.Edges(r) {
		if e.Of != EdgeTable || e.Multixacts {
			continue
		}
		text := fmt.Sprintf("The table's oldest row is %s transactions old", FormatCount(e.Age))
		for _, limit := range []struct{ name, what string }{
			{LimitFailsafe, "the failsafe"}, {LimitStop, "the server stops giving out ids"},
		} {
			if l, ok := e.LimitOf(limit.name).Get(); ok {
				text += fmt.Sprintf("; %s until %s%s", FormatCount(l.Left), limit.what, inTime(l))
			}
		}
		return []string{text + "."}
	}
	return []string{"How old the table is, is not known from here."}
}

func inTime(l EdgeLimit) string {
	if in, ok := l.In.Get(); ok {
		return " (≈" + FormatDuration(in) + ")"
	}
	return ""
}

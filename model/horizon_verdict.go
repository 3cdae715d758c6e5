package model

import (
	"fmt"
	"slices"
	"time"
)

// rememberKeeper keeps who holds dead rows of the run's table, for when it has ended.
func (r *Run) rememberKeeper(h *Horizon, at time.Time) {
	if holder, ok := h.holderOf(r, at).Get(); ok {
		r.Keeper, r.KeeperSeen = &holder, h.ReadAt
	}
	r.keeperAsked = r.keeperAsked || h.readIn(r)
}

// rememberKeepers does so for runs that ended before the horizon was read again: who is
// there still and began before the run was there all the time.
func (t *Tracker) rememberKeepers(at time.Time) {
	if t.horizon == nil || !t.horizon.ReadAt.Equal(at) {
		return
	}
	ended := slices.Clone(t.ended)
	for i, run := range ended {
		if at.Sub(run.End.At) > 2*resultTimeElsewhere {
			break // ended runs stand with the last one first
		}
		if run.keeperAsked {
			continue
		}
		asked := *run
		asked.rememberKeeper(t.horizon, at)
		if asked.Keeper != nil && !asked.Keeper.Since.Known() { // it can be younger than the run
			asked.Keeper, asked.KeeperSeen = nil, time.Time{}
		}
		ended[i] = &asked
	}
	t.ended = ended
}

// horizonSentences say who keeps the dead rows of what a run vacuums.
func horizonSentences(s *Snapshot, r *Run) []string {
	h, ok := s.HolderOf(r).Get()
	if !ok || r.Command != "VACUUM" {
		return nil
	}
	out := fmt.Sprintf("Dead rows of the last %s transactions stay: %s may still see them.", FormatCount(h.Age), h.Who(s.At))
	return []string{out, h.endSentence() + " Only the next vacuum profits."}
}

// keptSentences say how many dead rows a run that completed left, where that is known,
// and who kept them.
func keptSentences(s *Snapshot, r *Run) []string {
	h, rows := r.Keeper, keptText(r)
	switch {
	case r.Command != "VACUUM" || r.End.How != EndCompleted || rows == "":
		return nil
	case h == nil && r.KeptRows().Known():
		return []string{rows + " could not be removed: somebody could still see them."}
	case h == nil:
		return nil
	}
	seen, next := s.At, h.endSentence()+" Then another vacuum removes them."
	if s.Horizon != nil && !slices.ContainsFunc(s.Horizon.Holders, h.Same) {
		seen, next = r.KeeperSeen, "It has ended since: another vacuum removes them."
	}
	return []string{fmt.Sprintf("%s of the last %s transactions stayed: %s could still see them.", rows, FormatCount(h.Age), h.Who(seen)), next}
}

// keptText is how many dead rows a run left: by its own messages, else about as many as
// the statistics had after it; "" where it says that it left none.
func keptText(r *Run) string {
	kept, said := r.KeptRows().Get()
	switch {
	case said && kept == 0, !said && r.After != nil && r.After.DeadTuples == 0:
		return ""
	case said:
		return FormatCounted(kept, "dead row", "dead rows")
	case r.After != nil:
		return "≈" + FormatCounted(r.After.DeadTuples, "dead row", "dead rows")
	}
	return "Dead rows"
}

// endSentence says what ends the holder.
func (h XminHolder) endSentence() string {
	if sql := h.EndedBy(); sql != "" {
		return sql + " would end it."
	}
	return h.EndedElse()
}

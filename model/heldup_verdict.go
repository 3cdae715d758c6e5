package model

import (
	"fmt"
	"strings"
	"time"
)

// heldSentences say what a run that stands still waits for, and for whom; nil for one
// that does not, or not yet for long.
func heldSentences(s *Snapshot, name string, r *Run) []string {
	h := r.HeldUp
	if !heldLong(r, s.At) {
		return nil
	}
	if gives, ok := h.GivesUp().Get(); ok {
		sentence := name + " waits for others to leave the table, so as to cut off its empty end"
		if left := gives.Sub(s.At); left > 0 {
			sentence += fmt.Sprintf("; it gives up in ≈%s", FormatDuration(left))
		}
		return []string{sentence + ".", inItsWay(s, h)}
	}
	where := "while " + r.Phase().Phase.Display()
	if at, ok := h.At.Get(); ok {
		where = fmt.Sprintf("at block %s of %s", FormatCount(int64(at)), FormatCount(int64(h.Of.Or(0))))
	}
	return []string{
		fmt.Sprintf("%s is stuck %s for %s, waiting for another session to release a page.", name, where, FormatDuration(s.At.Sub(h.Since))),
		suspectsSentence(s, h),
	}
}

// heldLong tells that a run stands still for long enough to be spoken of.
func heldLong(r *Run, at time.Time) bool {
	return r.HeldUp != nil && at.Sub(r.HeldUp.Since) >= leastHeldUp
}

// mostNamed is how many sessions a sentence names.
const mostNamed = 2

func suspectsSentence(s *Snapshot, h *HeldUp) string {
	switch {
	case !h.HoldersRead:
		return "Holder not visible."
	case len(h.Holders) == 0:
		return "Holder not visible; no other session has a lock on the table now."
	}
	return "Holder not visible; suspects: " + sessions(h.Holders, s.At) + ". It goes on when the holder's transaction ends."
}

func inItsWay(s *Snapshot, h *HeldUp) string {
	if len(h.Holders) == 0 {
		return ""
	}
	return "In its way: " + sessions(h.Holders, s.At) + "."
}

// sessions names the first of some sessions, and what they do.
func sessions(all []Blocker, at time.Time) string {
	var names []string
	for _, b := range all[:min(len(all), mostNamed)] {
		names = append(names, b.sentence(at))
	}
	text := strings.Join(names, ", ")
	if more := len(all) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// sentence is who a blocker is and what it does, for a sentence.
func (b Blocker) sentence(at time.Time) string {
	if b.PID == 0 {
		if gid := b.GID.Or(""); gid != "" {
			return "prepared transaction " + gid.Display()
		}
		return "a prepared transaction"
	}
	return b.Who(at)
}

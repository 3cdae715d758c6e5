package model

import (
	"fmt"
	"slices"
	"strings"
)

// Moment is something that happened from one snapshot to the next.
type Moment struct {
	What string // in words
	// Run is whose phase began; the zero key for what is not a phase.
	Run RunKey
}

// Moments are what happened from a snapshot to the one after it that is worth going
// to: vacuums that begin, change their phase and end, sessions that begin to wait
// around vacuums, settings that change, gaps in the watching, commands sent from here.
// Before is nil for the first one.
func Moments(before, after *Snapshot) []Moment {
	if before == nil {
		before = new(Snapshot)
	}
	var out []Moment
	add := func(format string, args ...any) { out = append(out, Moment{What: fmt.Sprintf(format, args...)}) }
	if after.Link.Lost != before.Link.Lost {
		add("%s", map[bool]string{true: "the connection was lost", false: "connected again"}[after.Link.Lost])
	}
	for _, r := range after.Active {
		out = append(out, momentsOf(findRun(before.Active, r.Key), r, after.NameOf(r))...)
	}
	for _, r := range after.Ended[:newInFront(before.Ended, after.Ended, func(r *Run) RunKey { return r.Key })] {
		add("%s of %s: %s", r.Command, after.NameOf(r), r.End.How)
	}
	waits := 0
	for _, w := range after.LockWaits {
		if w.Around && !slices.ContainsFunc(before.LockWaits, func(b LockWait) bool { return b.isSame(w) && b.Around }) {
			waits++
		}
	}
	if waits > 0 {
		add("%s around vacuums", FormatCounted(waits, "session begins to wait", "sessions begin to wait"))
	}
	for _, c := range after.SettingChanges[:newInFront(before.SettingChanges, after.SettingChanges, SettingChange.String)] {
		add("%s", c)
	}
	for _, c := range after.Commands[:newInFront(before.Commands, after.Commands, func(e Event) int64 { return e.At.UnixNano() })] {
		add("sent: %s", c.Text.Display())
	}
	return out
}

// momentsOf is what happened to a run in sight; before is nil where it was not yet.
func momentsOf(before, now *Run, name string) []Moment {
	phase := now.Phase()
	switch {
	case before == nil && phase == nil:
		return []Moment{{What: fmt.Sprintf("%s of %s waits for its lock", now.Command, name)}}
	case phase == nil:
		return nil
	}
	var was *Span
	begins := before == nil
	if before != nil {
		was = before.Phase()
	}
	if was != nil && was.Phase == phase.Phase && was.Pass == phase.Pass {
		return nil
	}
	what := fmt.Sprintf("%s: %s", name, phase.Phase.Display())
	if phase.Pass > 1 {
		what += fmt.Sprintf(", pass %d", phase.Pass)
	}
	if begins {
		what = fmt.Sprintf("%s of %s begins, %s", now.Command, name, phase.Phase.Display())
		if !now.FromStart {
			what = fmt.Sprintf("%s of %s is in sight, %s", now.Command, name, phase.Phase.Display())
		}
	}
	return []Moment{{What: what, Run: now.Key}}
}

func findRun(runs []*Run, key RunKey) *Run {
	if i := slices.IndexFunc(runs, func(r *Run) bool { return r.Key.Same(key) }); i >= 0 {
		return runs[i]
	}
	return nil
}

// newInFront is how many of a list, whose newest stands first, were not in it before.
func newInFront[T any, K comparable](before, after []T, key func(T) K) int {
	if len(before) == 0 {
		return len(after)
	}
	newest := key(before[0])
	if i := slices.IndexFunc(after, func(v T) bool { return key(v) == newest }); i >= 0 {
		return i
	}
	return len(after)
}

// MomentsText joins what happened at one place.
func MomentsText(moments []Moment) string {
	var words []string
	for _, m := range moments {
		words = append(words, m.What)
	}
	return strings.Join(words, "; ")
}

package model

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds of what is kept of changed settings.
const (
	maxSettingChanges = 100 // of a server; the latest
	maxRunChanges     = 16  // of a run; the latest
)

// SettingChange is a setting of the server that had another value at one reading than
// at the one before, whoever changed it.
type SettingChange struct {
	// At is when the configuration was loaded that brought it (pg_conf_load_time()), else
	// when the new value was first read.
	At       time.Time
	Old, New Setting
	// Ours tells that this program had sent a statement for it shortly before.
	Ours bool
}

// String says what changed, safe to print.
func (c SettingChange) String() string {
	return c.New.Name + " " + Text(c.Old.Written()).Display() + " → " + Text(c.New.Written()).Display()
}

// RunChange is a change of a setting that was seen while a run went on.
type RunChange struct {
	SettingChange
	Follow Follow // whether the run takes notice
	// Before and After are the rates of the phase's counter in the last seconds before
	// the change and from a moment after it on; absent where the phase did not last that
	// long, or has no counter.
	Before, After Opt[PerSecond]
	Unit          string // UnitBlocks, ...: what the rates count

	phase time.Time // when the phase of the rates began
}

// Windows of the rates around a change: autovacuum's workers take a moment to follow.
const (
	rateBefore = 10 * time.Second
	rateSettle = time.Second
	rateAfter  = 10 * time.Second
	leastRate  = 2 * time.Second
)

// settingsRead compares settings with those of the reading before, and takes them.
func (t *Tracker) settingsRead(at time.Time, settings []Setting) {
	settings = slices.Clone(settings)
	slices.SortFunc(settings, bySettingName)
	for _, now := range settings {
		before, known := findSetting(t.settings, now.Name)
		if !known || before.Setting == now.Setting || !before.serverWide() || !now.serverWide() {
			continue
		}
		c := SettingChange{At: t.changedAt(at), Old: before, New: now, Ours: t.sentFor(at, now.Name)}
		t.changes = append([]SettingChange{c}, t.changes[:min(len(t.changes), maxSettingChanges-1)]...)
		for _, r := range t.active {
			r.changed(c, t.server.VersionNum)
		}
	}
	t.settings, t.settingsAt = settings, at
}

// changedAt is when the configuration was loaded, if that was since the reading before.
func (t *Tracker) changedAt(at time.Time) time.Time {
	if loaded := t.server.ConfLoadedAt; loaded.After(t.settingsAt) && loaded.Before(at) {
		return loaded
	}
	return at
}

// sentFor tells whether this program has lately sent a statement that changes a setting.
func (t *Tracker) sentFor(at time.Time, name string) bool {
	const lately = 30 * time.Second
	return slices.ContainsFunc(t.commands, func(e Event) bool {
		text := string(e.Text)
		return at.Sub(e.At) < lately && strings.HasPrefix(text, "ALTER SYSTEM ") && slices.Contains(strings.Fields(text), name)
	})
}

// changed notes a change for a run that goes on.
func (r *runState) changed(c SettingChange, versionNum int) {
	change := RunChange{SettingChange: c, Follow: Follows(Change{Scope: ScopeServer, Name: c.New.Name}, &r.run, versionNum)}
	change.phase = r.counted
	if p := r.run.Phase(); p != nil {
		change.Unit = p.Moved.Unit
	}
	change.Before = rateBetween(r.points, c.At.Add(-rateBefore), c.At)
	changes := append(slices.Clone(r.run.Changes), change)
	r.run.Changes = changes[max(0, len(changes)-maxRunChanges):]
}

// followChanges tells at what rate a run went on after the changes.
func (r *runState) followChanges() {
	changes := r.run.Changes
	for i, c := range changes {
		from := c.At.Add(rateSettle)
		to := from.Add(rateAfter)
		if i+1 < len(changes) && changes[i+1].At.Before(to) && changes[i+1].At.After(c.At) {
			to = changes[i+1].At
		}
		if !c.phase.Equal(r.counted) {
			continue
		}
		after := rateBetween(r.points, from, to)
		if after == c.After {
			continue
		}
		changes = slices.Clone(changes)
		changes[i].After = after
	}
	r.run.Changes = changes
}

// rateBetween is how fast the counter moved in a time; absent where it was seen for
// too little of it.
func rateBetween(points []point, from, to time.Time) Opt[PerSecond] {
	var first, last point
	for _, p := range points {
		if p.at.Before(from) || p.at.After(to) {
			continue
		}
		if first.at.IsZero() {
			first = p
		}
		last = p
	}
	over := last.at.Sub(first.at)
	if first.at.IsZero() || over < leastRate {
		return None[PerSecond]()
	}
	return Some(PerSecond(float64(last.value-first.value) / over.Seconds()))
}

// changeShown is how long the verdict speaks of a change.
const changeShown = time.Minute

// changeSentence says what the last change of a setting did to a run.
func changeSentence(s *Snapshot, r *Run) string {
	for _, c := range slices.Backward(r.Changes) {
		if age := s.At.Sub(c.At); age <= changeShown && (isCost(c.New.Name) || c.Follow.Follows.Or(true)) {
			return fmt.Sprintf("%s, %s ago%s.", c.String(), FormatDuration(age), c.Effect())
		}
	}
	return ""
}

// Effect says what a change does to its run, and what came of it.
func (c RunChange) Effect() string {
	follows, known := c.Follow.Follows.Get()
	out := ": it follows if it gets slower"
	if known {
		out = map[bool]string{true: ": it follows", false: ": it does not follow"}[follows]
	}
	before, was := c.Before.Get()
	after, is := c.After.Get()
	unit := map[string]string{UnitBlocks: "pages", UnitIndexes: "indexes"}[c.Unit]
	switch {
	case !was || unit == "":
		return out
	case !is:
		return out + fmt.Sprintf(", %s %s/s before", FormatRate(before), unit)
	}
	return out + fmt.Sprintf(", %s → %s %s/s", FormatRate(before), FormatRate(after), unit)
}

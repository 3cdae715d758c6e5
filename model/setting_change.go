package model

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxSettingChanges is how many changes of a server's settings are kept; the latest.
const maxSettingChanges = 100

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
	Around
}

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
	follow := Follows(Change{Scope: ScopeServer, Name: c.New.Name}, &r.run, versionNum)
	r.run.Changes = withLast(r.run.Changes, RunChange{SettingChange: c, Follow: follow, Around: r.around(c.At)})
}

// followChanges tells at what rate a run went on after the changes.
func (r *runState) followChanges() {
	changes, limits := slices.Clone(r.run.Changes), slices.Clone(r.run.LimitChanges)
	for i := range changes {
		c := &changes[i]
		c.Around = r.after(c.Around, c.At, r.changeAfter(c.At))
	}
	for i := range limits {
		c := &limits[i]
		c.Around = r.after(c.Around, c.At, r.changeAfter(c.At))
	}
	r.run.Changes, r.run.LimitChanges = changes, limits
}

// changeAfter is when the next change came, of a setting or of the limit; zero for none.
func (r *runState) changeAfter(at time.Time) time.Time {
	var next time.Time
	consider := func(t time.Time) {
		if t.After(at) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	for _, c := range r.run.Changes {
		consider(c.At)
	}
	for _, c := range r.run.LimitChanges {
		consider(c.At)
	}
	return next
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
	if rates := c.rates(); rates != "" {
		out += ", " + rates
	}
	return out
}

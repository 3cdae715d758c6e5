package model

import (
	"fmt"
	"math"
)

// Failsafe says that a vacuum is in failsafe mode (14+): it passes over indexes and
// does not sleep, so that old transaction ids go away soon.
type Failsafe struct {
	// Inferred: before 19 no view says so. It follows from the age of the table and
	// the settings as this session sees them.
	Inferred bool
	// Reason is which age is over which setting; "" where the server says it itself.
	Reason string
}

// failsafeFirst is the first version that has the failsafe mode; failsafeShown the
// first that says so in pg_stat_progress_vacuum.mode.
const (
	failsafeFirst = 140000
	failsafeShown = 190000
)

// failsafe tells whether the run is in failsafe mode, by the server's word or, from
// 14 to 18, by its table's age when it was last read: the server compares the same
// when a vacuum begins and again every 4 GB. A pass over indexes refutes it, and so does
// a sleep on purpose: then the server has not looked since.
func (t *Tracker) failsafe(r *runState) *Failsafe {
	run := &r.run
	switch {
	case run.Command != "VACUUM" || run.State != StateRunning:
		return nil
	case run.Progress != nil && run.Progress.Mode.Or("") == "failsafe":
		return &Failsafe{}
	case t.server.VersionNum < failsafeFirst || t.server.VersionNum >= failsafeShown || run.vacuumsIndexes() || r.sleepsOnPurpose():
		return nil
	}
	if reason := t.failsafeAge(run.Relation); reason != "" {
		return &Failsafe{Inferred: true, Reason: reason}
	}
	return nil
}

// sleepsOnPurpose tells that the run sleeps as it did so far in the scan: so many samples
// without a sleep happen by chance, now and then.
func (r *runState) sleepsOnPurpose() bool {
	const told, surprise = 0.1, 1e-6 // of less sleep samples do not tell
	share := sleptShare(&r.run, phaseScanningHeap).Or(0)
	return share > told && math.Pow(1-share, float64(r.awake)) > surprise
}

// failsafeAge is which age of a table puts its vacuum into failsafe mode when the
// server looks next: before each pass over the indexes, and every 4 GB; "" when none.
func (t *Tracker) failsafeAge(rel *Relation) string {
	if rel == nil || t.server.VersionNum < failsafeFirst {
		return ""
	}
	for _, c := range []struct {
		age                     Opt[int64]
		of, setting, freezeName string
	}{
		{rel.XIDAge, "age", "vacuum_failsafe_age", "autovacuum_freeze_max_age"},
		{rel.MXIDAge, "multixact age", "vacuum_multixact_failsafe_age", "autovacuum_multixact_freeze_max_age"},
	} {
		if reason := t.overAge(c.age, c.of, c.setting, c.freezeName); reason != "" {
			return reason
		}
	}
	return ""
}

// overAge is why an age puts a vacuum into failsafe mode; "" when it does not, or
// one of the numbers is not known.
func (t *Tracker) overAge(age Opt[int64], of, setting, freezeName string) string {
	have, known := age.Get()
	failsafe, set := settingInt(t.settings, setting)
	freeze, both := settingInt(t.settings, freezeName)
	if !known || !set || !both || have <= failsafeAt(failsafe, freeze) {
		return ""
	}
	limit := fmt.Sprintf("%s %s", setting, FormatCount(int64(failsafe)))
	if at := failsafeAt(failsafe, freeze); at > int64(failsafe) {
		limit = fmt.Sprintf("%s, 1.05 times %s", FormatCount(at), freezeName)
	}
	return fmt.Sprintf("the table's %s %s is over %s", of, FormatCount(have), limit)
}

// vacuumsIndexes tells that the run was seen to make a pass over indexes.
func (r *Run) vacuumsIndexes() bool {
	for i := range r.Phases {
		if r.Phases[i].Phase == phaseVacuumingIndexes {
			return true
		}
	}
	return false
}

// failsafeSentence says what the mode does; "" outside it.
func failsafeSentence(r *Run) string {
	if r.Failsafe == nil {
		return ""
	}
	what := "Failsafe"
	if r.Failsafe.Inferred {
		what += " (inferred: " + r.Failsafe.Reason + ")"
	}
	return what + ": indexes and dead rows are left as they are, and it does not sleep."
}

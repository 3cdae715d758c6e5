package model

import "fmt"

// standardErrors is how many of them Delay.SampledError is.
const standardErrors = 1.96

// Differ tells that the reported and the sampled delay lie further apart than three
// standard errors of the sampled one and what workers have yet to report explain.
func (d Delay) Differ() bool {
	reported, ok := d.Reported.Get()
	sampled, both := d.Sampled.Get()
	if !ok || !both {
		return false
	}
	gap := max(reported-sampled, sampled-reported).Seconds()
	// What is unreported is so on average; it can be twice as much.
	return gap > 3*d.SampledError.Seconds()/standardErrors+2*d.Unreported.Seconds()
}

// DelayHint says why the server gives no number for a run's delay, and what brings
// one.
type DelayHint struct {
	Why string // a sentence
	SQL string // what switches the timing on; "" where nothing does
	Who string // for whom that takes effect, and who may do it
}

const costDelayTiming = "track_cost_delay_timing"

// HintOnDelay is why r has no reported delay; nil for one that has.
func HintOnDelay(s *Snapshot, r *Run) *DelayHint {
	if r.Delay.Reported.Known() || r.Progress == nil {
		return nil
	}
	_, counted := r.Progress.DelayTime.Get()
	switch {
	case r.Command != "VACUUM":
		return &DelayHint{Why: "The server counts no delay of " + r.Command + "."}
	case !counted && s.Server.VersionNum < 180000:
		return &DelayHint{Why: "The server counts delay from version 18 on; this is an estimate from samples."}
	case !counted:
		return &DelayHint{Why: "The server gave no delay_time; this is an estimate from samples."}
	}
	hint := hintOnTiming(s, r)
	hint.Why = "Not measured: " + costDelayTiming + " is off there; this is an estimate from samples."
	if r.Delay.Sampled.Or(0) == 0 {
		hint.Why = "delay_time is 0: nothing was slept, or " + costDelayTiming + " is off there."
	}
	return &hint
}

// hintOnTiming is how the timing is switched on (18+): an autovacuum follows a reload
// at once, another session's VACUUM sees only what was set before it began.
func hintOnTiming(s *Snapshot, r *Run) DelayHint {
	role := func(name Text) string { return name.QuoteIdent().Display() }
	if r.StartedBy.Or(ByManual) == ByManual {
		return DelayHint{
			SQL: "SET " + costDelayTiming + " = on;",
			Who: fmt.Sprintf("In the session, before its VACUUM: one that runs already will not see it. For superusers, "+
				"or after GRANT SET ON PARAMETER %s TO %s.", costDelayTiming, role(r.Role.Or(s.Server.Role))),
		}
	}
	const follow = "Autovacuums follow, those that run too."
	if isOff(s.Settings, "allow_alter_system") {
		return DelayHint{
			SQL: "SELECT pg_reload_conf();",
			Who: fmt.Sprintf("After %s = on was written into the server's configuration (allow_alter_system is off). %s", costDelayTiming, follow),
		}
	}
	return DelayHint{
		SQL: "ALTER SYSTEM SET " + costDelayTiming + " = on; SELECT pg_reload_conf();",
		Who: fmt.Sprintf("%s For superusers, or after GRANT ALTER SYSTEM ON PARAMETER %s TO %s and GRANT EXECUTE ON FUNCTION pg_reload_conf() TO %[3]s.",
			follow, costDelayTiming, role(s.Server.Role)),
	}
}

package model

import (
	"slices"
	"strconv"
	"strings"
)

// VacuumPlan is one VACUUM that a person wants to run. Values that are settings are
// written as PostgreSQL takes them ("2ms", "64MB"); "" leaves what the session has.
type VacuumPlan struct {
	// Schema is absent for a name that is looked up along the role's search_path.
	Schema Opt[Text]
	Table  Text

	// Verbose has the server say how many workers it launched, and in the end what it
	// did. It changes nothing of the work; but a VACUUM whose client has gone ends at
	// the first message that it cannot send (measured on 18, over a Unix socket).
	Verbose bool

	Full, Freeze, Analyze           bool
	SkipLocked, DisablePageSkipping bool
	IndexCleanup                    string    // auto (14+), on, off; "": as the table says
	Truncate                        Opt[bool] // absent: as the table says
	ProcessMain                     Opt[bool] // 16+
	ProcessToast                    Opt[bool] // 14+
	Parallel                        Opt[int]  // 0 to 1024; absent: as many as there are indexes for
	BufferUsageLimit                string    // 16+

	CostDelay, CostLimit, MaintenanceWorkMem string
	LockTimeout                              string
	TrackCostDelayTiming                     bool // 18+, superuser
}

// PlanAgain is the VACUUM that takes the place of a run: with the options that its
// statement has, and the settings of its session as far as they are known, which is
// for those that this program started.
func PlanAgain(r *Run) VacuumPlan {
	p := VacuumPlan{Schema: r.Schema, Table: r.Table.Or(""), Verbose: true}
	stated, _ := VacuumOptions(r.Statement.Or(""), 0)
	for _, o := range stated {
		p.take(o)
	}
	if r.Own == nil {
		return p
	}
	for _, s := range r.Own.Settings {
		if s.Source != "session" {
			continue
		}
		p.Set(s.Name, s.Written())
	}
	return p
}

// Set gives one of the settings that a plan has its value; it tells whether there is
// such a one. "" leaves what the session has.
func (p *VacuumPlan) Set(name, value string) bool {
	switch name {
	case "vacuum_cost_delay":
		p.CostDelay = value
	case "vacuum_cost_limit":
		p.CostLimit = value
	case "maintenance_work_mem":
		p.MaintenanceWorkMem = value
	case "vacuum_buffer_usage_limit":
		p.BufferUsageLimit = value
	case "track_cost_delay_timing":
		p.TrackCostDelayTiming = value == "on"
	default:
		return false
	}
	return true
}

// take takes one option of a statement over; what a plan does not have is left out.
func (p *VacuumPlan) take(o StatementOption) {
	switch o.Name {
	case "FREEZE":
		p.Freeze = o.on()
	case "ANALYZE":
		p.Analyze = o.on()
	case "SKIP_LOCKED":
		p.SkipLocked = o.on()
	case "DISABLE_PAGE_SKIPPING":
		p.DisablePageSkipping = o.on()
	case "INDEX_CLEANUP":
		p.IndexCleanup = "off"
		if strings.EqualFold(o.Value, "auto") {
			p.IndexCleanup = "auto"
		} else if o.on() {
			p.IndexCleanup = "on"
		}
	case "TRUNCATE":
		p.Truncate = Some(o.on())
	case "PROCESS_MAIN":
		p.ProcessMain = Some(o.on())
	case "PROCESS_TOAST":
		p.ProcessToast = Some(o.on())
	case "BUFFER_USAGE_LIMIT":
		p.BufferUsageLimit = o.Value
	case "PARALLEL":
		if n, err := strconv.Atoi(o.Value); err == nil {
			p.Parallel = Some(n)
		}
	}
}

// Written is the setting's value as it can be set again: with the unit behind it
// that the server can read there.
func (s Setting) Written() string {
	if unit := s.Unit.Or(""); slices.Contains([]string{"ms", "s", "min", "kB", "MB", "B"}, unit) {
		return string(s.Setting) + unit
	}
	return string(s.Setting) // 8kB stands before a number, and is what one without a unit means
}

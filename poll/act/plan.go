package act

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/vacscope/model"
)

// maxParallel is the largest PARALLEL that the server takes.
const maxParallel = 1024

// check refuses what the server's version does not have, by the name of the option.
// What is out of the range of a setting the server refuses itself.
func check(p model.VacuumPlan, version int) error {
	if n, given := p.Parallel.Get(); given && (n < 0 || n > maxParallel) {
		return fmt.Errorf("PARALLEL is %d, and can be 0 to %d", n, maxParallel)
	}
	if p.Full && p.Parallel.Or(0) > 0 {
		return fmt.Errorf("VACUUM FULL does not run in parallel")
	}
	for _, o := range []struct {
		option string
		given  bool
		since  int
	}{
		{"INDEX_CLEANUP AUTO", p.IndexCleanup == "auto", 14},
		{"PROCESS_TOAST", p.ProcessToast.Known(), 14},
		{"PROCESS_MAIN", p.ProcessMain.Known(), 16},
		{"BUFFER_USAGE_LIMIT", p.BufferUsageLimit != "", 16},
		{"track_cost_delay_timing", p.TrackCostDelayTiming, 18},
	} {
		if o.given && version/10000 < o.since {
			return fmt.Errorf("%s is there from PostgreSQL %d on; this server is %d", o.option, o.since, version/10000)
		}
	}
	return nil
}

// Statement is the VACUUM that a plan sends for a table.
func Statement(p model.VacuumPlan, table model.RelationName) string {
	var options []string
	add := func(given bool, option string) {
		if given {
			options = append(options, option)
		}
	}
	add(p.Verbose, "VERBOSE")
	add(p.Full, "FULL")
	add(p.Freeze, "FREEZE")
	add(p.Analyze, "ANALYZE")
	add(p.SkipLocked, "SKIP_LOCKED")
	add(p.DisablePageSkipping, "DISABLE_PAGE_SKIPPING")
	add(p.IndexCleanup != "", "INDEX_CLEANUP "+strings.ToUpper(p.IndexCleanup))
	add(p.Truncate.Known(), "TRUNCATE "+onOff(p.Truncate))
	add(p.ProcessMain.Known(), "PROCESS_MAIN "+onOff(p.ProcessMain))
	add(p.ProcessToast.Known(), "PROCESS_TOAST "+onOff(p.ProcessToast))
	add(p.Parallel.Known(), "PARALLEL "+strconv.Itoa(p.Parallel.Or(0)))
	add(p.BufferUsageLimit != "", "BUFFER_USAGE_LIMIT "+literal(p.BufferUsageLimit))
	statement := "VACUUM "
	if len(options) > 0 {
		statement += "(" + strings.Join(options, ", ") + ") "
	}
	return statement + quoted(table.Schema) + "." + quoted(table.Name)
}

func onOff(b model.Opt[bool]) string {
	if b.Or(false) {
		return "ON"
	}
	return "OFF"
}

// setting is one value that a session sets for itself.
type setting struct{ name, value string }

func (s setting) sql() string { return "SET " + s.name + " = " + literal(s.value) }

// settingsOf are what the plan's session sets before its VACUUM: no timeout of the
// role's may end it, and its own cost settings.
func settingsOf(p model.VacuumPlan, version int) []setting {
	settings := []setting{{"statement_timeout", "0"}}
	if version >= 140000 {
		settings = append(settings, setting{"idle_session_timeout", "0"})
	}
	if version >= 170000 {
		settings = append(settings, setting{"transaction_timeout", "0"}) // it would end the connection
	}
	for _, s := range []setting{
		{"lock_timeout", p.LockTimeout},
		{"vacuum_cost_delay", p.CostDelay},
		{"vacuum_cost_limit", p.CostLimit},
		{"maintenance_work_mem", p.MaintenanceWorkMem},
	} {
		if s.value != "" {
			settings = append(settings, s)
		}
	}
	if p.TrackCostDelayTiming {
		settings = append(settings, setting{"track_cost_delay_timing", "on"})
	}
	return settings
}

// quoted is a name as an SQL identifier, always in quotes: no list of keywords is
// needed. The server refuses names with a zero byte before they get here.
func quoted(name model.Text) string {
	return `"` + strings.ReplaceAll(string(name), `"`, `""`) + `"`
}

// literal is a text as an SQL string, for a session with standard_conforming_strings.
func literal(value string) string {
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}

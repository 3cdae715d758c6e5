package model

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// launchTime is how long an index phase may take to start its workers before
// fewer than planned count as not launched.
const launchTime = time.Second

// parallelOf says how many workers the run's statement asked for, how many can be
// planned for it with this session's settings and the catalog's index sizes, and
// how many were seen.
func parallelOf(run *Run, launched int, settings []Setting) Parallel {
	var p Parallel
	if run.Command != "VACUUM" {
		return p
	}
	auto := run.StartedBy.Or(ByManual) != ByManual
	statement := parseStatement(run.Statement.Or(""))
	if !auto {
		p.Asked = statement.Parallel
	}
	limitName := "max_parallel_maintenance_workers"
	if auto {
		limitName = "autovacuum_max_parallel_workers" // 19
	}
	limit, limitKnown := settingInt(settings, limitName)
	eligible := eligibleIndexes(run.Indexes, settings)
	if run.Indexes != nil && (limitKnown || auto) && len(settings) > 0 {
		why := fmt.Sprintf("%s is %d here", limitName, limit)
		if !limitKnown {
			why = "autovacuum has workers from PostgreSQL 19 on"
		}
		p.plan(eligible, limit, why)
	}
	switch {
	case !auto && statement.IndexCleanupOff:
		p.Planned, p.Reason = Some(0), "INDEX_CLEANUP is off"
	case run.temporary():
		p.Planned, p.Reason = Some(0), ""
		if p.Asked.Or(0) > 0 {
			p.Reason = "a temporary table is vacuumed without workers"
		}
	}
	if phase := run.Phase(); phase != nil && run.indexPhaseSeen() {
		p.Launched = Some(launched)
		if planned, ok := p.Planned.Get(); ok && launched > planned {
			p.Planned, p.Reason = Some(launched), "" // that session has settings of its own
		}
		if planned, ok := p.Planned.Get(); ok && launched < planned && run.launchSeen() {
			p.Reason = whyFewer(launched, settings)
		}
	}
	return p
}

// temporary tells that the run is of a session's temporary table, which other processes
// cannot read. No other schema may have such a name.
func (r *Run) temporary() bool { return strings.HasPrefix(string(r.Schema.Or("")), "pg_temp_") }

// launchSeen tells that the last index phase was long enough to show all its
// workers: of passes shorter than a few samples most are not seen.
func (r *Run) launchSeen() bool {
	for i := len(r.Phases) - 1; i >= 0; i-- {
		if span := &r.Phases[i]; isIndexPhase(span.Phase) {
			over := i < len(r.Phases)-1
			return span.Passes <= 1 && (span.Wall > launchTime || over && span.Wall > launchTime/4)
		}
	}
	return false
}

func (r *Run) indexPhaseSeen() bool {
	for i := range r.Phases {
		if isIndexPhase(r.Phases[i].Phase) {
			return true
		}
	}
	return false
}

// plan follows the server's rule: the leader takes one index itself. why is said where
// the limit makes it fewer.
func (p *Parallel) plan(eligible, limit int, why string) {
	most := max(0, eligible-1)
	planned := most
	if asked, ok := p.Asked.Get(); ok {
		if planned = min(asked, most); most < asked {
			p.Reason = fmt.Sprintf("%d indexes are large enough and the leader takes one", eligible)
		}
	}
	if limit < planned {
		planned, p.Reason = limit, why
	}
	p.Planned = Some(planned)
}

// whyFewer names the limit that left fewer workers than planned. Workers of other
// sessions are not counted here, so it is the limit that can have done it.
func whyFewer(launched int, settings []Setting) string {
	const always = 1 // the logical replication launcher takes one of max_worker_processes
	workers, _ := settingInt(settings, "max_parallel_workers")
	processes, _ := settingInt(settings, "max_worker_processes")
	switch {
	case workers <= launched:
		return fmt.Sprintf("max_parallel_workers is %d", workers)
	case processes-always <= launched:
		return fmt.Sprintf("max_worker_processes is %d", processes)
	}
	return fmt.Sprintf("no worker was free (max_parallel_workers %d, max_worker_processes %d)", workers, processes)
}

// eligibleIndexes counts the indexes that a parallel vacuum may give to a worker.
func eligibleIndexes(indexes []Index, settings []Setting) int {
	n := 0
	for _, ix := range indexes {
		if WhyNoWorker(ix, settings) == "" {
			n++
		}
	}
	return n
}

// WhyNoWorker says why a parallel vacuum leaves an index to its leader: it is too
// small, or of an access method that does not vacuum in parallel (BRIN); "" when a
// worker may have it.
func WhyNoWorker(ix Index, settings []Setting) string {
	least, ok := settingInt(settings, "min_parallel_index_scan_size")
	if !ok {
		least = 64
	}
	switch {
	case ix.AccessMethod == "brin":
		return "of this method"
	case int(ix.RelPages) < least:
		return fmt.Sprintf("below %d pages", least)
	}
	return ""
}

// findSetting returns the setting of that name.
func findSetting(settings []Setting, name string) (Setting, bool) {
	for _, s := range settings {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}

// number is a setting's number in the server's own unit.
func (s Setting) number() (float64, bool) {
	n, err := strconv.ParseFloat(string(s.Setting), 64)
	return n, err == nil
}

// settingNumber reads a setting that is a number, in the server's own unit.
func settingNumber(settings []Setting, name string) (float64, bool) {
	s, ok := findSetting(settings, name)
	if !ok {
		return 0, false
	}
	return s.number()
}

// serverWide tells that the value is the server's, and not one that the watching
// role, its database or its session has.
func (s Setting) serverWide() bool {
	switch s.Source {
	case "database", "user", "database user", "client", "session", "global", "interactive", "test":
		return false
	}
	return true
}

// settingInt returns a setting's number in the server's own unit.
func settingInt(settings []Setting, name string) (int, bool) {
	s, ok := findSetting(settings, name)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(string(s.Setting))
	return n, err == nil
}

package report

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// newestKnown is the newest major version of PostgreSQL that this program knows.
const newestKnown = 19

// assessment turns a check into findings.
type assessment struct {
	*model.Check
	service service
}

// major is the server's major version.
func (a assessment) major() int { return a.Server.VersionNum / 10000 }

// role is the connected role as an SQL identifier.
func (a assessment) role() model.Text { return a.Server.Role.QuoteIdent() }

func (a assessment) super() bool { return a.Superuser.Or(false) }

func (a assessment) sees() []finding {
	lines := []finding{
		a.version(), a.place(), a.managed(), a.encryption(), a.pooler(),
		a.sessions(), a.workers(), a.delay(), a.lockWaits(), a.waitStarts(), a.names(),
		a.activities(), a.counts(), a.statementLog(), a.lockLog(), a.extensions(),
	}
	for i := range lines {
		lines[i].Group = groupSees
	}
	return lines
}

func (a assessment) version() finding {
	f := finding{Key: "version", label: "version", Status: statusOK, Says: sqlf("PostgreSQL %d is known", a.major())}
	if a.major() > newestKnown {
		f.Status, f.Says = statusPartly, sqlf("PostgreSQL %d is newer than %d, the newest known: read like that one, what is new keeps the server's names", a.major(), newestKnown)
	}
	return f
}

func (a assessment) place() finding {
	f := finding{Key: "primary", label: "primary", Status: statusOK, Says: "yes: vacuums run here"}
	if a.Server.InRecovery {
		f.Status, f.Says = statusNo, "this is a standby: VACUUM runs on its primary"
		f.Brings = []model.Text{"connect to the primary (target_session_attrs=primary finds it)"}
	}
	return f
}

func (a assessment) managed() finding {
	f := finding{Key: "managed_service", label: "managed service", Status: statusUnknown, Says: "no sign of one"}
	if a.service.name != "" {
		f.Says = sqlf("looks like %s (%s): no superuser, and settings are changed in %s", a.service.name, a.service.sign, a.service.settings)
	}
	return f
}

func (a assessment) encryption() finding {
	f := finding{Key: "tls", label: "TLS", Status: statusOK, Says: model.Text(a.TLS)}
	switch {
	case a.Socket:
		f.Status, f.Says = statusUnknown, "not needed: a Unix socket"
	case a.TLS == "":
		f.Status, f.Says, f.Brings = statusNo, "the connection is not encrypted", []model.Text{"sslmode=require asks for it"}
		if a.Setting("ssl").Or(model.CheckSetting{}).Value == "off" {
			f.Brings = []model.Text{"ssl = on in the server's configuration, with a certificate"}
		}
	}
	return f
}

func (a assessment) pooler() finding {
	f := finding{Key: "direct", label: "direct connection", Status: statusOK, Says: "no pooler stands between"}
	if a.Pooled {
		f.Status, f.Says = statusPartly, "a pooler stands between: no timeouts of our own, 5 samples of the waits a second"
		f.Brings = []model.Text{"connect to the server itself"}
	}
	return f
}

func (a assessment) sessions() finding {
	f := finding{Key: "sessions", label: "other sessions", Status: statusOK}
	switch {
	case !a.Server.SeesAll:
		f.Status, f.Says = statusNo, "only that they exist: database, role, pid; phases and waits of own sessions only"
		f.Brings = a.grant("pg_monitor")
	case a.super():
		f.Says = "phases and waits of all (superuser)"
	case a.Has("pg_monitor"):
		f.Says = "phases and waits of all (pg_monitor)"
	default:
		f.Says = "phases and waits of all (pg_read_all_stats)"
	}
	return f
}

// grant is what gives the role the rights of a group, of which it can be a member
// without having them.
func (a assessment) grant(group model.Text) []model.Text {
	if !a.Group(group).Or(model.CheckGroup{}).Member {
		return []model.Text{"GRANT " + group + " TO " + a.role() + ";"}
	}
	if a.major() >= 16 {
		return []model.Text{"GRANT " + group + " TO " + a.role() + " WITH INHERIT TRUE;"}
	}
	return []model.Text{"ALTER ROLE " + a.role() + " INHERIT;"}
}

func (a assessment) workers() finding {
	f := finding{Key: "parallel_workers", label: "parallel workers", Status: statusOK, Says: "of all vacuums"}
	if !a.Server.SeesAll {
		f.Status, f.Says, f.Brings = statusNo, "of own vacuums only", a.grant("pg_monitor")
	}
	return f
}

func (a assessment) delay() finding {
	const name = "track_cost_delay_timing"
	f := finding{Key: "delay_timing", label: "delay timing", Status: statusOK}
	timing, has := a.Setting(name).Get()
	switch {
	case a.Settings == nil:
		return f.unread()
	case !has:
		f.Status, f.Says = statusUnknown, "came with 18: time asleep on purpose is an estimate from samples here"
	case timing.Value == "on":
		f.Says = name + " is on: the server counts time asleep on purpose"
	default:
		f.Status, f.Says = statusNo, name+" is off: time asleep on purpose is an estimate from samples"
		f.Brings = a.change(name, "on")
	}
	return f
}

// unread is a finding whose facts could not be read; problems say why.
func (f finding) unread() finding {
	f.Status, f.Says = statusUnknown, "could not be read"
	return f
}

func (a assessment) lockWaits() finding {
	f := finding{Key: "lock_waits", label: "lock waits", Status: statusOK, Says: "who waits, for what, and who blocks"}
	if may, known := a.BlockingPIDs.Get(); known && !may {
		f.Status, f.Says = statusPartly, "who waits; not who blocks: pg_blocking_pids may not be executed"
		f.Brings = []model.Text{"GRANT EXECUTE ON FUNCTION pg_catalog.pg_blocking_pids(integer) TO " + a.role() + ";"}
	}
	return f
}

func (a assessment) waitStarts() finding {
	f := finding{Key: "wait_starts", label: "starts of waits", Status: statusOK, Says: "exact (pg_locks.waitstart)"}
	if a.major() < 14 {
		f.Status, f.Says = statusNo, "came with 14: a wait is at least as long as it was seen"
	}
	return f
}

func (a assessment) names() finding {
	f := finding{Key: "other_databases", label: "names elsewhere", Status: statusOK}
	if a.Databases == nil {
		return f.unread()
	}
	others, may := 0, 0
	var closed []string
	for _, d := range a.Databases {
		if d.Name == a.Server.Database {
			continue
		}
		others++
		if d.MayConnect && d.Open {
			may++
		} else {
			closed = append(closed, d.Name.QuoteIdent().Display())
		}
	}
	switch {
	case others == 0:
		f.Status, f.Says = statusUnknown, "there is no other database"
	case may == others:
		f.Says = sqlf("of %s: this role may connect to all", model.FormatCounted(others, "other database", "other databases"))
	default:
		f.Status, f.Says = statusPartly, sqlf("of %s: this role may not connect to %s", model.FormatCounted(others, "other database", "other databases"), some(closed))
		if may == 0 {
			f.Status = statusNo
		}
		f.Brings = a.grantConnect()
	}
	return f
}

// grantConnect is the grant for databases that let others connect.
func (a assessment) grantConnect() (brings []model.Text) {
	const most = 3
	for _, d := range a.Databases {
		if d.Open && !d.MayConnect && a.service.sign != "database "+string(d.Name) && len(brings) < most {
			brings = append(brings, "GRANT CONNECT ON DATABASE "+d.Name.QuoteIdent()+" TO "+a.role()+";")
		}
	}
	return brings
}

// some names the first few of a list.
func some(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}

// needsOn is a finding on a setting that should be on.
func (a assessment) needsOn(f finding, name string, on, off model.Text) finding {
	if a.Settings == nil {
		return f.unread()
	}
	f.Status, f.Says = statusOK, on
	if v, known := a.Setting(name).Get(); known && v.Value != "on" {
		f.Status, f.Says, f.Brings = statusNo, off, a.change(name, "on")
	}
	return f
}

func (a assessment) activities() finding {
	return a.needsOn(finding{Key: "track_activities", label: "track_activities"}, "track_activities",
		"on", "off in this session: where it is off a vacuum is in no view")
}

func (a assessment) counts() finding {
	return a.needsOn(finding{Key: "track_counts", label: "track_counts"}, "track_counts",
		"on: the table's count of vacuums tells how one ended", "off in this session: where it is off it is not told whether a vacuum completed, and autovacuum does not run")
}

func (a assessment) statementLog() finding {
	f := finding{Key: "statements_logged", label: "statement log", Status: statusOK, Says: "reading is not logged by the server"}
	if a.Logged != "" {
		f.Status = statusPartly
		f.Says = sqlf("each of our statements is logged (%s): 1 sample of the waits a second, more with --tick-rate", a.Logged)
	}
	return f
}

func (a assessment) lockLog() finding {
	return a.needsOn(finding{Key: "log_lock_waits", label: "log_lock_waits"}, "log_lock_waits",
		"on: waits of over deadlock_timeout are in the server's log, also those seen by nobody",
		"off: waits that nobody watched leave no trace in the server's log")
}

func (a assessment) extensions() finding {
	f := finding{Key: "extensions", label: "extensions", Status: statusUnknown}
	if a.Extensions == nil {
		return f.unread()
	}
	says := make([]string, len(a.Extensions))
	for i, e := range a.Extensions {
		state := "not there"
		switch {
		case e.Installed:
			state, f.Status = "installed", statusOK
		case e.Available:
			state = "can be installed"
		}
		says[i] = e.Name.Display() + " " + state
	}
	f.Says = model.Text(strings.Join(says, "; ") + " (none is needed)")
	return f
}

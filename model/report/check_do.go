package report

import (
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// steering are the settings that change how vacuums of the server run.
var steering = []string{
	"vacuum_cost_delay", "vacuum_cost_limit", "autovacuum_vacuum_cost_delay", "autovacuum_vacuum_cost_limit", "autovacuum_max_workers",
	"autovacuum_work_mem", "maintenance_work_mem", "max_parallel_maintenance_workers", "track_cost_delay_timing",
}

func (a assessment) canDo() []finding {
	lines := []finding{
		a.vacuum(), a.cancelOwn(), a.cancelOthers(), a.cancelSuperusers(), a.cancelAutovacuum(),
		a.setOwn(), a.alterSystem(), a.reload(),
	}
	for i := range lines {
		lines[i].Group = groupCanDo
	}
	return lines
}

func (a assessment) vacuum() finding {
	f := finding{Key: "vacuum", label: "VACUUM", Status: statusOK}
	t, known := a.Tables.Get()
	switch {
	case a.Server.InRecovery:
		f.Status, f.Says = statusUnknown, "not on a standby"
		return f
	case !known:
		return f.unread()
	case t.Total == 0:
		f.Status, f.Says = statusUnknown, "this database has no table"
		return f
	case t.MayVacuum == 0:
		f.Status = statusNo
	case t.MayVacuum < t.Total:
		f.Status = statusPartly
	}
	count := model.FormatCount
	f.Says = sqlf("%s of %s here%s", count(t.MayVacuum), model.FormatCounted(int(t.Total), "table", "tables"), a.vacuumBy(t))
	if t.MayVacuum == t.Total {
		return f
	}
	if a.major() >= 17 {
		f.Brings = append(a.grant("pg_maintain"), "GRANT MAINTAIN ON the_table TO "+a.role()+";")
	} else {
		f.Brings = []model.Text{"be a member of the owner: GRANT the_owner TO " + a.role() + ";"}
	}
	return f
}

// vacuumBy tells by which right.
func (a assessment) vacuumBy(t model.CheckTables) string {
	switch {
	case a.super():
		return " (superuser)"
	case a.Has("pg_maintain"):
		return " (pg_maintain)"
	case a.DatabaseOwner.Or(false):
		return " (owner of the database)"
	}
	by := ""
	if t.Owned > 0 {
		by = ", owner of " + model.FormatCount(t.Owned)
	}
	if granted := t.MayVacuum - t.Owned; granted > 0 {
		by += ", MAINTAIN on " + model.FormatCount(granted)
	}
	return by
}

func (a assessment) cancelOwn() finding {
	return finding{Key: "cancel_own", label: "cancel own", Status: statusOK, Says: "sessions of this role and of roles whose rights it has"}
}

func (a assessment) cancelOthers() finding {
	f := finding{Key: "cancel_others", label: "cancel others", Status: statusOK, Says: "sessions of other roles that are not superusers"}
	if !a.super() && !a.Has("pg_signal_backend") {
		f.Status, f.Brings = statusNo, a.grant("pg_signal_backend")
	}
	return f
}

func (a assessment) cancelSuperusers() finding {
	f := finding{Key: "cancel_superusers", label: "cancel superusers", Status: statusOK, Says: "sessions of superusers"}
	if !a.super() {
		f.Status, f.Says = statusNo, "sessions of superusers: only a superuser may, no grant brings it"
	}
	return f
}

func (a assessment) cancelAutovacuum() finding {
	const group = "pg_signal_autovacuum_worker"
	f := finding{Key: "cancel_autovacuum", label: "cancel autovacuum", Status: statusOK, Says: "workers of autovacuum"}
	switch {
	case a.super() || a.Has(group):
	case a.Group(group).Known() || a.major() >= 18:
		f.Status, f.Brings = statusNo, a.grant(group)
	default:
		f.Status, f.Says = statusNo, "workers of autovacuum: before 18 only a superuser may, no grant brings it"
	}
	return f
}

func (a assessment) setOwn() finding {
	return finding{
		Key: "set_cost", label: "own settings", Status: statusOK,
		Says: "vacuum_cost_delay, vacuum_cost_limit, max_parallel_maintenance_workers of own sessions, before their VACUUM begins (every role may)",
	}
}

func (a assessment) alterSystem() finding {
	f := finding{Key: "alter_system", label: "ALTER SYSTEM", Status: statusOK}
	if a.Settings == nil {
		return f.unread()
	}
	all, may := a.alterable()
	switch {
	case a.forbidden():
		f.Status, f.Says = statusNo, "allow_alter_system is off: nobody may"
		f.Brings = []model.Text{model.Text("settings are changed in " + a.configuration())}
	case a.super():
		f.Says = "all settings (superuser)"
	case len(may) > 0:
		f.Status = statusPartly
		if len(may) == len(all) {
			f.Status = statusOK
		}
		f.Says = sqlf("%d of the %d settings of vacuums: %s", len(may), len(all), strings.Join(may, ", "))
	default:
		f.Status, f.Says = statusNo, "no setting of vacuums for the whole server"
		f.Brings = a.grantAlterSystem("vacuum_cost_limit")
	}
	return f
}

// alterable are the settings that steer vacuums here, and those of them that the
// role may change for the whole server.
func (a assessment) alterable() (all, may []string) {
	for _, s := range a.Settings {
		if !slices.Contains(steering, s.Name) {
			continue
		}
		all = append(all, s.Name)
		if a.mayAlter(s.Name) {
			may = append(may, s.Name)
		}
	}
	return all, may
}

// forbidden tells that ALTER SYSTEM is refused to everybody (17+).
func (a assessment) forbidden() bool {
	return a.Setting("allow_alter_system").Or(model.CheckSetting{Value: "on"}).Value == "off"
}

func (a assessment) mayAlter(name string) bool {
	if a.forbidden() {
		return false
	}
	return a.super() || a.Setting(name).Or(model.CheckSetting{}).MayAlterSystem.Or(false)
}

// configuration is where settings are changed without ALTER SYSTEM.
func (a assessment) configuration() string {
	if a.service.name != "" {
		return a.service.settings + " of the service"
	}
	return "postgresql.conf, or where the server is managed from"
}

func (a assessment) grantAlterSystem(name string) []model.Text {
	switch {
	case a.service.name != "":
		return []model.Text{model.Text("settings are changed in " + a.configuration())}
	case a.major() < 15:
		return []model.Text{"before 15 only a superuser may, no grant brings it"}
	}
	return []model.Text{"GRANT ALTER SYSTEM ON PARAMETER " + model.Text(name) + " TO " + a.role() + ";"}
}

func (a assessment) reload() finding {
	f := finding{Key: "reload", label: "reload settings", Status: statusOK, Says: "pg_reload_conf() may be executed"}
	may, known := a.ReloadConf.Get()
	switch {
	case !known:
		return f.unread()
	case !may:
		f.Status, f.Says = statusNo, "pg_reload_conf() may not be executed, which ALTER SYSTEM needs to take effect"
		f.Brings = []model.Text{"GRANT EXECUTE ON FUNCTION pg_catalog.pg_reload_conf() TO " + a.role() + ";"}
	}
	return f
}

// change is how a setting is changed for the whole server, by this role where it may.
func (a assessment) change(name, value string) []model.Text {
	statement := "ALTER SYSTEM SET " + model.Text(name) + " = " + model.Text(value) + "; SELECT pg_reload_conf();"
	switch {
	case a.mayAlter(name) && a.ReloadConf.Or(false):
		return []model.Text{statement}
	case a.forbidden() || a.service.name != "":
		return []model.Text{model.Text(name + " = " + value + " in " + a.configuration())}
	}
	return []model.Text{"a superuser runs: " + statement}
}

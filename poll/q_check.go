package poll

import (
	"strings"

	"example.com/vacscope/model"
)

// The statements of a check. None of them changes anything or locks a relation,
// and every role may run them; each stands alone, so that one that fails costs its
// own part only.

// checkGroups are the roles that are asked for: the predefined ones whose rights
// matter, and those by which managed services are told.
var checkGroups = []string{
	"pg_monitor", "pg_read_all_stats", "pg_signal_backend", "pg_signal_autovacuum_worker", "pg_maintain",
	"rds_superuser", "cloudsqlsuperuser", "alloydbsuperuser", "azure_pg_admin", "neon_superuser", "supabase_admin",
}

// checkSettings are the settings that are asked for: those that a change of a
// vacuum's speed would alter, and those that say what is seen and what is logged.
var checkSettings = []string{
	"vacuum_cost_delay", "vacuum_cost_limit", "autovacuum_vacuum_cost_delay", "autovacuum_vacuum_cost_limit",
	"autovacuum_max_workers", "autovacuum_work_mem", "maintenance_work_mem", "max_parallel_maintenance_workers",
	"track_cost_delay_timing", "track_activities", "track_counts", "log_lock_waits", "allow_alter_system", "ssl",
}

// checkExtensions are the extensions that are asked for.
var checkExtensions = []string{"pg_buffercache", "pg_visibility"}

// quoted lists words as SQL literals; they are this program's own.
func quoted(words []string) string { return "'" + strings.Join(words, "', '") + "'" }

// roleStatement reads what current_user is and which functions it may execute.
func roleStatement() *statement {
	return &statement{
		part: "role",
		when: inACheck,
		sql: timed(`
select u.rolsuper as superuser, pg_catalog.pg_has_role(u.oid, d.datdba, 'usage') as database_owner,
       pg_catalog.has_function_privilege('pg_catalog.pg_reload_conf()', 'execute') as reload_conf,
       pg_catalog.has_function_privilege('pg_catalog.pg_blocking_pids(int4)', 'execute') as blocking_pids
from pg_catalog.pg_roles u, pg_catalog.pg_database d
where u.rolname = current_user and d.datname = pg_catalog.current_database()`),
	}
}

func decodeRole(c *model.Check) func(row) error {
	return func(r row) error {
		c.Superuser = model.Some(r.boolean("superuser"))
		c.DatabaseOwner = model.Some(r.boolean("database_owner"))
		c.ReloadConf = model.Some(r.boolean("reload_conf"))
		c.BlockingPIDs = model.Some(r.boolean("blocking_pids"))
		return nil
	}
}

func groupsStatement() *statement {
	return &statement{
		part: "predefined roles",
		when: inACheck,
		sql: timed(`
select g.rolname, pg_catalog.pg_has_role(current_user, g.oid, 'usage') as usage,
       pg_catalog.pg_has_role(current_user, g.oid, 'member') as member
from pg_catalog.pg_roles g
where g.rolname in (`+quoted(checkGroups)+`)`) + `
order by r.rolname`,
	}
}

func decodeGroup(groups *[]model.CheckGroup) func(row) error {
	return func(r row) error {
		*groups = append(*groups, model.CheckGroup{
			Name: r.text("rolname").Or(""), Usage: r.boolean("usage"), Member: r.boolean("member"),
		})
		return nil
	}
}

// databasesStatement reads which databases there are. None is connected to.
func databasesStatement() *statement {
	return &statement{
		part: "rights on databases",
		when: inACheck,
		sql: timed(`
select d.datname, d.datallowconn, pg_catalog.has_database_privilege(d.oid, 'connect') as may_connect
from pg_catalog.pg_database d
where not d.datistemplate`) + `
order by r.datname`,
	}
}

func decodeDatabase(databases *[]model.CheckDatabase) func(row) error {
	return func(r row) error {
		*databases = append(*databases, model.CheckDatabase{
			Name: r.text("datname").Or(""), MayConnect: r.boolean("may_connect"), Open: r.boolean("datallowconn"),
		})
		return nil
	}
}

// tablesStatement counts what could be vacuumed here. The privilege MAINTAIN came
// with 17; the server takes no lock to answer.
func tablesStatement(versionNum int) *statement {
	maintain := "false"
	if versionNum >= 170000 {
		maintain = "pg_catalog.has_table_privilege(c.oid, 'maintain')"
	}
	return &statement{
		part: "tables",
		when: inACheck,
		sql: timed(`
select pg_catalog.count(*) as total,
       pg_catalog.count(*) filter (where t.owned) as owned,
       pg_catalog.count(*) filter (where t.owned or t.database_owner or t.maintain) as may_vacuum
from (
  select pg_catalog.pg_has_role(c.relowner, 'usage') as owned, ` + maintain + ` as maintain,
         (select pg_catalog.pg_has_role(d.datdba, 'usage') from pg_catalog.pg_database d
          where d.datname = pg_catalog.current_database()) as database_owner
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and c.relpersistence <> 't'
    and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
) t`),
	}
}

func decodeTables(c *model.Check) func(row) error {
	return func(r row) error {
		c.Tables = model.Some(model.CheckTables{
			Total: r.integer("total").Or(0), Owned: r.integer("owned").Or(0), MayVacuum: r.integer("may_vacuum").Or(0),
		})
		return nil
	}
}

// checkSettingsStatement reads settings and, from 15 on, the privileges on them.
// A setting that the version lacks gives no row. Privileges can be granted on
// settings that only a superuser may set otherwise, and ALTER SYSTEM on all.
func checkSettingsStatement(versionNum int) *statement {
	privilege := func(string) string { return "null::pg_catalog.bool" }
	if versionNum >= 150000 {
		privilege = func(which string) string { return "pg_catalog.has_parameter_privilege(n.name, '" + which + "')" }
	}
	return &statement{
		part: "privileges on settings",
		when: inACheck,
		sql: timed(`
select n.name, n.value, `+privilege("set")+` as may_set, `+privilege("alter system")+` as may_alter_system
from (select s.name, pg_catalog.current_setting(s.name, true) as value
      from pg_catalog.unnest(array[`+quoted(checkSettings)+`]) s(name)) n
where n.value is not null`) + `
order by r.name`,
	}
}

func decodeCheckSetting(settings *[]model.CheckSetting) func(row) error {
	return func(r row) error {
		*settings = append(*settings, model.CheckSetting{
			Name: r.string("name"), Value: r.text("value").Or(""),
			MaySet: r.optBoolean("may_set"), MayAlterSystem: r.optBoolean("may_alter_system"),
		})
		return nil
	}
}

// extensionsStatement reads which extensions are there; what is not on the server
// gives no row of pg_available_extensions.
func extensionsStatement() *statement {
	return &statement{
		part: "extensions",
		when: inACheck,
		sql: timed(`
select w.name, a.name is not null as available, a.installed_version is not null as installed
from pg_catalog.unnest(array[`+quoted(checkExtensions)+`]) w(name)
     left join pg_catalog.pg_available_extensions a on a.name = w.name`) + `
order by r.name`,
	}
}

func decodeExtension(extensions *[]model.CheckExtension) func(row) error {
	return func(r row) error {
		*extensions = append(*extensions, model.CheckExtension{
			Name: r.text("name").Or(""), Available: r.boolean("available"), Installed: r.boolean("installed"),
		})
		return nil
	}
}

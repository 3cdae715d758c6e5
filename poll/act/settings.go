package act

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

// Settings reads all settings of this version that govern vacuums, as a new session
// of this role has them, by name.
func (g *Gate) Settings(ctx context.Context, config *poll.Config) ([]model.SettingInfo, error) {
	var out []model.SettingInfo
	err := g.reading(ctx, config, func(ctx context.Context, conn *pgconn.PgConn) error {
		version, err := versionOf(ctx, conn)
		if err != nil {
			return err
		}
		rows, err := query(ctx, conn, `
select s.name, s.setting, coalesce(s.unit, ''), s.source, coalesce(s.boot_val, ''), coalesce(s.min_val, ''), coalesce(s.max_val, ''),
       case when s.vartype = 'bool' then 'on,off' else coalesce(pg_catalog.array_to_string(s.enumvals, ','), '') end,
       s.context, s.short_desc, s.pending_restart, `+mayAlterSystem(version)+`,
       `+mayReload+`,
       coalesce(pg_catalog.current_setting('allow_alter_system', true), 'on')
from pg_catalog.pg_settings s
where s.name like '%vacuum%' or s.name in (
  'maintenance_work_mem', 'max_parallel_maintenance_workers', 'max_parallel_workers', 'max_worker_processes',
  'min_parallel_index_scan_size', 'track_cost_delay_timing', 'track_io_timing', 'maintenance_io_concurrency',
  'deadlock_timeout', 'log_lock_waits')
order by s.name`)
		if err != nil {
			return fmt.Errorf("read the settings: %w", err)
		}
		for _, r := range rows {
			out = append(out, settingInfo(r))
		}
		return nil
	})
	return out, err
}

// mayAlterSystem is, of a pg_settings row s, whether this role may change it for the
// whole server. Before 15 that is for superusers alone.
func mayAlterSystem(version int) string {
	if version < 150000 {
		return "(select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user)"
	}
	return "pg_catalog.has_parameter_privilege(s.name, 'alter system')"
}

// mayReload is whether this role may have the server read its configuration anew.
const mayReload = "pg_catalog.has_function_privilege('pg_catalog.pg_reload_conf()', 'execute')"

// settingOf is a row of pg_settings; a setting that is a plain number or a word has
// the unit "".
func settingOf(name, value, unit, source string) model.Setting {
	return model.Setting{Name: name, Setting: model.Text(value), Unit: some(unit), Source: model.Text(source)}
}

// some is a value that "" stands for the absence of.
func some(v string) model.Opt[string] {
	if v == "" {
		return model.None[string]()
	}
	return model.Some(v)
}

func settingInfo(r []string) model.SettingInfo {
	s := model.SettingInfo{
		Setting: settingOf(r[0], r[1], r[2], r[3]),
		Default: some(r[4]), Min: some(r[5]), Max: some(r[6]), Context: r[8], What: model.Text(r[9]), PendingRestart: r[10] == "t",
	}
	switch {
	case r[13] == "off":
		s.NoAlterSystem = alterSystemOff
	case r[11] != "t":
		s.NoAlterSystem = noAlterSystem(s.Name)
	case r[12] != "t":
		s.NoAlterSystem = noReload
	}
	if r[7] != "" {
		for word := range strings.SplitSeq(r[7], ",") {
			s.Words = append(s.Words, model.Text(word))
		}
	}
	return s
}

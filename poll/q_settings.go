package poll

import "example.com/vacscope/model"

// settingsStatement reads the settings that govern vacuums, as this session sees
// them: another session's SET, ALTER ROLE or ALTER DATABASE does not show. Those
// that the server's version lacks give no row; so do those that the role may not
// see. pg_settings builds every setting on each scan (0.4 ms), so it is read only
// every few seconds and after a reload.
func settingsStatement() *statement {
	return &statement{
		part: "settings",
		name: "vacscope_settings",
		when: nowAndThen,
		sql: timed(`
select s.name, s.setting, s.unit, s.source
from pg_catalog.pg_settings s
where s.name in (
  'vacuum_cost_delay', 'vacuum_cost_limit', 'vacuum_cost_page_hit', 'vacuum_cost_page_miss', 'vacuum_cost_page_dirty',
  'autovacuum', 'autovacuum_naptime', 'autovacuum_max_workers', 'autovacuum_worker_slots',
  'autovacuum_vacuum_cost_delay', 'autovacuum_vacuum_cost_limit', 'autovacuum_max_parallel_workers', 'autovacuum_work_mem',
  'maintenance_work_mem', 'max_parallel_maintenance_workers', 'max_parallel_workers', 'max_worker_processes',
  'min_parallel_index_scan_size', 'vacuum_buffer_usage_limit', 'track_cost_delay_timing', 'track_io_timing',
  'track_activities', 'track_counts', 'track_activity_query_size', 'shared_buffers', 'checkpoint_timeout', 'deadlock_timeout', 'allow_alter_system',
  'autovacuum_vacuum_threshold', 'autovacuum_vacuum_scale_factor', 'autovacuum_vacuum_max_threshold',
  'autovacuum_vacuum_insert_threshold', 'autovacuum_vacuum_insert_scale_factor',
  'autovacuum_analyze_threshold', 'autovacuum_analyze_scale_factor',
  'autovacuum_freeze_max_age', 'autovacuum_multixact_freeze_max_age', 'vacuum_failsafe_age', 'vacuum_multixact_failsafe_age')`) + `
order by r.name`,
	}
}

func decodeSetting(settings *[]model.Setting) func(row) error {
	return func(r row) error {
		s := model.Setting{
			Name:    r.string("name"),
			Setting: r.text("setting").Or(""),
			Source:  r.text("source").Or(""),
		}
		if unit := r.string("unit"); unit != "" {
			s.Unit = model.Some(unit)
		}
		*settings = append(*settings, s)
		return nil
	}
}

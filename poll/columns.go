package poll

import (
	"strings"

	"example.com/vacscope/model"
)

// columnsStatement lists the columns of the views that differ between versions,
// from the catalog, for every role, and whether this role may read the view. What
// is there decides what is read, so that no version number is asked.
func columnsStatement() *statement {
	return &statement{
		part: "columns of the system views",
		when: onConnecting,
		sql: timed(`
select c.relname, a.attname, pg_catalog.has_table_privilege(c.oid, 'select') as allowed
from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join pg_catalog.pg_attribute a on a.attrelid = c.oid
where n.nspname = 'pg_catalog' and a.attnum > 0 and not a.attisdropped
  and c.relname in ('pg_class', 'pg_locks', 'pg_stat_lock', 'pg_stat_progress_vacuum', 'pg_stat_progress_analyze',
                    'pg_stat_progress_cluster', 'pg_stat_progress_repack', 'pg_stat_all_tables', 'pg_stat_autovacuum_scores',
                    'pg_config', 'pg_prepared_xacts', 'pg_stat_io')`),
	}
}

// optionalFunctions are those that a statement can do without: what they give is
// then absent. A server's owner can revoke them, and a statement that names a
// refused function fails as a whole.
var optionalFunctions = [...]string{
	"pg_is_in_recovery()", "pg_postmaster_start_time()", "pg_conf_load_time()", "pg_blocking_pids(int4)",
	"pg_current_wal_insert_lsn()",
}

// configFunction stands behind the view pg_config, which few roles may read.
const configFunction = "pg_config()"

// functionsStatement tells which of optionalFunctions, and configFunction, this role
// may call.
func functionsStatement() *statement {
	return &statement{
		part: "rights on functions",
		when: onConnecting,
		sql: timed(`
select f.signature, pg_catalog.has_function_privilege('pg_catalog.' || f.signature, 'execute') as allowed
from (values ('` + strings.Join(append(optionalFunctions[:], configFunction), "'), ('") + `')) f (signature)`),
	}
}

// columns are what the server's views have, and what this role may not use.
type columns struct {
	of      map[string]map[string]bool // view -> column
	refused map[string]bool            // views and optionalFunctions
}

func newColumns() columns {
	return columns{of: map[string]map[string]bool{}, refused: map[string]bool{}}
}

// columnsOf is what a version has; for a server whose catalog may not be read.
func columnsOf(versionNum int) columns {
	c := newColumns()
	for _, known := range []struct {
		since        int
		view, column string
	}{
		{0, "pg_stat_progress_cluster", "phase"},
		{0, "pg_config", "setting"},
		{140000, "pg_locks", "waitstart"},
		{160000, ioView, "reads"},
		{170000, "pg_stat_progress_vacuum", "indexes_processed"},
		{180000, "pg_stat_progress_vacuum", "delay_time"},
		{180000, "pg_class", "relallfrozen"},
		{180000, "pg_stat_all_tables", "total_vacuum_time"},
		{180000, "pg_stat_all_tables", "total_autovacuum_time"},
		{180000, ioView, "read_bytes"},
		{190000, "pg_stat_progress_repack", "phase"},
		{190000, "pg_stat_lock", "waits"},
		{190000, scoresView, "score"},
	} {
		if versionNum >= known.since {
			c.addColumn(known.view, known.column)
		}
	}
	return c
}

func (c columns) addColumn(view, column string) {
	if c.of[view] == nil {
		c.of[view] = map[string]bool{}
	}
	c.of[view][column] = true
}

// add takes a row of columnsStatement.
func (c columns) add(r row) error {
	view := r.string("relname")
	c.addColumn(view, r.string("attname"))
	if !r.boolean("allowed") {
		c.refused[view] = true
	}
	return nil
}

// addFunction takes a row of functionsStatement.
func (c columns) addFunction(r row) error {
	if !r.boolean("allowed") {
		c.refused[r.string("signature")] = true
	}
	return nil
}

// has tells whether the view has the column.
func (c columns) has(view, column string) bool { return c.of[view][column] }

// hasView tells whether the server has the view.
func (c columns) hasView(view string) bool { return len(c.of[view]) > 0 }

// mayRead tells whether this role may read the view, as far as is known.
func (c columns) mayRead(view string) bool { return !c.refused[view] }

// rewriteView is the view of VACUUM FULL, CLUSTER and REPACK, and what it is called
// in model: on 19 the cluster view is a copy of repack's, and only one is read.
func (c columns) rewriteView() (name, view string) {
	if c.hasView("pg_stat_progress_repack") {
		return model.ViewRepack, "pg_stat_progress_repack"
	}
	return model.ViewCluster, "pg_stat_progress_cluster"
}

// orNull returns the column where the view has it, else a NULL of the type.
func (c columns) orNull(view, alias, column, sqlType string) string {
	if c.has(view, column) {
		return alias + "." + column
	}
	return "null::pg_catalog." + sqlType
}

// callOrNull returns the call where this role may make it, else a NULL of the
// type. The call's name and signature are one of optionalFunctions.
func (c columns) callOrNull(signature, call, sqlType string) string {
	if c.refused[signature] {
		return "null::pg_catalog." + sqlType
	}
	return "pg_catalog." + call
}

// problems lists what this role may not use, which is left out of the statements.
func (c columns) problems() []model.Problem {
	var out []model.Problem
	add := func(what, name string) {
		if c.refused[name] {
			out = append(out, model.Problem{Part: what + " " + name, SQLState: insufficientPrivilege, Message: "permission denied"})
		}
	}
	for _, name := range optionalFunctions {
		add("function", name)
	}
	_, rewrites := c.rewriteView()
	for _, name := range []string{"pg_stat_progress_vacuum", rewrites, "pg_stat_progress_analyze"} {
		add("view", name)
	}
	return out
}

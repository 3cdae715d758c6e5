package poll

import "example.com/vacscope/model"

// columnsStatement lists the columns of the views that differ between versions,
// from the catalog, for every role. What is there decides what is read, so that
// no version number is asked.
func columnsStatement() *statement {
	return &statement{
		part: "columns of the system views",
		sql: timed(`
select c.relname, a.attname
from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join pg_catalog.pg_attribute a on a.attrelid = c.oid
where n.nspname = 'pg_catalog' and a.attnum > 0 and not a.attisdropped
  and c.relname in ('pg_class', 'pg_stat_progress_vacuum', 'pg_stat_progress_repack', 'pg_locks')`),
	}
}

// columns are the columns that the server's views have.
type columns map[string]map[string]bool // view -> column

func (c columns) add(r row) error {
	view, column := r.string("relname"), r.string("attname")
	if c[view] == nil {
		c[view] = map[string]bool{}
	}
	c[view][column] = true
	return nil
}

// hasView tells whether the server has the view.
func (c columns) hasView(view string) bool { return len(c[view]) > 0 }

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
	if c[view][column] {
		return alias + "." + column
	}
	return "null::pg_catalog." + sqlType
}

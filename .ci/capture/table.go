package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// kind is one run: the table, how it is vacuumed, and what others do meanwhile.
type kind struct {
	name     string   // FAMILY-WHICH; runs are measured by family
	rows     int      // 600,000
	pad      int      // 100 characters in each row that no index has
	indexes  int      // columns with an index each
	more     []string // statements after the table is filled
	server   []string // settings of the server
	settings []string // of the session that vacuums
	options  string   // of its VACUUM
	// auto are the statements that make autovacuum take the table; nil: a VACUUM is run.
	auto []string
	// middle are statements of another session, after the vacuum has been seen at work
	// for so long.
	middle   []string
	after    time.Duration
	interval time.Duration // from beat to beat; 1 s
}

// statements make the table and set the session up.
func (k kind) statements(major int) []string {
	rows := cmp.Or(k.rows, 600_000)
	columns, values := "", ""
	for i := range k.indexes {
		columns += fmt.Sprintf(", a%d int", i)
		values += fmt.Sprintf(", (g * %d::bigint %% %d)::int", 104729+2*i, rows)
	}
	out := []string{
		"create table t (id int" + columns + ", pad text) with (autovacuum_enabled = off)",
		fmt.Sprintf("insert into t select g%s, repeat('x', %d) from generate_series(1, %d) g", values, cmp.Or(k.pad, 100), rows),
	}
	for i := range k.indexes {
		out = append(out, fmt.Sprintf("create index on t (a%d)", i))
	}
	out = append(out, k.more...)
	out = append(out, "checkpoint")
	for _, s := range k.settings {
		name, value, _ := strings.Cut(s, "=")
		out = append(out, fmt.Sprintf("set %s = '%s'", name, value))
	}
	if major >= 18 && !strings.HasSuffix(k.name, "b") && k.auto == nil {
		out = append(out, "set track_cost_delay_timing = on")
	}
	return out
}

func cost(delay, limit int) []string {
	return []string{fmt.Sprintf("vacuum_cost_delay=%d", delay), fmt.Sprintf("vacuum_cost_limit=%d", limit)}
}

// remove deletes the rows of a condition.
func remove(condition string) []string { return []string{"delete from t where " + condition} }

// frozen makes all pages but those of a condition all-visible and all-frozen.
func frozen(condition string) []string {
	return append([]string{"vacuum (freeze) t"}, remove(condition)...)
}

// visible makes all pages but those of a condition all-visible, not frozen.
func visible(condition string) []string {
	return append([]string{"vacuum (index_cleanup off) t"}, remove(condition)...)
}

// cold pushes the table out of shared buffers of the default size.
func cold() []string {
	return []string{
		"create table filler (pad text) with (autovacuum_enabled = off)", "alter table filler alter pad set storage plain",
		"insert into filler select repeat('x', 7500) from generate_series(1, 40000)", "select count(*) from filler",
	}
}

// age uses so many transaction ids up.
func age(ids int) string {
	return fmt.Sprintf("do $$ begin for i in 1..%d loop perform txid_current(); commit; end loop; end $$", ids)
}

// pinned keeps a page of the table in use until a vacuum has waited for it for so
// many seconds.
func pinned(row int, seconds int) []string {
	return []string{
		"begin", fmt.Sprintf("declare c cursor for select id from t offset %d", row), "fetch 1 from c",
		`do $$ begin
			while not exists (select from pg_stat_activity where wait_event_type = 'BufferPin' or wait_event = 'BufferCleanup') loop
				perform pg_sleep(0.05), pg_stat_clear_snapshot();
			end loop;
		end $$`,
		fmt.Sprintf("select pg_sleep(%d)", seconds), "commit",
	}
}

// autovacuumed is what makes autovacuum take the table, and only that; without an
// ANALYZE if not asked for.
func autovacuumed(options string) []string {
	return []string{"alter table t set (autovacuum_enabled = on, autovacuum_vacuum_scale_factor = 0.01" + options + ")"}
}

const noAnalyze = ", autovacuum_analyze_threshold = 2000000000"

// autovacuum is on, as it is by default but for its naps.
var autovacuum = []string{"autovacuum=on", "autovacuum_naptime=1s"}

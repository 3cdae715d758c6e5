package poll

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/vacscope/model"
)

// maxBlocked is for how many waiting processes a beat asks who blocks them:
// pg_blocking_pids holds up the lock manager for a moment each time.
const maxBlocked = 50

// maxQuery is how many characters of a query's text are kept.
const maxQuery = 1000

// activityStatement reads every process that matters to vacuums, with its
// progress row, in one statement (two would race). The rows are:
//
//   - processes with a row in a progress view: vacuum, cluster (13-18) or repack
//     (19, where the cluster view is a copy of it), analyze; and those whose
//     leader has one
//   - autovacuum workers, also without progress (starting, between tables)
//   - processes that wait for a heavyweight lock
//   - those that block one of them, whatever they do
//   - active ones whose text begins with VACUUM, CLUSTER or REPACK: a VACUUM that
//     waits for its table lock has no progress row
//
// Text columns are taken bare: from 14 on left(), lower() or || raise 22021 when
// a session of a database in another encoding holds bytes that are not valid
// here, and the whole statement is lost.
//
// progress is the view's row as jsonb without pid, datid, datname and relid, so
// that columns of later versions come along. For a role without pg_read_all_stats
// the rows of other roles are there with pid, database and role only.
//
// blocked_by is NULL for processes that do not wait for a Lock, and beyond the
// first maxBlocked of them (vacuums first, then the longest statements).
func activityStatement(c columns) *statement {
	return &statement{
		part: "progress and activity",
		name: "vacscope_activity",
		when: eachBeat,
		sql: timed(`
with progress as materialized (
`+progressRows(c)+`), processes as materialized (
  select a.pid, a.leader_pid, a.datid, a.datname, a.usename, a.application_name, pg_catalog.host(a.client_addr) as client_addr,
         a.backend_type, a.state, a.wait_event_type, a.wait_event, a.backend_start, a.xact_start, a.query_start, a.query,
         p.view, p.relid, p.progress - '{pid,datid,datname,relid}'::pg_catalog.text[] as progress,
         a.state = 'active' and a.query ~* '^\s*(vacuum|cluster|repack)\y' as vacuums
  from pg_catalog.pg_stat_activity a left join progress p on p.pid = a.pid
  where a.pid <> pg_catalog.pg_backend_pid()
), blocked as materialized (
  select w.pid, `+c.callOrNull("pg_blocking_pids(int4)", "pg_blocking_pids(w.pid)", "int4[]")+` as blocked_by
  from (select b.pid from processes b where b.wait_event_type = 'Lock'
        order by b.view is not null or b.vacuums desc, b.query_start, b.pid limit `+strconv.Itoa(maxBlocked)+`) w
)
select a.*, b.blocked_by
from processes a left join blocked b on b.pid = a.pid
where a.view is not null
   or a.leader_pid in (select p.pid from progress p)
   or a.backend_type = 'autovacuum worker'
   or a.wait_event_type = 'Lock'
   or a.vacuums
   or a.pid in (select pg_catalog.unnest(w.blocked_by) from blocked w)`) + `
order by coalesce(r.leader_pid, r.pid), r.leader_pid nulls first, r.pid`,
	}
}

// progressRows selects the rows of the progress views that this role may read.
func progressRows(c columns) string {
	rewrite, rewriteView := c.rewriteView()
	var selects []string
	for _, v := range []struct{ name, view string }{
		{model.ViewVacuum, "pg_stat_progress_vacuum"}, {rewrite, rewriteView}, {model.ViewAnalyze, "pg_stat_progress_analyze"},
	} {
		if c.mayRead(v.view) {
			selects = append(selects, "  select '"+v.name+"' as view, v.pid, v.relid, pg_catalog.to_jsonb(v) as progress from pg_catalog."+v.view+" v\n")
		}
	}
	if len(selects) == 0 {
		return "  select null as view, 0 as pid, null::pg_catalog.oid as relid, null::pg_catalog.jsonb as progress where false\n"
	}
	return strings.Join(selects, "  union all\n")
}

// masked is the text that stands for a query which the role may not see.
const masked = "<insufficient privilege>"

func decodeProcess(processes *[]model.Process) func(row) error {
	return func(r row) error {
		p := model.Process{
			PID:             r.int32("pid").Or(0),
			LeaderPID:       r.int32("leader_pid"),
			DatID:           r.oid("datid"),
			Database:        r.text("datname"),
			Role:            r.text("usename"),
			ApplicationName: r.text("application_name"),
			ClientAddr:      r.text("client_addr"),
			BackendType:     r.text("backend_type"),
			State:           r.text("state"),
			Wait:            decodeWait(r),
			BackendStart:    r.time("backend_start"),
			XactStart:       r.time("xact_start"),
			StatementStart:  r.time("query_start"),
			Query:           cutQuery(r.text("query")),
			BlockedBy:       distinct(r.int32s("blocked_by")),
		}
		if p.Query.Or("") == masked && !p.BackendType.Known() {
			p.Masked, p.Query = true, model.None[model.Text]()
		}
		var err error
		if view := r.string("view"); view != "" {
			p.Progress, err = decodeProgress(view, r.oid("relid").Or(0), r.json("progress"))
		}
		*processes = append(*processes, p)
		return err
	}
}

// cutQuery cuts a text to maxQuery characters, where a byte that is not UTF-8
// counts as one, and before a password.
func cutQuery(query model.Opt[model.Text]) model.Opt[model.Text] {
	text, ok := query.Get()
	if !ok {
		return query
	}
	if at := secret.FindStringIndex(string(text)); at != nil {
		text = text[:at[1]] + " ..."
	}
	end := 0
	for range maxQuery {
		if end == len(text) {
			break
		}
		_, size := utf8.DecodeRuneInString(string(text[end:]))
		end += size
	}
	return model.Some(text[:end])
}

// secret finds where a secret may begin in a statement: behind the word PASSWORD
// (of a role, or in a connection string) and the scheme of a connection URI.
var secret = regexp.MustCompile(`(?i)\bpassword\b|\bpostgres(ql)?://`)

// distinct drops repeated pids and keeps the order: a session blocked by a
// parallel vacuum gets its leader once per process.
func distinct(pids []int32) []int32 {
	if pids == nil {
		return nil
	}
	out := []int32{}
	for _, pid := range pids {
		if !slices.Contains(out, pid) {
			out = append(out, pid)
		}
	}
	return out
}

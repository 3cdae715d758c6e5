package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// object is a JSON object.
type object map[string]any

// list is the objects of one of the document's lists.
func (o object) list(key string) []object {
	var objects []object
	for _, v := range o[key].([]any) {
		objects = append(objects, v.(map[string]any))
	}
	return objects
}

// snapshotOf runs vacscope snapshot --json and returns the document.
func snapshotOf(t *testing.T, path, target string) object {
	t.Helper()
	return decode(t, outputOf(t, exec.Command(path, "snapshot", "--json", target)))
}

func outputOf(t *testing.T, command *exec.Cmd) []byte {
	t.Helper()
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %v: %s", command.Args[1:], err, stderr.String())
	}
	return out
}

func decode(t *testing.T, text []byte) object {
	t.Helper()
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	return o
}

// catalogRow is one row of a query, as the server turns it into JSON; nil when
// there is none.
func catalogRow(t *testing.T, s *pgtest.Server, from string, args ...any) object {
	t.Helper()
	rows := catalogRows(t, s, from, args...)
	if len(rows) == 0 {
		return nil
	}
	return rows[0]
}

func catalogRows(t *testing.T, s *pgtest.Server, from string, args ...any) []object {
	t.Helper()
	rows, err := s.Conn(t).Query(t.Context(), "select to_jsonb(q)::text from ("+from+") q", args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var objects []object
	for rows.Next() {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, decode(t, text))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return objects
}

// progressColumns are the columns of pg_stat_progress_vacuum that the document
// names itself; those that have another name there are renamed.
var (
	progressColumns = []string{
		"pid", "datid", "relid", "phase", "heap_blks_total", "heap_blks_scanned", "heap_blks_vacuumed", "index_vacuum_count", "indexes_total",
		"indexes_processed", "max_dead_tuple_bytes", "dead_tuple_bytes", "num_dead_item_ids", "max_dead_tuples", "num_dead_tuples", "mode",
	}
	renamedColumns = map[string]string{"datname": "database", "delay_time": "delay_ms"}
)

const progressOf = "select * from pg_stat_progress_vacuum where pid = $1"

// While a vacuum stands still, the document says what the catalog says: every
// column of the server's version, and null for those of other versions.
func TestSnapshotIsWhatTheCatalogSays(t *testing.T) {
	path := program(t)
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := stillVacuum(t, s, "still")
		before := catalogRow(t, s, progressOf, v.PID)
		document := snapshotOf(t, path, s.ConnString())
		after := catalogRow(t, s, progressOf, v.PID)
		if !maps.Equal(before, after) {
			t.Fatalf("the vacuum does not stand still: %v, then %v", before, after)
		}
		vacuum := only(t, document, v.PID)
		for column, value := range before {
			requireColumn(t, vacuum, column, value)
		}
		for _, key := range append(slices.Collect(maps.Values(renamedColumns)), progressColumns...) {
			column := key
			for c, k := range renamedColumns {
				if k == key {
					column = c
				}
			}
			if _, has := before[column]; !has && vacuum[key] != nil {
				t.Errorf("%s is %v, and this server has no such column", key, vacuum[key])
			}
		}
		requireFields(t, vacuum, object{
			"state": "running", "command": "VACUUM", "schema": "public", "table": "still", "toast_of": nil,
			"started_by": "manual", "started_by_source": sourceOn(s, 19, "server", "inferred"),
			"delay_source": sourceOn(s, 18, "server", "absent"), "unknown_columns": map[string]any{},
		})
		requireProcesses(t, s, vacuum, v.PID)
		requireServer(t, s, document)
		requireSettings(t, s, document)
	})
}

// stillVacuum is a vacuum that has slept a little and then stands still in front of
// a page in the middle of the table, which a cursor holds.
func stillVacuum(t *testing.T, s *pgtest.Server, table string) *pgtest.Vacuum {
	t.Helper()
	s.MakeTable(t, pgtest.Table{Name: table})
	holder := s.Conn(t)
	for _, statement := range []string{"begin", "declare held cursor for select * from " + table + " where id > 20000", "fetch 1 from held"} {
		if _, err := holder.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	settings := []string{"vacuum_cost_delay=1ms", "vacuum_cost_limit=100"}
	if s.Major >= 18 {
		settings = append(settings, "track_cost_delay_timing=on")
	}
	return s.Vacuum(t, table, "(freeze)", settings...).Waiting(t, "BufferPin", "Buffer")
}

// A vacuum that waits for its table lock has no progress row; the document has it
// from pg_stat_activity and says who is in its way.
func TestSnapshotOfAWaitingVacuum(t *testing.T) {
	path := program(t)
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "locked", Rows: 100})
		s.LockHold(t, "locked", "share")
		v := s.Vacuum(t, "locked", "").Waiting(t, "Lock")
		const waits = `select l.pid, l.locktype, l.mode, l.relation::bigint as relid, current_database() as database, pg_blocking_pids(l.pid) as blocked_by
			from pg_locks l where l.pid = $1 and not l.granted`
		catalog := catalogRow(t, s, waits, v.PID)
		document := snapshotOf(t, path, s.ConnString())
		if after := catalogRow(t, s, waits, v.PID); fmt.Sprint(after) != fmt.Sprint(catalog) {
			t.Fatalf("the wait is not the same: %v, then %v", catalog, after)
		}

		vacuum := only(t, document, v.PID)
		requireFields(t, vacuum, object{
			"state": "waiting_for_lock", "command": "VACUUM", "schema": "public", "table": "locked", "relid": catalog["relid"], "phase": nil,
			"delay_ms": nil, "delay_source": "absent", "started_by": "manual",
		})
		for _, column := range progressColumns {
			if column != "pid" && column != "datid" && column != "relid" && vacuum[column] != nil {
				t.Errorf("%s is %v for a vacuum without a progress row", column, vacuum[column])
			}
		}
		requireProcesses(t, s, vacuum, v.PID)

		lockWaits := document.list("lock_waits")
		if len(lockWaits) != 1 {
			t.Fatalf("lock waits: %v", lockWaits)
		}
		requireFields(t, lockWaits[0], catalog)
		requireFields(t, lockWaits[0], object{"relation": "public.locked"})
		if ms, exact := lockWaits[0]["waited_ms"].(float64); exact != (s.Major >= 14) || ms < 0 {
			t.Errorf("waited_ms is %v", lockWaits[0]["waited_ms"])
		}
	})
}

// A leader's parallel workers are listed behind it.
func TestSnapshotOfAParallelVacuum(t *testing.T) {
	path := program(t)
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "parallel", Indexes: 3})
		v := s.Vacuum(t, "parallel", "(parallel 2)", "min_parallel_index_scan_size=0", "vacuum_cost_delay=20ms", "vacuum_cost_limit=60")
		v.Phase(t, "vacuuming indexes")
		const processes = `select pid, case when leader_pid is null then 'leader' else 'worker' end as role
			from pg_stat_activity where pid = $1 or leader_pid = $1 order by leader_pid nulls first, pid`
		pgtest.Eventually(t, "two workers", func() bool { return len(catalogRows(t, s, processes, v.PID)) == 3 })
		before := catalogRows(t, s, processes, v.PID)
		got := only(t, snapshotOf(t, path, s.ConnString()), v.PID).list("processes")
		if after := catalogRows(t, s, processes, v.PID); fmt.Sprint(before) != fmt.Sprint(after) {
			t.Fatalf("the processes do not stay: %v, then %v", before, after)
		}
		for i, process := range got {
			got[i] = object{"pid": process["pid"], "role": process["role"]}
		}
		if fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("processes are %v, and the catalog says %v", got, before)
		}
	})
}

// A role without pg_read_all_stats learns that there is a vacuum, and no more.
func TestSnapshotAsAPlainRole(t *testing.T) {
	path := program(t)
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Role(t, "plain")
		s.Role(t, "monitor", "pg_monitor")
		v := stillVacuum(t, s, "still")
		hidden := only(t, snapshotOf(t, path, s.ConnStringFor("plain", "postgres")), v.PID)
		requireFields(t, hidden, object{"state": "hidden", "database": "postgres"})
		for _, key := range []string{"relid", "schema", "table", "phase", "heap_blks_total", "backend_start", "statement_start", "started_by", "delay_ms"} {
			if hidden[key] != nil {
				t.Errorf("%s is %v for a role that may not see it", key, hidden[key])
			}
		}
		seen := only(t, snapshotOf(t, path, s.ConnStringFor("monitor", "postgres")), v.PID)
		requireFields(t, seen, object{"state": "running", "table": "still", "phase": "scanning heap"})
		text := string(outputOf(t, exec.Command(path, "snapshot", s.ConnStringFor("plain", "postgres"))))
		if !strings.Contains(text, "1 vacuum runs that this role may not see: GRANT pg_monitor TO plain") {
			t.Errorf("the text does not say what is hidden:\n%s", text)
		}
	})
}

// The stream has one whole document on each line.
func TestSnapshotWatchWritesALinePerBeat(t *testing.T) {
	s := pgtest.Shared(t, 18)
	command := exec.Command(program(t), "snapshot", "--watch", "--interval", "100ms", s.ConnString())
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	decoder := json.NewDecoder(out)
	last := ""
	for range 3 {
		var document object
		if err := decoder.Decode(&document); err != nil {
			t.Fatal(err)
		}
		now := document["server_now"].(string)
		if document["format"] != "vacscope.snapshot" || now <= last {
			t.Errorf("document at %s after %s: %v", now, last, document["format"])
		}
		last = now
	}
}

// A refused connection says in one line what can be tried.
func TestRefusedConnectionSaysWhatToTry(t *testing.T) {
	s, path := pgtest.Shared(t, 18), program(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-h", s.SocketDir, "-U", "postgres", "snapshto"}, `database "snapshto" does not exist (SQLSTATE 3D000) (did you mean the command snapshot?)`},
		{[]string{"-h", s.SocketDir, "-U", "postgres", "shop"}, `database "shop" does not exist (SQLSTATE 3D000); -d or the first argument names the database`},
		{[]string{"-h", s.SocketDir, "-U", "nobody here", "postgres"}, `role "nobody here" does not exist (SQLSTATE 28000); -U names the role`},
	} {
		out, err := exec.Command(path, append([]string{"snapshot"}, c.args...)...).CombinedOutput()
		var failed *exec.ExitError
		if !errors.As(err, &failed) || failed.ExitCode() != 1 || !strings.Contains(string(out), c.want) || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%v: %v, %s", c.args, err, out)
		}
	}
}

// only is the document's one vacuum, which must be of that process.
func only(t *testing.T, document object, pid int32) object {
	t.Helper()
	vacuums := document.list("vacuums")
	if len(vacuums) != 1 || vacuums[0]["pid"] != float64(pid) {
		t.Fatalf("want the vacuum of %d alone, got %v", pid, vacuums)
	}
	if problems := document["problems"].([]any); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	return vacuums[0]
}

// requireColumn compares one column of the progress view.
func requireColumn(t *testing.T, vacuum object, column string, value any) {
	t.Helper()
	key := column
	if renamed, is := renamedColumns[column]; is {
		key = renamed
	}
	got, has := vacuum[key]
	if !has {
		got = vacuum["unknown_columns"].(map[string]any)[column]
	}
	if fmt.Sprint(got) != fmt.Sprint(value) { // the server's JSON has oids in quotes
		t.Errorf("%s is %v, and the catalog says %v", key, got, value)
	}
}

func requireFields(t *testing.T, got, want object) {
	t.Helper()
	for key, value := range want {
		if fmt.Sprint(got[key]) != fmt.Sprint(value) {
			t.Errorf("%s is %v, want %v", key, got[key], value)
		}
	}
}

func sourceOn(s *pgtest.Server, since int, from, before string) string {
	if s.Major >= since {
		return from
	}
	return before
}

// microseconds writes a time of the server as the document does.
const microseconds = `to_char(%s at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

// requireProcesses compares the processes of a vacuum with pg_stat_activity.
func requireProcesses(t *testing.T, s *pgtest.Server, vacuum object, leader int32) {
	t.Helper()
	want := catalogRows(t, s, `select pid, case when leader_pid is null then 'leader' else 'worker' end as role, wait_event_type, wait_event,
		`+fmt.Sprintf(microseconds, "backend_start")+` as backend_start
		from pg_stat_activity where pid = $1 or leader_pid = $1 order by leader_pid nulls first, pid`, leader)
	if got := vacuum.list("processes"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("processes are %v, and the catalog says %v", got, want)
	}
}

// requireServer compares what the document says of the server itself.
func requireServer(t *testing.T, s *pgtest.Server, document object) {
	t.Helper()
	want := catalogRow(t, s, `select current_setting('server_version_num')::int as version_num, current_setting('server_version') as version,
		(select system_identifier::text from pg_control_system()) as system_identifier, pg_is_in_recovery() as in_recovery,
		`+fmt.Sprintf(microseconds, "pg_postmaster_start_time()")+` as started_at, `+fmt.Sprintf(microseconds, "pg_conf_load_time()")+` as conf_loaded_at,
		current_database() as database, (select oid::bigint from pg_database where datname = current_database()) as datid,
		current_user as role, current_setting('block_size')::int as block_size, true as role_sees_all,
		current_setting('track_cost_delay_timing', true)::bool as track_cost_delay_timing`)
	requireFields(t, document["server"].(map[string]any), want)
}

// requireSettings compares each setting of the document with pg_settings.
func requireSettings(t *testing.T, s *pgtest.Server, document object) {
	t.Helper()
	settings := document.list("settings")
	if len(settings) == 0 {
		t.Error("there are no settings")
	}
	for _, got := range settings {
		if want := catalogRow(t, s, "select name, setting, unit, source from pg_settings where name = $1", got["name"]); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("setting %v, and the catalog says %v", got, want)
		}
	}
}

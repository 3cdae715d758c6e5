package poll

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// logged is what a server logs of sessions of one application: statements as they
// were sent, and errors.
type logged struct{ statements, errors []string }

var entry = regexp.MustCompile(`(?ms)^@(.*?)@(LOG|ERROR|FATAL|STATEMENT|DETAIL|HINT|CONTEXT):  (.*?)(?:\n@|\z)`)

// readLog reads the log of a server whose log_line_prefix is "@%a@".
func readLog(t *testing.T, s *pgtest.Server, application string) (l logged) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(s.SocketDir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	statement := regexp.MustCompile(`(?s)^(?:statement|execute [^:]*): (.*)$`)
	text := string(b)
	for text != "" {
		at := entry.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		app, severity, message := text[at[2]:at[3]], text[at[4]:at[5]], text[at[6]:at[7]]
		text = text[at[7]:]
		if app != application {
			continue
		}
		if sent := statement.FindStringSubmatch(message); severity == "LOG" && sent != nil {
			l.statements = append(l.statements, plain(sent[1]))
		}
		if severity == "ERROR" || severity == "FATAL" {
			l.errors = append(l.errors, message)
		}
	}
	return l
}

// plain is SQL without its line breaks.
func plain(sql string) string { return strings.Join(strings.Fields(sql), " ") }

// What the server logs of a session is what people are told is sent, and no error
// comes again and again, whatever the role may not do.
func TestTheServersLogHoldsWhatIsToldAndNoRepeatedErrors(t *testing.T) {
	for _, major := range pgtest.Majors {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) { logTold(t, major) })
	}
}

func logTold(t *testing.T, major int) {
	s := pgtest.Start(t, major, "log_statement=all", "log_line_prefix=@%a@", "logging_collector=off")
	s.Role(t, "plain")
	s.Role(t, "limited", "pg_monitor")
	s.MakeTable(t, pgtest.Table{Name: "locked", Rows: 100})
	s.HeldVacuum(t, "held")
	s.LockHold(t, "locked", "share")
	s.Vacuum(t, "locked", "").Waiting(t, "Lock")
	s.Exec(t, "revoke execute on function pg_postmaster_start_time() from public", "revoke select on pg_settings, pg_locks from public")
	for _, role := range []string{"plain", "limited", "postgres"} {
		source := openWith(t, s.ConnStringFor(role, "postgres"), Options{Interval: 100 * time.Millisecond, TickRate: 20, TickRateGiven: true})
		if role == "limited" { // a right that goes while watching
			s.Exec(t, "revoke execute on function pg_conf_load_time() from public")
		}
		ctx, cancel := context.WithCancel(t.Context())
		beats := 0
		if err := source.Run(ctx, func(sample model.Sample) {
			if beats++; beats == 40 {
				cancel()
			}
		}); err != nil {
			t.Fatal(err)
		}
		source.Close()
	}
	known := map[string]bool{}
	for _, st := range Statements(major) {
		known[plain(st.SQL)] = true
	}
	without := columnsOf(major * 10000)
	without.refused["pg_postmaster_start_time()"] = true
	known[plain(statementsFor(without).server.sql)] = true
	without.refused["pg_conf_load_time()"] = true
	known[plain(statementsFor(without).server.sql)] = true
	without.refused["pg_config"] = true
	known[plain(statementsFor(without).about.sql)] = true
	got := readLog(t, s, "vacscope")
	if len(got.statements) < 100 {
		t.Errorf("%d statements are in the log", len(got.statements))
	}
	unknown := slices.Compact(slices.Sorted(slices.Values(slices.DeleteFunc(got.statements, func(sql string) bool { return known[sql] }))))
	for _, sql := range unknown {
		t.Errorf("not in the list: %s", sql)
	}
	times := map[string]int{}
	for _, e := range got.errors {
		times[e]++
	}
	for e, n := range times {
		if n > 4 { // two roles are refused it by two statements, in 40 beats each
			t.Errorf("%d times: %s", n, e)
		}
	}
	if len(times) == 0 {
		t.Errorf("no error is in the log, and rights were taken away")
	}
}

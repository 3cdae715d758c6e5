package main

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// checked is what vacscope check said: the status and what it brings by the key.
type checked struct {
	exit     int
	document object
	status   map[string]string
	brings   map[string]string
}

func checkAs(t *testing.T, path string, s *pgtest.Server, role string) checked {
	t.Helper()
	out, err := exec.Command(path, "check", "--json", s.ConnStringFor(role, "postgres")).Output()
	c := checked{document: decode(t, out), status: map[string]string{}, brings: map[string]string{}}
	if ended, failed := errors.AsType[*exec.ExitError](err); failed {
		c.exit = ended.ExitCode()
		if len(ended.Stderr) > 0 {
			t.Errorf("it writes to standard error: %s", ended.Stderr)
		}
	}
	for _, f := range c.document.list("findings") {
		key := f["key"].(string)
		c.status[key] = f["status"].(string)
		c.brings[key] = fmt.Sprint(f["brings"])
	}
	if problems := c.document.list("problems"); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	return c
}

// want tells which of the findings, "key status", are otherwise.
func (c checked) want(t *testing.T, exit int, findings ...string) {
	t.Helper()
	if c.exit != exit {
		t.Errorf("it exits with %d, want %d", c.exit, exit)
	}
	for _, f := range findings {
		key, status, _ := strings.Cut(f, " ")
		if c.status[key] != status {
			t.Errorf("%s is %q, want %s (%s)", key, c.status[key], status, c.brings[key])
		}
	}
}

// checkMajors are those between which rights differ.
var checkMajors = []int{13, 16, 17, 18, 19}

func eachChecked(t *testing.T, test func(t *testing.T, path string, s *pgtest.Server)) {
	path := program(t)
	for _, major := range checkMajors {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) { test(t, path, pgtest.Shared(t, major)) })
	}
}

// since is a status that holds from a major on, and another before.
func since(s *pgtest.Server, major int, key, status, before string) string {
	if s.Major < major {
		status = before
	}
	return key + " " + status
}

func TestCheckOfASuperuser(t *testing.T) {
	eachChecked(t, func(t *testing.T, path string, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "checked", Rows: 10})
		checkAs(t, path, s, "postgres").want(t, 0, "version ok", "primary ok", "direct ok", "sessions ok", "parallel_workers ok",
			since(s, 14, "wait_starts", "ok", "no"), since(s, 18, "delay_timing", "no", "not_known"), "track_counts ok", "vacuum ok",
			"cancel_others ok", "cancel_superusers ok", "cancel_autovacuum ok", "alter_system ok", "reload ok", "managed_service not_known")
	})
}

// A role without grants is told the one grant for each thing that it cannot do.
func TestCheckOfARoleWithoutGrants(t *testing.T) {
	eachChecked(t, func(t *testing.T, path string, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "checked", Rows: 10})
		s.Role(t, `Plain "role"`)
		c := checkAs(t, path, s, `Plain "role"`)
		c.want(t, 3, "sessions no", "parallel_workers no", "lock_waits ok", "vacuum no", "cancel_own ok", "cancel_others no",
			"cancel_superusers no", "cancel_autovacuum no", "set_cost ok", "alter_system no", "reload no")
		for key, grant := range map[string]string{
			"sessions":      `GRANT pg_monitor TO "Plain ""role""";`,
			"cancel_others": `GRANT pg_signal_backend TO "Plain ""role""";`,
			"reload":        `GRANT EXECUTE ON FUNCTION pg_catalog.pg_reload_conf() TO "Plain ""role""";`,
		} {
			if !strings.Contains(c.brings[key], grant) {
				t.Errorf("%s is brought by %s, want %s", key, c.brings[key], grant)
			}
		}
	})
}

// What a check says brings something does bring it.
func TestWhatACheckNamesBringsIt(t *testing.T) {
	keys := []string{"sessions", "parallel_workers", "cancel_others", "cancel_autovacuum", "vacuum", "alter_system", "reload", "other_databases"}
	eachChecked(t, func(t *testing.T, path string, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "checked", Rows: 10})
		s.Role(t, "wants")
		s.Database(t, "closed", "")
		s.Exec(t, "revoke connect on database closed from public")
		granted := map[string]bool{}
		for _, f := range checkAs(t, path, s, "wants").document.list("findings") {
			for _, b := range f["brings"].([]any) {
				if sql := b.(string); strings.HasPrefix(sql, "GRANT ") && !strings.Contains(sql, "the_") {
					s.Exec(t, sql)
					granted[f["key"].(string)] = true
				}
			}
		}
		after := checkAs(t, path, s, "wants")
		for _, key := range keys {
			if granted[key] && after.status[key] != "ok" && after.status[key] != "partly" {
				t.Errorf("%s is %s after its grants", key, after.status[key])
			}
		}
		after.want(t, 0, "sessions ok", "reload ok", since(s, 18, "cancel_autovacuum", "ok", "no"), since(s, 17, "vacuum", "ok", "no"),
			since(s, 15, "alter_system", "partly", "no"), "other_databases ok")
	})
}

// A membership without its rights shows nothing from 15 on.
func TestCheckOfARoleThatDoesNotInherit(t *testing.T) {
	eachChecked(t, func(t *testing.T, path string, s *pgtest.Server) {
		s.Role(t, "aside")
		s.Exec(t, "alter role aside noinherit", "grant pg_monitor to aside")
		if s.Major < 15 {
			checkAs(t, path, s, "aside").want(t, 0, "sessions ok")
			return
		}
		c := checkAs(t, path, s, "aside")
		c.want(t, 3, "sessions no")
		s.Exec(t, strings.Trim(c.brings["sessions"], "[]"))
		checkAs(t, path, s, "aside").want(t, 0, "sessions ok")
	})
}

func TestCheckOfOwnersAndGrantees(t *testing.T) {
	eachChecked(t, func(t *testing.T, path string, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "mine", Rows: 10})
		s.MakeTable(t, pgtest.Table{Name: "others", Rows: 10})
		s.Role(t, "keeper")
		s.Exec(t, "alter table mine owner to keeper")
		checkAs(t, path, s, "keeper").want(t, 3, "vacuum partly")
		if s.Major >= 17 {
			s.Exec(t, "grant maintain on others to keeper")
			checkAs(t, path, s, "keeper").want(t, 3, "vacuum ok")
		}
		s.Role(t, "dba")
		s.Exec(t, "alter database postgres owner to dba")
		s.AtEnd(t, "alter database postgres owner to postgres")
		checkAs(t, path, s, "dba").want(t, 3, "vacuum ok")
	})
}

// ALTER SYSTEM can be granted for single settings, and forbidden to everybody.
func TestCheckOfAlterSystem(t *testing.T) {
	path := program(t)
	s := pgtest.Shared(t, 16)
	s.Role(t, "tuner")
	s.Exec(t, "grant alter system on parameter vacuum_cost_limit, vacuum_cost_delay to tuner")
	c := checkAs(t, path, s, "tuner")
	c.want(t, 3, "alter_system partly", "reload no")
	for _, major := range []int{17, 19} {
		forbidden := pgtest.Start(t, major, "allow_alter_system=off")
		c := checkAs(t, path, forbidden, "postgres")
		c.want(t, 0, "alter_system no")
		if !strings.Contains(c.brings["alter_system"], "postgresql.conf") || strings.Contains(c.brings["delay_timing"], "ALTER SYSTEM") {
			t.Errorf("it advises %s and %s", c.brings["alter_system"], c.brings["delay_timing"])
		}
	}
}

// A managed service has no superuser to ask; its owner role is not one, and a
// database of the service is closed.
func TestCheckOnAManagedServiceNamesItsOwnWays(t *testing.T) {
	path := program(t)
	s := pgtest.Start(t, 18)
	s.Role(t, "boss", "pg_monitor", "pg_signal_backend")
	s.MakeTable(t, pgtest.Table{Name: "own", Rows: 10})
	s.Exec(t, "alter role boss createdb createrole", "alter table own owner to boss")
	s.Database(t, "rdsadmin", "")
	s.Exec(t, "revoke connect on database rdsadmin from public")
	c := checkAs(t, path, s, "boss")
	c.want(t, 0, "sessions ok", "vacuum ok", "cancel_others ok", "cancel_autovacuum no", "alter_system no", "other_databases no")
	if c.document["managed_service"] != "Amazon RDS or Aurora" || !strings.Contains(c.brings["alter_system"], "parameter group") {
		t.Errorf("service %v, ALTER SYSTEM: %s", c.document["managed_service"], c.brings["alter_system"])
	}
	if strings.Contains(c.brings["other_databases"], "rdsadmin") {
		t.Errorf("a grant on the service's own database is advised: %s", c.brings["other_databases"])
	}
	if log := s.Log(); strings.Contains(log, "rdsadmin\"") && strings.Contains(log, "FATAL") {
		t.Errorf("the service's database was connected to:\n%s", log)
	}
}

// The text has the lines of the document, and fits a terminal but for statements.
func TestCheckAsText(t *testing.T) {
	path, s := program(t), pgtest.Shared(t, 18)
	out := string(outputOf(t, exec.Command(path, "check", s.ConnString())))
	for line := range strings.Lines(out) {
		if len(line) > 81 && !strings.Contains(line, "-> ") && !strings.HasPrefix(line, "PostgreSQL") {
			t.Errorf("a long line: %s", line)
		}
	}
	for _, part := range []string{"\nsees\n", "\ncan do\n", "  ok  other sessions", "  no  delay timing", "ALTER SYSTEM SET track_cost_delay_timing = on"} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in\n%s", part, out)
		}
	}
}

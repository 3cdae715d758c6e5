//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// asFound is all that a change could have left on a server: its settings, the file of
// ALTER SYSTEM, the settings of roles and databases, and the options of tables.
func asFound(t *testing.T, s *pgtest.Server) string {
	t.Helper()
	conn := s.Conn(t)
	var out, folder string
	err := conn.QueryRow(t.Context(), `
select concat_ws(E'\n',
  (select string_agg(concat_ws('=', p.name, p.setting, p.source, p.pending_restart), E'\n' order by p.name) from pg_settings p where p.name <> 'application_name'),
  (select string_agg(r::text, ',' order by r::text) from pg_db_role_setting r),
  (select string_agg(c.relname || c.reloptions::text, ',' order by c.oid) from pg_class c where c.reloptions is not null)),
  current_setting('data_directory')`).Scan(&out, &folder)
	if err != nil {
		t.Fatal(err)
	}
	auto, err := os.ReadFile(filepath.Join(folder, "postgresql.auto.conf"))
	if err != nil {
		t.Fatal(err)
	}
	return out + "\n" + string(auto)
}

// steered is a terminal of 80x24 with the program on a server, its state in a folder.
func steered(t *testing.T, s *pgtest.Server, state string, args ...string) *terminal {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", state)
	x := onTerminal(t, false, exec.Command(program(t), append([]string{s.ConnString()}, args...)...))
	x.waitForText("● live")
	return x
}

// The main paths, on the screen: start a parallel VACUUM, cancel it and run it again
// with ten times the limit, let an autovacuum follow a change of the server's limit, put
// that back, and leave the server as it was found.
func TestSteeringFromTheScreen(t *testing.T) {
	for _, major := range []int{16, 19} {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) { steerFromTheScreen(t, major) })
	}
}

func steerFromTheScreen(t *testing.T, major int) {
	s := pgtest.Start(t, major, "autovacuum=on", "autovacuum_naptime=1s", "autovacuum_vacuum_cost_delay=100ms", "autovacuum_vacuum_cost_limit=1",
		"autovacuum_vacuum_threshold=1000000", "autovacuum_analyze_threshold=1000000", "autovacuum_vacuum_insert_threshold=-1", "min_parallel_index_scan_size=0",
		"max_parallel_maintenance_workers=4")
	s.MakeTable(t, pgtest.Table{Name: "steered", Indexes: 5})
	s.Exec(t, "create table followed with (fillfactor = 50) as select g, repeat('x', 200) as what from generate_series(1, 20000) g",
		"update followed set g = g + 1")
	before := asFound(t, s)
	x := steered(t, s, t.TempDir())

	x.press("v")
	x.waitForText("public.steered")
	x.press("steered\r")
	x.waitForText("VACUUM (VERBOSE)")
	x.press("+++++\x1b[B100ms\x1b[B1")
	x.waitForText("VACUUM (VERBOSE, PARALLEL 4)")
	x.waitForText("4 parallel workers for its indexes at most")
	x.press("\r")
	x.waitForText("vacuums public.steered")
	first := waitForVacuumOf(t, s, "steered")

	x.press("x")
	x.waitForText(fmt.Sprintf("Cancel pid %d?", first))
	x.press("jj\r")
	x.waitForText("VACUUM (VERBOSE, PARALLEL 4)")
	x.waitForText("vacuum_cost_limit = '1'")
	x.press("\x1b[B\x1b[B0")
	x.waitForText("vacuum_cost_limit = '10'")
	x.press("\r")
	x.waitForText("vacuums public.steered")
	second := waitForVacuumOf(t, s, "steered")
	if second == first {
		t.Errorf("pid %d goes on", first)
	}
	x.waitForText("Cost limit 10 at 100 ms")
	x.press("xj\r")
	x.waitForText(fmt.Sprintf("pid %d: cancelled", second))

	s.Exec(t, "alter table followed set (autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0)")
	x.waitForText("public.followed")
	x.waitForText("scanning heap")
	x.press("s")
	x.waitForText("autovacuum_")
	x.press("/m_vacuum_cost_limit\r10000")
	x.waitForText("public.followed will follow")
	x.press("\r")
	x.waitForText("10000 (configuration")
	x.closeDialog("Settings of vacuum")
	x.waitForText("completed") // at the old limit it would take minutes
	x.press("q")
	x.waitForText("Quit, and leave this behind?")
	x.closeDialog("Quit, and leave this behind?")
	x.press("u")
	x.waitForText("Put back")
	x.press("\r")
	x.waitForText("put back: autovacuum_vacuum_cost_limit")
	s.Exec(t, "alter table followed reset (autovacuum_vacuum_threshold, autovacuum_vacuum_scale_factor)")
	x.press("q")
	if got := x.status(); got != 0 {
		t.Errorf("q exits with %d", got)
	}
	x.requireRestored()
	if after := asFound(t, s); after != before {
		t.Errorf("the server is left with\n%s", difference(before, after))
	}
}

// closeDialog presses esc and waits until the dialog with a text is gone: what comes
// at once after esc would be taken for a key with alt.
func (x *terminal) closeDialog(text string) {
	x.t.Helper()
	x.press("\x1b")
	x.waitFor("the end of "+text, func() bool { return !strings.Contains(x.screen.String(), text) })
}

// difference are the lines of b that a does not have.
func difference(a, b string) string {
	var out []string
	for line := range strings.SplitSeq(b, "\n") {
		if !strings.Contains(a, line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// A program that was killed between a change and its undo is followed by one that
// offers to put it back; while it lives, another instance does not.
func TestKilledProgramsChangesAreOfferedByTheNext(t *testing.T) {
	s, state := pgtest.Start(t, 18), t.TempDir()
	before := asFound(t, s)
	x := steered(t, s, state)
	x.press("s")
	x.waitForText("autovacuum_")
	x.press("/m_vacuum_cost_limit\r300\r")
	x.waitForText("300 (configuration")
	other := steered(t, s, state)
	other.press("u")
	other.waitForText("No change stands that was made from here.")
	other.closeDialog("No change stands")
	other.press("q")
	other.status()
	if err := x.program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-x.ended
	next := steered(t, s, state)
	next.waitForText("1 change of an earlier start")
	next.press("u")
	next.waitForText("ALTER SYSTEM RESET autovacuum_vacuum_cost_limit")
	next.press("\r")
	next.waitForText("put back")
	next.press("q")
	next.status()
	if after := asFound(t, s); after != before {
		t.Errorf("the server is left with\n%s", difference(before, after))
	}
	if left, _ := filepath.Glob(filepath.Join(state, "vacscope", "*.changes")); len(left) != 0 {
		t.Errorf("journals stay: %v", left)
	}
}

// A VACUUM that goes on after the program was killed is known by a later start as one
// that was sent from here.
func TestVacuumOfAKilledProgramIsKnownAgain(t *testing.T) {
	s := pgtest.Start(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "orphan"})
	x := steered(t, s, t.TempDir())
	x.press("v")
	x.waitForText("public.orphan")
	x.press("orphan\r")
	x.waitForText("VACUUM (VERBOSE)")
	x.press("\x1b[B100ms\x1b[B1")
	x.waitForText("vacuum_cost_limit = '1'")
	x.press(strings.Repeat("\x1b[B", 11))
	x.waitForText("▸ VERBOSE")
	x.press("-")
	x.waitForText(`VACUUM "public"."orphan"`)
	x.press("\r")
	x.waitForText("vacuums public.orphan")
	pid := waitForVacuumOf(t, s, "orphan")
	if err := x.program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-x.ended
	next := steered(t, s, t.TempDir())
	next.waitForText("vacscope sent it, in an earlier start or another one")
	next.press("xj\r")
	next.waitForText(fmt.Sprintf("pid %d: ", pid))
	next.press("q")
	next.status()
}

func TestReadOnlyIsSaidAndNothingIsSent(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.HeldVacuum(t, "read_only")
	x := steered(t, s, t.TempDir(), "--read-only")
	x.waitForText("read-only")
	for _, key := range []string{"v", "x", "s", "u"} {
		x.press(key)
		x.waitForText(key + ": vacscope is read-only")
	}
	x.press("q")
	x.status()
}

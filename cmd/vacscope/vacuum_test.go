package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"example.com/vacscope/poll/pgtest"
	"github.com/jackc/pgx/v5"
)

// vacuumed is how a run of vacscope vacuum ended.
type vacuumed struct {
	status         int
	stdout, stderr string
}

// output is what a running command has written.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func finish(t *testing.T, command *exec.Cmd, stdout, stderr *output) vacuumed {
	t.Helper()
	err := command.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return vacuumed{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// startVacuum runs vacscope vacuum with a server's connection and more arguments.
func startVacuum(t *testing.T, target string, args ...string) (*exec.Cmd, *output, *output) {
	t.Helper()
	var stdout, stderr output
	command := exec.Command(program(t), append([]string{"vacuum", "-d", target}, args...)...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	return command, &stdout, &stderr
}

func vacuum(t *testing.T, target string, args ...string) vacuumed {
	t.Helper()
	command, stdout, stderr := startVacuum(t, target, args...)
	return finish(t, command, stdout, stderr)
}

func (v vacuumed) want(t *testing.T, status int, stdout, stderr string) {
	t.Helper()
	if v.status != status || !strings.Contains(v.stdout, stdout) || !strings.Contains(v.stderr, stderr) {
		t.Errorf("exit %d, stdout\n%s\nstderr\n%s\nwant exit %d, %q, %q", v.status, v.stdout, v.stderr, status, stdout, stderr)
	}
}

func TestVacuumPrintsItsSummary(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: `"Vacuum Me"`, Indexes: 3})
	s.Exec(t, "alter system set min_parallel_index_scan_size = 0", "select pg_reload_conf()")
	s.AtEnd(t, "alter system reset min_parallel_index_scan_size", "select pg_reload_conf()")
	got := vacuum(t, s.ConnString(), "--parallel", "2", "--cost-delay", "2ms", "--cost-limit", "50", `"Vacuum Me"`)
	got.want(t, 0, "2 asked, 2 planned, 2 launched", `VACUUM (VERBOSE, PARALLEL 2) "public"."Vacuum Me"`)
	if !strings.Contains(got.stdout, "vacuuming indexes") || !strings.Contains(got.stdout, "; completed") {
		t.Errorf("the summary is\n%s", got.stdout)
	}
	if strings.Contains(got.stderr, "\r") {
		t.Errorf("a progress line goes to what is no terminal: %q", got.stderr)
	}
}

func TestVacuumThatSkipsFails(t *testing.T) {
	for _, major := range []int{13, 19} {
		s := pgtest.Shared(t, major)
		s.MakeTable(t, pgtest.Table{Name: "vacuum_skip", Rows: 10})
		s.Role(t, "vacuum_plain")
		vacuum(t, s.ConnStringFor("vacuum_plain", "postgres"), "vacuum_skip").want(t, 3, "", "01000")
		release := s.LockHold(t, "vacuum_skip", "share")
		vacuum(t, s.ConnString(), "--skip-locked", "vacuum_skip").want(t, 3, "", "55P03")
		vacuum(t, s.ConnString(), "--lock-timeout", "100ms", "vacuum_skip").want(t, 3, "", "55P03")
		release()
	}
}

func TestVacuumWaitsForTheTableAndCancelsNobody(t *testing.T) {
	s := pgtest.Shared(t, 18)
	v := s.HeldVacuum(t, "vacuum_waits")
	command, stdout, stderr := startVacuum(t, s.ConnString(), "vacuum_waits")
	pgtest.Eventually(t, "it says that it waits", func() bool { return strings.Contains(stderr.String(), "waiting until it is free") })
	s.Exec(t, fmt.Sprintf("select pg_cancel_backend(%d)", v.PID))
	finish(t, command, stdout, stderr).want(t, 0, "completed", fmt.Sprint(v.PID))
}

func TestInterruptCancelsOnTheServer(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "vacuum_interrupt"})
	command, stdout, stderr := startVacuum(t, s.ConnString(), "--cost-delay", "100", "--cost-limit", "1", "vacuum_interrupt")
	waitForVacuumOf(t, s, "vacuum_interrupt")
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	finish(t, command, stdout, stderr).want(t, 3, "", "57014")
	if pid := vacuumOf(t, s.Conn(t), "vacuum_interrupt"); pid != 0 {
		t.Errorf("pid %d goes on", pid)
	}
}

func TestSecondInterruptLeavesAtOnce(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "vacuum_twice"})
	command, stdout, stderr := startVacuum(t, s.ConnString(), "--cost-delay", "100", "--cost-limit", "1", "vacuum_twice")
	pid := waitForVacuumOf(t, s, "vacuum_twice")
	if err := syscall.Kill(int(pid), syscall.SIGSTOP); err != nil { // it does not answer
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(int(pid), syscall.SIGCONT) }()
	for range 2 {
		if err := command.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		pgtest.Eventually(t, "it says that it cancels", func() bool { return strings.Contains(stderr.String(), "cancelling") })
	}
	finish(t, command, stdout, stderr).want(t, 4, "", "may go on")
}

func TestConnectionLostIsUnknown(t *testing.T) {
	s := pgtest.Start(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "vacuum_lost"})
	command, stdout, stderr := startVacuum(t, s.ConnString(), "--cost-delay", "100", "--cost-limit", "1", "vacuum_lost")
	pid := waitForVacuumOf(t, s, "vacuum_lost")
	if err := syscall.Kill(int(pid), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	finish(t, command, stdout, stderr).want(t, 4, "", "pg_stat_all_tables")
}

func TestVacuumdbsOtherOptionsSayWhatToUse(t *testing.T) {
	for _, option := range []string{"--all", "--jobs", "--analyze-only", "--table", "--dry-run"} {
		vacuum(t, "postgres", option, "t").want(t, 2, "", option+" is vacuumdb's")
		vacuum(t, "postgres", option, "2", "t").want(t, 2, "", option+" is vacuumdb's")
	}
}

// vacuumOf is the process that vacuums a table; 0 for none.
func vacuumOf(t *testing.T, conn *pgx.Conn, table string) (pid int32) {
	t.Helper()
	err := conn.QueryRow(t.Context(),
		"select coalesce(max(pid), 0) from pg_stat_progress_vacuum where relid = $1::regclass", table).Scan(&pid)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func waitForVacuumOf(t *testing.T, s *pgtest.Server, table string) (pid int32) {
	t.Helper()
	conn := s.Conn(t)
	pgtest.Eventually(t, "the VACUUM of "+table+" runs", func() bool {
		pid = vacuumOf(t, conn, table)
		return pid != 0
	})
	return pid
}

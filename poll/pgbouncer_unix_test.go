//go:build unix

package poll

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// pgbouncer starts PgBouncer in transaction mode before a server and returns the
// folder of its socket. It refuses to run as root, and is then
// run as the server's user, to whom alone the server's folder is open.
func pgbouncer(t *testing.T, s *pgtest.Server, poolSize int) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			pgtest.Missing(t, "pgbouncer is not installed (Debian package pgbouncer)")
		}
	}
	folder, err := os.MkdirTemp("", "pgbouncer") // that of the test is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(folder, "ini")
	write(t, settings, 0o644, fmt.Sprintf(`[databases]
postgres = host=%s port=5432 user=postgres
[pgbouncer]
unix_socket_dir = %s
listen_port = 5432
auth_type = any
pool_mode = transaction
default_pool_size = %d
`, s.SocketDir, folder, poolSize))
	args := []string{"-q", settings}
	if os.Geteuid() == 0 {
		args = append([]string{"-u", ownerOf(t, s.SocketDir)}, args...)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	pgtest.Eventually(t, "pgbouncer listens", func() bool {
		conn, err := net.Dial("unix", filepath.Join(folder, ".s.PGSQL.5432"))
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return folder
}

func ownerOf(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	owner, err := user.LookupId(strconv.Itoa(int(info.Sys().(*syscall.Stat_t).Uid)))
	if err != nil {
		t.Fatal(err)
	}
	return owner.Username
}

// Through PgBouncer in transaction mode, whose server connections other clients use
// in turn, every beat and tick is whole, and the pooler is named.
func TestThroughPgBouncerInTransactionMode(t *testing.T) {
	for _, major := range []int{13, 18} {
		s := pgtest.Shared(t, major)
		v := s.HeldVacuum(t, "held")
		folder := pgbouncer(t, s, 2)
		target := "user=postgres dbname=postgres host=" + folder
		other := s.ConnTo(t, target+" default_query_exec_mode=simple_protocol")
		source := openWith(t, target, Options{Interval: 200 * time.Millisecond, TickRate: 20})
		noted, polls, ticks := false, 0, 0
		runUntil(t, source, "whole beats", func(sample model.Sample) bool {
			if _, err := other.Exec(t.Context(), "deallocate all"); err != nil {
				t.Error(err)
			}
			noted = noted || slices.ContainsFunc(sample.Events, func(e model.Event) bool { return e.Kind == model.EventNote })
			if sample.Poll == nil || len(sample.Problems) > 0 {
				t.Errorf("%+v", sample)
				return true
			}
			mustHave(t, sample.Poll, v.PID)
			polls, ticks = polls+1, ticks+len(sample.Ticks)
			return polls > 10 && ticks > 0
		})
		if !noted {
			t.Errorf("pg%d: nothing says that there is a pooler", major)
		}
	}
}

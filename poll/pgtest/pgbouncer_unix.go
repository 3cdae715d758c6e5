//go:build unix

package pgtest

import (
	"fmt"
	"net"
	"os"
	osexec "os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// PgBouncer starts PgBouncer in transaction mode before a server, with so many
// connections to it, and returns what to connect with. It refuses to run as root, and is
// then run as the server's user, to whom alone the server's folder is open.
func (s *Server) PgBouncer(t testing.TB, poolSize int) (connString string) {
	t.Helper()
	program, err := osexec.LookPath("pgbouncer")
	if err != nil {
		if program, err = osexec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			Missing(t, "pgbouncer is not installed (Debian package pgbouncer)")
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
	text := fmt.Sprintf(`[databases]
postgres = host=%s port=5432 user=postgres
[pgbouncer]
unix_socket_dir = %s
listen_port = 5432
auth_type = any
pool_mode = transaction
default_pool_size = %d
`, s.SocketDir, folder, poolSize)
	if err := os.WriteFile(settings, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"-q", settings}
	if os.Geteuid() == 0 {
		args = append([]string{"-u", ownerOf(t, s.SocketDir)}, args...)
	}
	cmd := osexec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	Eventually(t, "pgbouncer listens", func() bool {
		conn, err := net.Dial("unix", filepath.Join(folder, socketName))
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return "user=postgres dbname=postgres host=" + folder
}

func ownerOf(t testing.TB, path string) string {
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

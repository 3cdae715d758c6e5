//go:build unix

package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/poll/server"
	"github.com/jackc/pgx/v5"
)

// programVariable makes this test binary a program that starts a server with the
// programs it names (as JSON), tells its address, and then does nothing.
const programVariable = "SERVER_TEST_PROGRAM"

func TestMain(m *testing.M) {
	server.RunHelperIfAsked()
	if config := os.Getenv(programVariable); config != "" {
		runProgram(config)
		return
	}
	pgtest.Main(m)
}

func runProgram(configJSON string) {
	var config server.Config
	err := json.Unmarshal([]byte(configJSON), &config)
	if err != nil {
		log.Fatal(err)
	}
	s, err := server.Start(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) > 1 && os.Args[1] == "halt" {
		if err := s.Halt(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(s.PID, s.Helper(), s.SocketDir)
	<-s.Done()
}

// program is a process that started a server.
type program struct {
	cmd                *exec.Cmd
	helper, postmaster int
	dir                string
}

func startProgram(t *testing.T, config server.Config, args ...string) *program {
	t.Helper()
	config.Programs = pgtest.Programs(t, 18)
	written, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), programVariable+"="+string(written))
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	p := &program{cmd: cmd}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the program did not start a server: %v", err)
	}
	if _, err := fmt.Sscan(line, &p.postmaster, &p.helper, &p.dir); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestNothingStaysBehindWhateverIsKilled(t *testing.T) {
	for _, c := range []struct {
		name      string
		kill      func(p *program) []int
		signal    syscall.Signal
		dirStays  bool // until the next start
		onlyLinux bool
	}{
		{"program, kill -9", func(p *program) []int { return []int{p.cmd.Process.Pid} }, syscall.SIGKILL, false, false},
		{"program, SIGTERM", func(p *program) []int { return []int{p.cmd.Process.Pid} }, syscall.SIGTERM, false, false},
		{"helper, SIGTERM", func(p *program) []int { return []int{p.helper} }, syscall.SIGTERM, false, false},
		{"postmaster, kill -9", func(p *program) []int { return []int{p.postmaster} }, syscall.SIGKILL, false, false},
		{"helper, kill -9", func(p *program) []int { return []int{p.helper} }, syscall.SIGKILL, true, true},
		{"program and helper, kill -9", func(p *program) []int { return []int{p.cmd.Process.Pid, p.helper} }, syscall.SIGKILL, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.onlyLinux && runtime.GOOS != "linux" {
				t.Skip("only Linux tells a process that its parent died")
			}
			tmp := useTempDir(t)
			p := startProgram(t, server.Config{})
			if !hasSegment(p.postmaster) && runtime.GOOS == "linux" {
				t.Error("the server's shared memory segment is not seen")
			}
			for _, pid := range c.kill(p) {
				signal(t, pid, c.signal)
			}
			pgtest.Eventually(t, "helper and postmaster have ended", func() bool { return !runs(p.helper) && !runs(p.postmaster) })
			if c.dirStays {
				expectExists(t, p.dir)
				startInTest(t, server.Config{Programs: pgtest.Programs(t, 18)})
			}
			pgtest.Eventually(t, "the server's folder is gone", func() bool { return !exists(p.dir) })
			if hasSegment(p.postmaster) {
				t.Error("the server's shared memory segment is left behind")
			}
			if filepath.Dir(p.dir) != tmp {
				t.Errorf("the server's folder %s was not in %s", p.dir, tmp)
			}
		})
	}
}

func TestAFolderIsInUseAsLongAsThePostmasterLives(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a process that its parent died")
	}
	useTempDir(t)
	p := startProgram(t, server.Config{})
	signal(t, p.postmaster, syscall.SIGSTOP) // it cannot hear that the helper dies
	signal(t, p.helper, syscall.SIGKILL)
	pgtest.Eventually(t, "the helper has ended", func() bool { return !runs(p.helper) })
	config := server.Config{Programs: pgtest.Programs(t, 18)}
	startInTest(t, config)
	expectExists(t, p.dir)
	signal(t, p.postmaster, syscall.SIGCONT)
	pgtest.Eventually(t, "the postmaster has ended", func() bool { return !runs(p.postmaster) })
	startInTest(t, config)
	if exists(p.dir) {
		t.Errorf("%s was not removed by the next start", p.dir)
	}
}

func TestTheEndOfThePostmasterIsNoticed(t *testing.T) {
	s := startInTest(t, server.Config{Programs: pgtest.Programs(t, 18)})
	if s.Err() != nil {
		t.Errorf("an error while it runs: %v", s.Err())
	}
	signal(t, s.PID, syscall.SIGKILL)
	<-s.Done()
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "ended by itself") || !strings.Contains(err.Error(), "ready to accept connections") {
		t.Errorf("neither end nor log are told: %v", err)
	}
}

func TestServersAtOnceDoNotDisturbEachOther(t *testing.T) {
	tmp := useTempDir(t)
	config := server.Config{Programs: pgtest.Programs(t, 18)}
	first, second := startInTest(t, config), startInTest(t, config)
	if err := first.Stop(); err != nil {
		t.Error(err)
	}
	conn, err := second.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var one int
	if err := conn.QueryRow(t.Context(), "select 1").Scan(&one); err != nil {
		t.Error(err)
	}
	if err := errors.Join(conn.Close(t.Context()), second.Stop()); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestOnlyFoldersOfServersAreSwept(t *testing.T) {
	tmp := useTempDir(t)
	config := server.Config{Programs: pgtest.Programs(t, 18)}
	owner := ownerOf(t, startInTest(t, config).SocketDir)
	abandoned, notes := filepath.Join(tmp, "vacscope-server-123"), filepath.Join(tmp, "vacscope-server-notes")
	for _, dir := range []string{abandoned, notes} {
		if err := errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, int(owner.Uid), int(owner.Gid))); err != nil {
			t.Fatal(err)
		}
	}
	startInTest(t, config)
	if exists(abandoned) {
		t.Errorf("%s, which nobody uses, is still there", abandoned)
	}
	expectExists(t, notes)
}

func TestKeepLeavesACleanFolder(t *testing.T) {
	tmp := useTempDir(t)
	config := server.Config{Programs: pgtest.Programs(t, 18), Keep: true}
	s := startInTest(t, config)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	config.Keep = false
	startInTest(t, config) // sweeps what nobody uses
	if filepath.Dir(s.Kept()) != tmp || !exists(filepath.Join(s.Kept(), "data", "PG_VERSION")) {
		t.Errorf("kept %q", s.Kept())
	}
	if exists(filepath.Join(s.Kept(), "data", "postmaster.pid")) {
		t.Error("the kept server was not shut down cleanly")
	}
}

// Servers start on copies of what a halted one left, which goes with its program.
func TestServersStartFromAHaltedOne(t *testing.T) {
	tmp := useTempDir(t)
	config := server.Config{Programs: pgtest.Programs(t, 18)}
	ready := startInTest(t, config)
	execute(t, ready, "create table kept as select 1 as one")
	if err := ready.Halt(); err != nil {
		t.Fatal(err)
	}
	if runs(ready.PID) {
		t.Error("the halted server runs")
	}
	config.From = ready.SocketDir
	for range 2 {
		s := startInTest(t, config)
		execute(t, s, "drop table kept")
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}
	other := server.Config{Programs: pgtest.Programs(t, 17), From: ready.SocketDir}
	if _, err := server.Start(t.Context(), other); err == nil || !strings.Contains(err.Error(), "is of PostgreSQL 18, and the programs in") {
		t.Errorf("the data of another major: %v", err)
	}
	if err := ready.Stop(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAHaltedServerGoesWithItsProgram(t *testing.T) {
	useTempDir(t)
	p := startProgram(t, server.Config{}, "halt")
	expectExists(t, p.dir)
	signal(t, p.cmd.Process.Pid, syscall.SIGKILL)
	pgtest.Eventually(t, "the server's folder is gone", func() bool { return !exists(p.dir) && !runs(p.helper) })
}

// A server that outlives its program ends, and its files go, when its helper or itself
// is ended.
func TestAServerThatOutlivesItsProgram(t *testing.T) {
	for name, end := range map[string]func(*program) int{
		"the helper":     func(p *program) int { return p.helper },
		"the postmaster": func(p *program) int { return p.postmaster },
	} {
		t.Run(name, func(t *testing.T) {
			useTempDir(t)
			p := startProgram(t, server.Config{Outlive: true})
			signal(t, p.cmd.Process.Pid, syscall.SIGKILL)
			_ = p.cmd.Wait() // it was killed
			conn, err := pgx.Connect(t.Context(), "user=postgres host="+p.dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.Close(t.Context()); err != nil {
				t.Error(err)
			}
			signal(t, end(p), syscall.SIGTERM)
			pgtest.Eventually(t, "the server and its folder are gone", func() bool { return !exists(p.dir) && !runs(p.helper) && !runs(p.postmaster) })
		})
	}
	s := startInTest(t, server.Config{Programs: pgtest.Programs(t, 18), Outlive: true})
	if err := s.Stop(); err != nil || exists(s.SocketDir) {
		t.Errorf("stopped by its program: %v, its folder is there: %t", err, exists(s.SocketDir))
	}
}

func execute(t *testing.T, s *server.Server, sql string) {
	t.Helper()
	conn, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Error(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAStartThatFailsSaysWhyAndLeavesNothing(t *testing.T) {
	tmp := useTempDir(t)
	config := server.Config{Programs: pgtest.Programs(t, 18), Settings: []string{"no_such_setting=1"}}
	if _, err := server.Start(t.Context(), config); err == nil || !strings.Contains(err.Error(), "no_such_setting") {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAStartThatIsCancelledLeavesNothing(t *testing.T) {
	tmp := useTempDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := server.Start(ctx, server.Config{Programs: pgtest.Programs(t, 18)}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestTheServerDoesNotInheritTheEnvironment(t *testing.T) {
	t.Setenv("PGDATA", "/nonexistent")
	t.Setenv("PGPORT", "1")
	t.Setenv("LANG", "xx_XX")
	s := startInTest(t, server.Config{Programs: pgtest.Programs(t, 18)})
	server.ClearEnvironment()
	if _, ok := os.LookupEnv("PGPORT"); ok {
		t.Error("PGPORT is still there")
	}
	conn, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var port, listens string
	err = conn.QueryRow(t.Context(), "select current_setting('port'), current_setting('listen_addresses')").Scan(&port, &listens)
	if err != nil || port != "5432" || listens != "" {
		t.Errorf("port %s, listens on %q, %v", port, listens, err)
	}
}

// startInTest starts a server that ends with the test.
func startInTest(t *testing.T, config server.Config) *server.Server {
	t.Helper()
	s, err := server.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

// useTempDir gives the test's servers a temporary folder of their own, which is
// also theirs when root runs the test.
func useTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "vst")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
	return dir
}

// ownerOf is the user of a path, for a server's folder whom servers run as.
func ownerOf(t *testing.T, path string) *syscall.Stat_t {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t)
}

func signal(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatalf("send %v to %d: %v", s, pid, err)
	}
}

// runs tells whether a process is there and not only waits to be collected.
func runs(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

// hasSegment tells whether a System V shared memory segment that the process made
// is there; only Linux lists them.
func hasSegment(pid int) bool {
	list, _ := os.ReadFile("/proc/sysvipc/shm")
	for line := range strings.Lines(string(list)) {
		const creator = 4 // column cpid
		if columns := strings.Fields(line); len(columns) > creator && columns[creator] == strconv.Itoa(pid) {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func expectExists(t *testing.T, path string) {
	t.Helper()
	if !exists(path) {
		t.Errorf("%s is gone too early", path)
	}
}

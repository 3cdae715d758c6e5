package pgtest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"example.com/vacscope/poll/server"
)

// Restartable is a server that a test ends and starts again, on the same data and
// at the same address. Between the two its embedded Server has ended.
type Restartable struct {
	*Server
	// Folder is where its socket is to be found, before and after.
	Folder string
}

// StartRestartable starts one with settings "name=value"; it ends with the test.
func StartRestartable(t testing.TB, major int, settings ...string) *Restartable {
	t.Helper()
	// Not t.TempDir, whose name can be too long for a socket's and hold a comma.
	folder, err := os.MkdirTemp("", "vacscope-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	r := &Restartable{Folder: filepath.Join(folder, "s")}
	r.follow(t, startFor(t, server.Config{Programs: Programs(t, major), Settings: settings, Keep: true}))
	return r
}

// Fast and Immediate are the postmaster's shutdown modes, as signals.
const (
	Fast      = syscall.SIGINT
	Immediate = syscall.SIGQUIT
)

// Shutdown ends the server as pg_ctl stop does in one of the modes.
func (r *Restartable) Shutdown(t testing.TB, mode syscall.Signal) {
	t.Helper()
	postmaster, err := os.FindProcess(r.PID)
	if err == nil {
		err = postmaster.Signal(mode)
	}
	if err != nil {
		t.Fatalf("end the server: %v", err)
	}
	awaitEnd(t, r.Server)
}

// StartAgain starts the server again after Shutdown.
func (r *Restartable) StartAgain(t testing.TB) {
	t.Helper()
	r.follow(t, startFor(t, server.Config{Programs: r.Programs, From: r.Kept(), Keep: true}))
}

// follow lets the address lead to a server.
func (r *Restartable) follow(t testing.TB, s *Server) {
	t.Helper()
	_ = os.Remove(r.Folder) // is not there the first time
	if err := os.Symlink(s.SocketDir, r.Folder); err != nil {
		t.Fatal(err)
	}
	r.Server = s
}

// ConnString returns what to connect with, before a restart and after it.
func (r *Restartable) ConnString() string { return "user=postgres dbname=postgres host=" + r.Folder }

// StartWithStandby starts a primary and a standby that streams from it; both end
// with the test.
func StartWithStandby(t testing.TB, major int, settings ...string) (primary, standby *Server) {
	t.Helper()
	programs := Programs(t, major)
	origin := startFor(t, server.Config{Programs: programs, Settings: settings, Keep: true})
	_ = origin.Stop() // what is wrong shows in what starts from it
	awaitEnd(t, origin)
	primary = startFor(t, server.Config{Programs: programs, From: origin.Kept()})
	standby = startFor(t, server.Config{
		Programs: programs, From: origin.Kept(), Standby: true,
		Settings: []string{"primary_conninfo=host=" + primary.SocketDir + " user=" + server.Superuser},
	})
	return primary, standby
}

func awaitEnd(t testing.TB, s *Server) {
	t.Helper()
	select {
	case <-s.Done():
	case <-time.After(time.Minute):
		t.Fatal("waited a minute for the server's end")
	}
}

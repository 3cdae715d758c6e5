package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Config says what server to start.
type Config struct {
	Programs
	// Settings are lines "name=value" for postgresql.conf, later ones winning. The
	// value is taken literally, without quotes.
	Settings []string
	// Keep leaves the data folder, cleanly shut down, when the server ends (see
	// Server.Kept).
	Keep bool
	// Outlive lets the server go on when the program ends, until Stop, or until the
	// process Server.Helper or the server is ended; then its files go as always.
	Outlive bool
	// From is the folder of a server that was halted or kept (Server.SocketDir,
	// Server.Kept): this one starts on a copy of its data. "": on a new cluster.
	From string
	// Standby makes a server that starts From another one's data its standby;
	// primary_conninfo stands in Settings.
	Standby bool
}

// Server is a running throwaway PostgreSQL.
type Server struct {
	Programs
	// SocketDir is the folder of the server's socket; its port is 5432.
	SocketDir string
	// PID is the postmaster's process id.
	PID int

	helper  *exec.Cmd
	outlive bool
	alive   io.WriteCloser // the pipe whose closing ends the helper

	halted chan struct{} // closed when the server was halted
	done   chan struct{} // closed when helper and server are gone
	end    helperMessage // valid after done
}

// Superuser is the role that owns a throwaway server.
const Superuser = "postgres"

const port = "5432"

// stopWithin bounds how long an ending server may take before it is killed; a
// kept one writes a checkpoint first.
const (
	stopWithin = 10 * time.Second
	keepWithin = 60 * time.Second
)

// Start makes a new database cluster and starts a server on it, ready for
// connections when Start returns. The program must call RunHelperIfAsked first
// thing in main (or TestMain). Cancelling ctx ends the start, not a started
// server; that needs Stop, or the end of the program.
func Start(ctx context.Context, config Config) (*Server, error) {
	s := &Server{Programs: config.Programs, outlive: config.Outlive, halted: make(chan struct{}), done: make(chan struct{})}
	messages, err := s.startHelper(config)
	if err != nil {
		return nil, fmt.Errorf("start the helper process: %w", err)
	}
	first := make(chan helperMessage, 1)
	go s.follow(messages, first)
	select {
	case ready := <-first:
		s.SocketDir, s.PID = ready.Dir, ready.PID
		return s, nil
	case <-s.done:
		return nil, fmt.Errorf("start PostgreSQL %s from %s: %w", s.Version, s.BinDir, s.Err())
	case <-ctx.Done():
		return nil, errors.Join(context.Cause(ctx), s.Stop())
	}
}

// startHelper starts the helper, tells it what to run and returns its messages.
func (s *Server) startHelper(config Config) (io.Reader, error) {
	helper, err := helperCommand()
	if err != nil {
		return nil, err
	}
	stdin, err := helper.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := helper.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := helper.Start(); err != nil {
		return nil, err
	}
	s.helper, s.alive = helper, stdin
	if err := json.NewEncoder(stdin).Encode(config); err != nil {
		return nil, errors.Join(err, stdin.Close(), helper.Wait())
	}
	return stdout, nil
}

// follow reads the helper's messages until it is gone. The first one that says
// ready goes to ready.
func (s *Server) follow(messages io.Reader, ready chan<- helperMessage) {
	decoder := json.NewDecoder(messages)
	for {
		var m helperMessage
		if err := decoder.Decode(&m); err != nil {
			break
		}
		switch {
		case m.Ready:
			ready <- m
		case m.Halted:
			close(s.halted)
		default:
			s.end = m
		}
	}
	err := s.helper.Wait()
	if s.end == (helperMessage{}) {
		s.end.Error = fmt.Sprintf("the helper process ended without a word (%v)", err)
	}
	close(s.done)
}

// Stop ends the server and removes its files, and returns when both are done.
// The error says that it had ended by itself before, or what stayed behind.
func (s *Server) Stop() error {
	_ = s.alive.Close() // fails only when it is closed
	if s.outlive {
		_ = s.helper.Process.Signal(syscall.SIGTERM) // fails only when it has ended
	}
	select {
	case <-s.done:
		return s.Err()
	case <-time.After(stopWithin + keepWithin):
		// The server is told by the kernel, the next start removes the files.
		return errors.Join(errors.New("the helper process does not end and is killed"), s.helper.Process.Kill())
	}
}

// Halt ends the server cleanly and returns when it has ended. Its files stay until
// Stop, or the end of the program: other servers start From its SocketDir.
func (s *Server) Halt() error {
	if _, err := io.WriteString(s.alive, "\n"); err != nil {
		return fmt.Errorf("halt the server: %w", err)
	}
	select {
	case <-s.halted:
		return nil
	case <-s.done:
		return fmt.Errorf("halt the server: %w", s.Err())
	}
}

// Helper is the process id of the helper, whose end ends the server.
func (s *Server) Helper() int { return s.helper.Process.Pid }

// Done is closed when the server has ended, for whatever reason.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err says why the server ended by itself, or what stayed behind; nil while it
// runs and after a clean end.
func (s *Server) Err() error {
	select {
	case <-s.done:
	default:
		return nil
	}
	if s.end.Error == "" {
		return nil
	}
	if s.end.Log != "" {
		return fmt.Errorf("%s; the server's log ends with:\n%s", s.end.Error, s.end.Log)
	}
	return errors.New(s.end.Error)
}

// Kept is the folder that Config.Keep left, "" before the server has ended.
func (s *Server) Kept() string {
	select {
	case <-s.done:
		return s.end.Kept
	default:
		return ""
	}
}

// Log returns the last lines of the server's log.
func (s *Server) Log() string {
	select {
	case <-s.done:
		return s.end.Log
	default:
		return logTail(filepath.Join(s.SocketDir, logName))
	}
}

// OpenLog opens the server's log, from its begin.
func (s *Server) OpenLog() (*os.File, error) { return os.Open(filepath.Join(s.SocketDir, logName)) }

// ConnString returns what to connect with, as the superuser to its database.
func (s *Server) ConnString() string { return s.ConnStringFor(Superuser, "postgres") }

// ConnStringFor returns what to connect with as a role to a database.
func (s *Server) ConnStringFor(role, database string) string {
	return fmt.Sprintf("host=%s port=%s user=%s dbname=%s sslmode=disable",
		quoteValue(s.SocketDir), port, quoteValue(role), quoteValue(database))
}

func quoteValue(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "'"
}

// ClearEnvironment removes all PG* variables from this process's environment, so
// that nothing meant for another server reaches a throwaway one.
func ClearEnvironment() {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "PG") {
			os.Unsetenv(name)
		}
	}
}

// Environment are the variables "NAME=value" with which a program connects as the
// superuser to its database.
func (s *Server) Environment() []string {
	return []string{"PGHOST=" + s.SocketDir, "PGPORT=" + port, "PGUSER=" + Superuser, "PGDATABASE=postgres"}
}

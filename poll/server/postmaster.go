package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// postmaster is the server's first process, a child of the helper.
type postmaster struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when it has ended
}

// startPostmaster starts the server on a cluster; its log goes to logPath.
func startPostmaster(config Config, dir *workDir, data, logPath string) (*postmaster, error) {
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(programPath(config.BinDir, "postgres"), "-D", data)
	cmd.Dir = "/"
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{dir.lock}
	endWithThread(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	pm := &postmaster{cmd, make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended stands in cmd.ProcessState
		close(pm.exited)
	}()
	return pm, nil
}

// awaitReady returns when the postmaster says so in its pid file, as pg_ctl reads it.
func (pm *postmaster) awaitReady(ctx context.Context, data string) error {
	const statusLine = 7
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		text, _ := os.ReadFile(filepath.Join(data, "postmaster.pid"))
		lines := strings.Split(string(text), "\n")
		if len(lines) > statusLine && strings.TrimSpace(lines[statusLine]) == "ready" {
			return nil
		}
		select {
		case <-pm.exited:
			return fmt.Errorf("the server did not start (%v)", pm.cmd.ProcessState)
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// stop ends the server, at once or cleanly, and returns when it has ended.
func (pm *postmaster) stop(cleanly bool) {
	if cleanly && pm.endsAfter(os.Interrupt, keepWithin) { // fast shutdown
		return
	}
	if pm.endsAfter(syscall.SIGQUIT, stopWithin/2) { // immediate shutdown
		return
	}
	pm.endsAfter(os.Kill, stopWithin/2)
}

func (pm *postmaster) endsAfter(signal os.Signal, limit time.Duration) bool {
	_ = pm.cmd.Process.Signal(signal) // fails only when it has ended
	select {
	case <-pm.exited:
		return true
	case <-time.After(limit):
		return false
	}
}

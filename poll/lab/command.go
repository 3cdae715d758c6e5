package lab

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// CommandName is the name of the workload that runs a command.
const CommandName = "command"

// CommandWorkload runs a command: any program that connects as the PG* variables say.
// Where it leaves logs of pgbench -l, they give the latencies.
func CommandWorkload() Workload {
	return Workload{
		Name:    CommandName,
		Summary: "a command that is given",
		Options: []Option{{Name: "load", Usage: "shell `COMMAND` that makes the state which every run begins with"}},
		Settings: func(int, Params) []string {
			return []string{"autovacuum=on", "autovacuum_naptime=1s", "shared_buffers=256MB"}
		},
		Load: func(ctx context.Context, s *server.Server, p Params) error {
			if p.Options["load"] == "" {
				return nil
			}
			return runProgram(ctx, s, "/bin/sh", "-c", p.Options["load"])
		},
		Run: runCommand,
	}
}

// runCommand runs the command until it ends, or until ctx does. Logs of pgbench lie in the
// server's folder, and go with that.
func runCommand(ctx context.Context, s *server.Server, p Params, o *Observed) error {
	began := time.Now()
	err := runProgram(ctx, s, p.Command[0], withLogsIn(s.SocketDir, p.Command)...)
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return commandError{err, p.Options["load"] == ""}
	}
	return errors.Join(err, o.readLogs(s.SocketDir, began))
}

// commandError is the end of the command with an error: what it did until then is no
// measurement.
type commandError struct {
	error
	unprepared bool // nothing was done before it
}

// Error says what may be missing.
func (e commandError) Error() string {
	if e.unprepared {
		return e.error.Error() + "; what it needs in the database is made by --load COMMAND, as --load 'pgbench -i -s 10'"
	}
	return e.error.Error()
}

// checkCommand refuses a command whose program does not exist, beside the server programs
// of a side or elsewhere.
func (b Bench) checkCommand() error {
	if len(b.Params.Command) == 0 {
		return nil
	}
	for _, side := range b.Sides {
		if _, err := exec.LookPath(programFor(side.Programs, b.Params.Command[0])); err != nil {
			return fmt.Errorf("run the command: %w", err)
		}
	}
	return nil
}

// programFor is the program of a name beside the server programs, else as it is called.
func programFor(programs server.Programs, name string) string {
	beside, err := exec.LookPath(filepath.Join(programs.BinDir, name))
	if err != nil || strings.ContainsRune(name, filepath.Separator) {
		return name
	}
	return beside
}

// withLogsIn are the arguments of a command, with a folder for the logs of pgbench where
// it is to write them, and the command names none.
func withLogsIn(dir string, command []string) []string {
	args := command[1:]
	asked := slices.Contains(args, "-l") || slices.Contains(args, "--log")
	named := slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--log-prefix") })
	if filepath.Base(command[0]) != "pgbench" || !asked || named {
		return args
	}
	return append([]string{"--log-prefix=" + filepath.Join(dir, "pgbench_log")}, args...)
}

// stopCommand is how long a command may take to end by itself.
const stopCommand = 5 * time.Second

// runProgram runs a program with the server's programs first in its path. What it says
// goes to standard error: standard output is for results.
func runProgram(ctx context.Context, s *server.Server, name string, args ...string) error {
	path := s.BinDir + string(os.PathListSeparator) + os.Getenv("PATH")
	command := exec.CommandContext(ctx, programFor(s.Programs, name), args...)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	command.Env = append(os.Environ(), append(s.Environment(), "PATH="+path)...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = stopCommand
	err := command.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("run %s: %w", name, err)
	}
	return nil
}

// readLogs counts the transactions in logs of pgbench -l.
func (o *Observed) readLogs(dir string, began time.Time) error {
	logs, err := filepath.Glob(filepath.Join(dir, "pgbench_log.*"))
	if err != nil || len(logs) == 0 {
		return err
	}
	o.begin(began, time.Since(began))
	for _, path := range logs {
		if err := o.readLog(path); err != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

func (o *Observed) readLog(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		t, err := experiment.ReadTransaction(strings.Fields(lines.Text()))
		if err != nil {
			return err
		}
		if took, has := t.Took.Get(); has {
			o.Statement(t.Ended.Add(-took), t.Ended)
		}
	}
	return lines.Err()
}

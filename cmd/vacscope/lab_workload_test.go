//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// labRead is what these tests read of the document of an experiment.
type labRead struct {
	Workload string
	Settings []string
	Remarks  []string
	Sides    []struct {
		Side  string
		Fsync bool
		Runs  []struct {
			Run    int
			Cut    bool `json:"cut_short"`
			Values map[string]float64
		}
	}
	Durations []struct {
		Quantity string
		N        int
	}
	Reports []struct {
		Runs []struct {
			Table, Result string
			Phases        []struct{ Phase string }
		}
	}
}

// runLab runs vacscope lab and reads its document; it leaves nothing behind.
func runLab(t *testing.T, args ...string) (read labRead, stderr string) {
	t.Helper()
	path, tmp := program(t), useTempDir(t)
	cmd := exec.Command(path, append([]string{"lab"}, args...)...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, &messages)
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	expectEmpty(t, tmp)
	return read, messages.String()
}

// Each VACUUM of a side is watched and reported on.
func TestLabVacuum(t *testing.T) {
	for _, c := range []struct {
		major, sides int
		args         []string
	}{{13, 1, nil}, {18, 2, []string{"--variant", "more", "-c", "work_mem=1MB", "--variant", "usual"}}, {19, 1, nil}} {
		args := []string{"vacuum", "--json", "--scale", "0.01", "--cost-limit", "2", "--indexes", "2", "--parallel", "2", "--pg-bindir", pgtest.Programs(t, c.major).BinDir}
		read, _ := runLab(t, append(args, c.args...)...)
		if n := c.sides; len(read.Sides) != n || len(read.Reports) != n || len(read.Durations) != n {
			t.Fatalf("pg%d: the document is %+v", c.major, read)
		}
		for i, side := range read.Sides {
			watched := read.Reports[i].Runs
			if len(watched) != 1 || watched[0].Table != "measured" || watched[0].Result != "completed" || len(watched[0].Phases) < 2 {
				t.Errorf("pg%d: watched were %+v", c.major, watched)
			}
			if d := read.Durations[i]; d.Quantity != "VACUUM" || d.N != 1 || !side.Fsync {
				t.Errorf("pg%d: a side is %+v, and its durations %+v", c.major, side, d)
			}
		}
		if said := strings.Join(read.Remarks, "\n"); !strings.Contains(said, ": table and indexes, ") || !strings.Contains(said, " fit in shared_buffers, ") {
			t.Errorf("pg%d: that it fits into memory is not said: %s", c.major, said)
		}
	}
}

// Any command runs with the server's programs in its path and connects without being told
// where; the sides take turns, there and back.
func TestLabCommand(t *testing.T) {
	read, _ := runLab(t, "--json", "--pg-bindir", pgtest.Programs(t, 18).BinDir, "--load", `test -n "$PGHOST"`, "--runs", "2", "--variant", "a", "--variant", "b", "--",
		"sh", "-c", `test "$PGUSER" = postgres && test -S "$PGHOST/.s.PGSQL.$PGPORT"`)
	if read.Workload != "command" || len(read.Sides) != 2 {
		t.Fatalf("the document is %+v", read)
	}
	for i, want := range [][]int{{1, 4}, {2, 3}} {
		var runs []int
		for _, run := range read.Sides[i].Runs {
			runs = append(runs, run.Run)
			if run.Values["run: length of the run"] <= 0 {
				t.Errorf("of run %d is known %v", run.Run, run.Values)
			}
		}
		if !slices.Equal(runs, want) {
			t.Errorf("the runs of a side are %v, want %v", runs, want)
		}
	}
	if !slices.Contains(read.Settings, "autovacuum=on") || slices.Contains(read.Settings, "autovacuum=off") {
		t.Errorf("the settings are %q", read.Settings)
	}
}

// What cannot be is said before anything is loaded, and nothing stays behind.
func TestLabThatCannotRun(t *testing.T) {
	path, tmp := program(t), useTempDir(t)
	programs := "--pg-bindir=" + pgtest.Programs(t, 18).BinDir
	for _, c := range []struct {
		args   string
		status int
		said   string
	}{
		{"lab vacuum --parallel 1025", exitUsage, "--parallel"},
		{"lab vacuum --scale 0", exitUsage, "--scale is 0"},
		{"lab vacuum --cost-delay often", exitUsage, `"often" is not a time`},
		{"lab vacuum now", exitUsage, "takes no argument"},
		{"lab nothing", exitUsage, "-- COMMAND"},
		{"lab vacuum --scale 0.01 --variant a -c nothing=1 " + programs, exitFailed, `a: alter system set "nothing"`},
		{"lab vacuum -c =1", exitUsage, "not of the form"},
		{"lab vacuum -c port=1", exitUsage, "port is set by vacscope itself"},
		{"demo --headless -c PORT=1", exitUsage, "port is set by vacscope itself"},
		{"lab vacuum --runs 99999999999999999999", exitUsage, `vacscope: --runs is given "99999999999999999999": value out of range; see`},
		{"lab " + programs + " -- pgbench -l -T 30", exitFailed, "pgbench: exit status 1; what it needs in the database is made by --load"},
		{"lab " + programs + " --load true -- sh -c false", exitFailed, "run sh: exit status 1\n"},
		{"lab " + programs + " -- no-such-program", exitFailed, "vacscope: run the command: exec: \"no-such-program\""},
	} {
		out, err := exec.Command(path, strings.Fields(c.args)...).CombinedOutput()
		if status := new(exec.ExitError); !errors.As(err, &status) || status.ExitCode() != c.status {
			t.Errorf("%s ends with %v", c.args, err)
		}
		if !strings.Contains(string(out), c.said) {
			t.Errorf("%s does not say %q: %s", c.args, c.said, out)
		}
		if strings.Contains(string(out), "What was run") {
			t.Errorf("%s reports what was not measured: %s", c.args, out)
		}
	}
	expectEmpty(t, tmp)
}

// What was measured before a command failed is reported, and what it did is not.
func TestLabCommandThatFailsLater(t *testing.T) {
	again := filepath.Join(t.TempDir(), "again")
	path, tmp := program(t), useTempDir(t)
	cmd := exec.Command(path, "lab", "--json", "--runs", "2", "--pg-bindir", pgtest.Programs(t, 18).BinDir, "--", "mkdir", again)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err == nil || !strings.Contains(messages.String(), "run 2, 18.") || !strings.Contains(messages.String(), "mkdir: exit status 1") {
		t.Errorf("it ends with %v: %s", err, &messages)
	}
	var read labRead
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if runs := read.Sides[0].Runs; len(runs) != 1 || runs[0].Cut {
		t.Errorf("the runs are %+v", runs)
	}
	expectEmpty(t, tmp)
}

// startedLab is vacscope lab in the second of two runs of a command that does not end soon,
// and the folder for its files.
func startedLab(t *testing.T) (cmd *exec.Cmd, tmp string, out, messages *bytes.Buffer) {
	t.Helper()
	began := filepath.Join(t.TempDir(), "began")
	tmp = useTempDir(t)
	if err := syscall.Mkfifo(began, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(program(t), "lab", "--json", "--runs", "2", "--pg-bindir", pgtest.Programs(t, 18).BinDir, "--",
		"sh", "-c", "test -e $0.again || { touch $0.again; exit; }; echo > $0; exec sleep 30", began)
	out, messages = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("cat", began).Run(); err != nil { // returns when the second run has begun
		t.Fatal(err)
	}
	return cmd, tmp, out, messages
}

// A signal ends the run, prints what was measured until then, and leaves nothing.
func TestLabInterrupted(t *testing.T) {
	cmd, tmp, out, messages := startedLab(t)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if status := new(exec.ExitError); !errors.As(err, &status) || status.ExitCode() != exitSignal+int(syscall.SIGINT) {
		t.Errorf("ends with %v: %s", err, messages)
	}
	var read labRead
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if runs := read.Sides[0].Runs; len(runs) != 2 || runs[0].Cut || !runs[1].Cut {
		t.Errorf("the runs are %+v", runs)
	}
	expectEmpty(t, tmp)
}

// A signal before any run has begun is answered.
func TestLabInterruptedBeforeItMeasured(t *testing.T) {
	began := filepath.Join(t.TempDir(), "began")
	tmp := useTempDir(t)
	if err := syscall.Mkfifo(began, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program(t), "lab", "--pg-bindir", pgtest.Programs(t, 18).BinDir, "--load", "echo > "+began+"; exec sleep 30", "--", "true")
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("cat", began).Run(); err != nil { // returns when the state is being made
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || out.Len() > 0 || !strings.Contains(messages.String(), "vacscope: interrupted: nothing was measured yet\n") {
		t.Errorf("it ends with %v, prints %q and says %s", err, &out, &messages)
	}
	expectEmpty(t, tmp)
}

// Of a lab that was killed neither server has files left: not that of the run, nor the
// one that holds the state.
func TestKilledLabLeavesNothing(t *testing.T) {
	cmd, tmp, _, _ := startedLab(t)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	pgtest.Eventually(t, "the servers' folders are gone", func() bool { return len(entries(t, tmp)) == 0 })
}

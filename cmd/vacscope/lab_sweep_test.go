//go:build unix

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// tinySweep is the command line of a sweep that takes a second or two.
func tinySweep(t *testing.T, path string, more ...string) *exec.Cmd {
	t.Helper()
	args := []string{"lab", "sweep", "--size", "1MB", "--indexes", "0,2", "--parallel", "0,1", "-c", "fsync=off", "--pg-bindir", pgtest.Programs(t, 18).BinDir}
	return exec.Command(path, append(args, more...)...)
}

// outputs runs a command that is to succeed.
func outputs(t *testing.T, cmd *exec.Cmd) (stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v: %s", cmd.Args, err, &messages)
	}
	return out.String(), messages.String()
}

// The table is that of the published test, and how long it takes is said before.
func TestSweepAsCSV(t *testing.T) {
	path, tmp := program(t), useTempDir(t)
	stdout, stderr := outputs(t, tinySweep(t, path, "--format", "csv"))
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if head := strings.Join(rows[0], ","); !strings.HasPrefix(head, "indexes,parallel_degree,baseline_ms,time_ms,speed_up,rounds,ideal,launched,") {
		t.Errorf("heads are %s", head)
	}
	var cells []string
	for _, r := range rows[1:] {
		cells = append(cells, r[0]+"/"+r[1]+" in "+r[5]+" launched "+r[7])
	}
	want := "0/0 in 0 launched 0, 0/1 in 0 launched 0, 2/0 in 2 launched 0, 2/1 in 1 launched 1"
	if got := strings.Join(cells, ", "); got != want {
		t.Errorf("rows are %s", got)
	}
	if !strings.HasPrefix(stderr, "vacscope: 6 VACUUMs, which take about ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("said: %s", stderr)
	}
	expectEmpty(t, tmp)
}

// Two server programs are compared: the last one is the baseline.
func TestSweepOfTwoPrograms(t *testing.T) {
	cmd := exec.Command(program(t), "lab", "sweep", "--size", "1MB", "--indexes", "0", "--parallel", "0", "--json", "-c", "fsync=off",
		"--programs", "patched="+pgtest.Programs(t, 18).BinDir, "--programs", "head="+pgtest.Programs(t, 13).BinDir)
	stdout, stderr := outputs(t, cmd)
	var document struct {
		Format string `json:"format"`
		Server struct{ Version, BaselineVersion string }
		Plan   struct{ Programs []string }
		Noise  *float64 `json:"noise_ratio"`
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(stdout, "baseline_version", "BaselineVersion")), &document); err != nil {
		t.Fatal(err)
	}
	if document.Format != "vacscope.sweep" || !strings.HasPrefix(document.Server.Version, "18") || !strings.HasPrefix(document.Server.BaselineVersion, "13") ||
		!strings.HasPrefix(document.Plan.Programs[0], "patched 18") || document.Noise != nil {
		t.Errorf("%+v", document)
	}
	if !strings.Contains(stderr, "vacscope: 0 indexes of 1.0 MiB, PARALLEL 0: ") {
		t.Errorf("the row was not said when it was measured: %s", stderr)
	}
}

// A sweep that was killed leaves no server, and is gone on with where it was.
func TestSweepThatIsKilledAndResumed(t *testing.T) {
	path, noted, tmp := program(t), filepath.Join(t.TempDir(), "runs"), useTempDir(t)
	killed := tinySweep(t, path, "--resume", noted)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	runs := func() int {
		text, _ := os.ReadFile(noted)
		return max(0, strings.Count(string(text), "\n")-1) // without the head
	}
	pgtest.Eventually(t, "two runs", func() bool { return runs() >= 2 })
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // it was killed
	made := runs()
	pgtest.Eventually(t, "the server's folder is gone", func() bool { return len(entries(t, tmp)) == 0 })
	file, err := os.OpenFile(noted, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"half`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}

	out, err := tinySweep(t, path, "--resume", noted, "--runs", "2").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is of another sweep: runs is 1 there, and 2 here; see") {
		t.Errorf("another plan: %v, %s", err, out)
	}
	stdout, stderr := outputs(t, tinySweep(t, path, "--resume", noted, "--format", "csv"))
	if want := fmt.Sprintf("vacscope: %d VACUUM", 6-made); !strings.HasPrefix(stderr, want) && made < 6 {
		t.Errorf("%s, not %s", stderr, want)
	}
	if strings.Count(stdout, "\n") != 5 || runs() != 6 {
		t.Errorf("%d runs are noted:\n%s", runs(), stdout)
	}
	if stdout, stderr = outputs(t, tinySweep(t, path, "--resume", noted, "--format", "csv")); !strings.Contains(stderr, "all runs were made before") || strings.Count(stdout, "\n") != 5 {
		t.Errorf("once more: %s\n%s", stderr, stdout)
	}
}

// What was measured when ^C comes is printed, and nothing stays.
func TestSweepThatIsInterrupted(t *testing.T) {
	path, noted, tmp := program(t), filepath.Join(t.TempDir(), "runs"), useTempDir(t)
	cmd := tinySweep(t, path, "--cost-delay", "20ms", "--cost-limit", "1", "--dirty", "1%", "--resume", noted)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pgtest.Eventually(t, "a row", func() bool {
		text, _ := os.ReadFile(noted)
		return strings.Count(string(text), "\n") >= 3
	})
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 130 {
		t.Errorf("exits with %d: %s", status, &stderr)
	}
	for _, part := range []string{"       0 |        0 |", "It was interrupted after "} {
		if strings.Count(stdout.String(), part) != 1 {
			t.Errorf("%q is not there once:\n%s", part, &stdout)
		}
	}
	expectEmpty(t, tmp)
}

// Without a server of its own it works in a schema, which goes.
func TestSweepOnAnotherServer(t *testing.T) {
	s := pgtest.Start(t, 18)
	cmd := exec.Command(program(t), "lab", "sweep", "--size", "1MB", "--indexes", "0,2", "--parallel", "1", "-d", s.ConnString(), "--allow-create")
	stdout, stderr := outputs(t, cmd)
	for _, part := range []string{", made anew before", "       2 |        1 |"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("%q is not in:\n%s", part, stdout)
		}
	}
	if !strings.Contains(stderr, "works in the schema vacscope_lab_") {
		t.Errorf("said: %s", stderr)
	}
	var left int
	err := s.Conn(t).QueryRow(t.Context(), "select count(*) from pg_namespace where nspname like 'vacscope%'").Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d schemas are left (%v)", left, err)
	}
}

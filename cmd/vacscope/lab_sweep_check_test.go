//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// refusedSweep is what a sweep says that is refused before server programs are looked for.
func refusedSweep(t *testing.T, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	if status := run(append([]string{"lab", "sweep", "--pg-bindir", "/nowhere"}, args...), &stderr); status != exitUsage {
		t.Errorf("%v: exits with %d: %s", args, status, &stderr)
	}
	return stderr.String()
}

// Cost settings that no server takes are refused before one is started.
func TestSweepCostsOutOfRange(t *testing.T) {
	for _, c := range [][3]string{
		{"--cost-delay", "200ms", `"200ms" is not a time from 0 to 100ms`},
		{"--cost-delay", "100001us", "is not a time from 0 to 100ms"},
		{"--cost-delay", "-1", "is not a time such as 2ms"},
		{"--cost-limit", "0", `"0" is not a number from 1 to 10000`},
		{"--cost-limit", "1000000", `"1000000" is not a number from 1 to 10000`},
	} {
		if said := refusedSweep(t, c[0]+"="+c[1]); !strings.Contains(said, c[0]+": ") || !strings.Contains(said, c[2]) {
			t.Errorf("%s=%s: %s", c[0], c[1], said)
		}
	}
}

// Only a file can be gone on with.
func TestSweepResumeOfNoFile(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{os.DevNull, fifo, t.TempDir()} {
		if said := refusedSweep(t, "--resume", path); !strings.Contains(said, "--resume "+path+" is not a regular file") {
			t.Errorf("%s: %s", path, said)
		}
	}
}

// A line that cannot be of the sweep is named, and the file stays as it is.
func TestSweepResumeOfWrongLines(t *testing.T) {
	plan := experiment.SweepPlan{Sizes: []model.Bytes{1 << 20}, Indexes: []int{2}, Degrees: []int{0}, Runs: 1}
	good := plan.Steps()[0]
	good.TookMS = 2
	negative, outside := plan.Steps()[1], good
	negative.TookMS, outside.Indexes = -2, 3
	for want, second := range map[string]experiment.SweepRun{
		"it is there twice": good, "its took_ms is not above 0": negative, "is not in the plan": outside,
	} {
		path := filepath.Join(t.TempDir(), "runs")
		var noted bytes.Buffer
		lines := json.NewEncoder(&noted)
		if err := errors.Join(lines.Encode(sweepHead{sweepFileFormat, 1, plan}), lines.Encode(good), lines.Encode(second), os.WriteFile(path, noted.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		_, _, err := openSweepFile(path, plan)
		if err == nil || exitStatus(err) != exitUsage || !strings.Contains(err.Error(), "line 3 of "+path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, noted.Bytes()) {
			t.Errorf("%s: the file was changed (%v)", want, err)
		}
	}
}

// What it says before agrees with the number of VACUUMs.
func TestSweepAnnounces(t *testing.T) {
	steps := experiment.SweepPlan{Sizes: []model.Bytes{1 << 20}, Indexes: []int{0}, Degrees: []int{0}, Runs: 1}.Steps()
	for n, want := range map[int]string{1: "1 VACUUM, which takes about ", 2: "2 VACUUMs, which take about "} {
		var said bytes.Buffer
		newSweepProgress(&progressLine{w: &said}, experiment.SweepPace{}, experiment.SweepPlace{}, steps[:n]).announce()
		if !strings.Contains(said.String(), want) {
			t.Error(said.String())
		}
	}
}

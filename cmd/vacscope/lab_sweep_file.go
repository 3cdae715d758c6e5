package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"example.com/vacscope/model/experiment"
)

// sweepFile is where a sweep notes each run, to be gone on with: a line of JSON that says
// what is measured, and one for each run. nil notes nothing.
type sweepFile struct{ file *os.File }

// sweepHead is its first line.
type sweepHead struct {
	Format        string               `json:"format"`
	FormatVersion int                  `json:"format_version"`
	Plan          experiment.SweepPlan `json:"plan"`
}

const sweepFileFormat = "vacscope.sweep.runs"

// checkSweepFile refuses what is there and is no file, to which runs cannot be added and
// whose reading need not end, before a server is started.
func checkSweepFile(path string) error {
	if about, err := os.Stat(path); err == nil && !about.Mode().IsRegular() {
		return usageErrorf("--resume %s is not a regular file: runs are noted in one, and read from there later", path)
	}
	return nil
}

// openSweepFile opens a file, new or of an earlier start with the same plan, and returns
// the runs that are in it. A line that was being written when that start ended is cut off.
func openSweepFile(path string, plan experiment.SweepPlan) (*sweepFile, []experiment.SweepRun, error) {
	if path == "" {
		return nil, nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	var runs []experiment.SweepRun
	if len(content) > 0 {
		if runs, err = readSweepRuns(whole, path, plan); err != nil {
			return nil, nil, err
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, err
	}
	f := &sweepFile{file}
	err = file.Truncate(int64(len(whole)))
	if err == nil && len(whole) == 0 {
		err = f.write(sweepHead{sweepFileFormat, 1, plan})
	}
	if err != nil {
		f.close()
		return nil, nil, fmt.Errorf("note runs in %s: %w", path, err)
	}
	return f, runs, nil
}

func readSweepRuns(content []byte, path string, plan experiment.SweepPlan) ([]experiment.SweepRun, error) {
	lines := bytes.Split(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"))
	var head sweepHead
	if err := json.Unmarshal(lines[0], &head); err != nil || head.Format != sweepFileFormat {
		return nil, usageErrorf("%s is not a file of --resume, which could go on", path)
	}
	if differs := planDifference(head.Plan, plan); differs != "" {
		return nil, usageErrorf("%s is of another sweep: %s", path, differs)
	}
	runs := make([]experiment.SweepRun, len(lines)-1)
	for i, line := range lines[1:] {
		if err := json.Unmarshal(line, &runs[i]); err != nil {
			return nil, usageErrorf("line %d of %s is not a run: %w", i+2, path, err)
		}
	}
	if i, err := plan.CheckRuns(runs); err != nil {
		return nil, usageErrorf("line %d of %s is not a run of this sweep: %w", i+2, path, err)
	}
	return runs, nil
}

// planDifference says in what two plans differ, "" when in nothing.
func planDifference(there, here experiment.SweepPlan) string {
	keys := func(p experiment.SweepPlan) map[string]json.RawMessage {
		written, _ := json.Marshal(p) // cannot fail: it is numbers and texts
		fields := map[string]json.RawMessage{}
		_ = json.Unmarshal(written, &fields)
		return fields
	}
	a, b := keys(there), keys(here)
	var names []string
	for name := range b {
		if !bytes.Equal(a[name], b[name]) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return fmt.Sprintf("%s is %s there, and %s here", names[0], a[names[0]], b[names[0]])
}

func (f *sweepFile) write(line any) error {
	written, err := json.Marshal(line)
	if err == nil {
		_, err = f.file.Write(append(written, '\n'))
	}
	return err
}

// add notes a run, on disk.
func (f *sweepFile) add(run experiment.SweepRun) error {
	if f == nil {
		return nil
	}
	if err := errors.Join(f.write(run), f.file.Sync()); err != nil {
		return fmt.Errorf("note a run in %s: %w", f.file.Name(), err)
	}
	return nil
}

func (f *sweepFile) close() {
	if f != nil {
		_ = f.file.Close() // each run was synced
	}
}

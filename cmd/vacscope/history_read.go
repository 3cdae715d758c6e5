package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	"example.com/vacscope/poll/record"
	"example.com/vacscope/tui"
)

// historyReader finds in the history what was watched earlier (tui.History).
type historyReader struct{ folder string }

// earlierHistory is the history as the screen reads it, whether or not this start adds
// to it; nil where there is no folder for it.
func earlierHistory() tui.History {
	state := stateFolder()
	if state == "" {
		return nil
	}
	return historyReader{historyFolder(state)}
}

// Recordings names the files of a server, the newest first: their names begin with their
// time.
func (h historyReader) Recordings(_ context.Context, server model.Server) ([]string, error) {
	if server.SystemIdentifier == "" {
		return nil, errors.New("which recordings are of this server is not known: its system identifier cannot be read (pg_control_system)")
	}
	entries, err := os.ReadDir(h.folder) // sorted by name
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	var names []string
	for _, e := range slices.Backward(entries) {
		if strings.HasSuffix(e.Name(), record.Suffix) && strings.Contains(e.Name(), "-"+systemInName(server)+"-") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// systemInName is how the name of a file in the history tells its server.
func systemInName(s model.Server) string { return cmp.Or(s.SystemIdentifier, "unknown") }

// Report folds a file in which the relation is vacuumed; one in which nothing was written
// yet has no vacuum.
func (h historyReader) Report(ctx context.Context, name string, relid uint32, chosen func(*model.Run) bool) (report.Report, error) {
	path := filepath.Join(h.folder, name)
	var last *model.Snapshot
	has, err := hasVacuumOf(path, relid)
	if has {
		last, _, err = foldRecording(ctx, path)
	}
	switch {
	case err != nil && !errors.Is(err, record.ErrEmpty):
		return report.Report{}, errors.New(oneLine(err.Error()))
	case last == nil:
		return report.Report{}, nil
	}
	return report.Build(last, report.Options{Only: chosen}), nil
}

// hasVacuumOf tells whether a recording may have a vacuum of a relation, by what it looks
// like in a row of a progress view and in a tick.
func hasVacuumOf(path string, relid uint32) (bool, error) {
	r, err := record.Open(path)
	if err != nil {
		return false, err
	}
	defer r.Close()
	has, err := r.Contains(fmt.Sprintf(`"relid":%d,"phase":`, relid))
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return has, nil
}

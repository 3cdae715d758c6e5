package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
)

// historyFile writes a recording of a server's history in which its relations are vacuumed one
// after the other.
func historyFile(t *testing.T, folder, name, system string, relations ...uint32) {
	t.Helper()
	file := recordingFile(t, "kept", record.Header{}, func(yield func(model.Sample) bool) {
		for i, relid := range relations {
			s := seen(uint64(i+1), system, relid)
			s.Poll.Processes[0].Progress.Phase = model.Some[model.Text]("scanning heap")
			if !yield(s) {
				return
			}
		}
	})
	if err := os.Rename(file, filepath.Join(folder, name+record.Suffix)); err != nil {
		t.Fatal(err)
	}
}

func TestTheHistoryOfAServerIsRead(t *testing.T) {
	folder := t.TempDir()
	historyFile(t, folder, "2026-11-01T00-00-00Z-77-1", "77", 1, 2)
	historyFile(t, folder, "2026-11-02T00-00-00Z-77-1", "77", 2)
	historyFile(t, folder, "2026-11-03T00-00-00Z-88-1", "88", 1)
	for name, text := range map[string]string{
		"2026-11-04T00-00-00Z-77-1" + record.Suffix: "", "2026-11-05T00-00-00Z-77-1" + record.Suffix: "no recording", "77.priors.json": "[]",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := historyReader{folder}
	names, err := h.Recordings(t.Context(), model.Server{SystemIdentifier: "77"})
	if err != nil || len(names) != 4 || !slices.IsSortedFunc(names, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Fatalf("%v, %v", names, err)
	}
	var pids, failed int
	for _, name := range names {
		got, err := h.Report(t.Context(), name, 1, func(r *model.Run) bool { return r.Key.RelID == 1 })
		pids += len(got.Runs)
		if err != nil {
			failed++
			if text := err.Error(); !strings.Contains(text, name+": the file is not a recording of vacscope") || strings.Contains(text, "\n") {
				t.Errorf("said %q", text)
			}
		}
	}
	if pids != 1 || failed != 1 { // the empty one is no failure
		t.Errorf("%d vacuums of the relation, %d files that cannot be read", pids, failed)
	}
	if _, err := h.Recordings(t.Context(), model.Server{}); err == nil || !strings.Contains(err.Error(), "system identifier") {
		t.Errorf("of a server that is not known: %v", err)
	}
	if names, err := (historyReader{filepath.Join(folder, "none")}).Recordings(t.Context(), model.Server{SystemIdentifier: "77"}); len(names) > 0 || err != nil {
		t.Errorf("without a history: %v, %v", names, err)
	}
}

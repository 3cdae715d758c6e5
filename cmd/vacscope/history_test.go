package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
)

func TestHistoryBeginsWithTheFirstVacuumAndHoldsNoTextOfOthers(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state", "history")
	samples := polled(10)
	for i, s := range samples {
		other := model.Process{PID: 7, Query: model.Some[model.Text]("update accounts set pin = 'secret'")}
		s.Poll.Processes = []model.Process{other}
		if i >= 4 {
			vacuum := model.Process{PID: 8, Query: model.Some[model.Text]("vacuum t; select 'secret'"), Progress: &model.Progress{View: model.ViewVacuum}}
			s.Poll.Processes = append(s.Poll.Processes, vacuum)
		}
	}
	samples[0].Poll.Settings = []model.Setting{{Name: "vacuum_cost_limit", Setting: "200"}}
	said := make(chan string, 1)
	r := &recorder{stream: samples, history: &keptHistory{folder: folder, wanted: &model.Rates{TickRate: 7}, tell: func(note string) { said <- note }}}
	if err := r.Run(t.Context(), func(model.Sample) {}); err != nil {
		t.Fatal(err)
	}
	r.end()
	if note := <-said; !strings.Contains(note, folder) || !strings.Contains(note, "--no-history") {
		t.Errorf("said %q", note)
	}
	files, _ := os.ReadDir(folder)
	info, err := os.Stat(folder)
	if err != nil || info.Mode().Perm() != 0o700 || len(files) != 1 {
		t.Fatalf("%v, %d files in a folder of mode %v", err, len(files), info.Mode())
	}
	header, got := samplesOf(t, filepath.Join(folder, files[0].Name()))
	if len(got) != 6 || got[0].Seq != 5 || len(got[0].Poll.Settings) != 1 || !header.Redacted || header.Wanted.TickRate != 7 {
		t.Fatalf("%d samples, the first %+v", len(got), got[0])
	}
	for _, p := range got[0].Poll.Processes {
		if q := p.Query.Or(""); strings.Contains(string(q), "secret") || p.PID == 8 && q != "vacuum t" || p.PID == 7 && q != "UPDATE" {
			t.Errorf("query %q", q)
		}
	}
	if q := samples[5].Poll.Processes[0].Query.Or(""); !strings.Contains(string(q), "secret") {
		t.Errorf("the sample itself was written: %q", q)
	}
}

func TestWithoutAVacuumNothingIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "history")
	r := &recorder{stream: polled(5), history: &keptHistory{folder: folder, tell: func(string) { t.Error("something was said") }}}
	if err := r.Run(t.Context(), func(model.Sample) {}); err != nil {
		t.Fatal(err)
	}
	r.end()
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("there is a folder: %v", err)
	}
}

func TestTheOldestRecordingsGo(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"2026-01-01" + record.Suffix, "2026-01-02" + record.Suffix, "2026-01-03" + record.Suffix, "2025-01-01.notes"} {
		if err := os.WriteFile(filepath.Join(folder, name), make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeOldest(folder, 250); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got := strings.Join(left, " "); got != "2025-01-01.notes 2026-01-02"+record.Suffix+" 2026-01-03"+record.Suffix {
		t.Errorf("left: %s", got)
	}
}

func TestAFileEndsAtItsLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+record.Suffix)
	file := startLimited(2000, func(first model.Sample) (*record.Writer, error) {
		return record.Create(path, headerOf(first, nil), false)
	}, func(err error) { t.Error(err) })
	for i := range 50 {
		file.put(model.Sample{Seq: uint64(i + 1), At: time.Unix(int64(i), 0).UTC(), Poll: &model.Poll{}})
	}
	if err := file.end(); err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(path)
	if _, got := samplesOf(t, path); len(got) == 0 || info.Size() > 3000 {
		t.Errorf("%d samples in %d bytes", len(got), info.Size())
	}
}

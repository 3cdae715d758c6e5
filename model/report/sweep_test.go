package report

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"github.com/charmbracelet/x/exp/golden"
)

// postedSweep is the published test as a sweep of so many of its VACUUMs.
func postedSweep(t *testing.T, runs int) *experiment.Sweep {
	t.Helper()
	records, err := csv.NewReader(bytes.NewReader(seed(t, "parallel-vacuum.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const size = 500 << 20
	s := &experiment.Sweep{
		Plan: experiment.SweepPlan{
			Sizes: []model.Bytes{size}, Dirty: 0.1, Runs: 1,
			Indexes: []int{0, 1, 2, 4, 8, 16}, Degrees: []int{0, 1, 2, 4, 8, 16}, Settings: []string{"work_mem=8MB"},
		},
		Measured: experiment.ServerPrograms{Name: "patched", Version: "13devel", Fsync: true, FullPageWrites: true, DebugAssertions: true},
		Baseline: experiment.ServerPrograms{Name: "head", Version: "13devel", Fsync: true, FullPageWrites: true},
		Place:    experiment.SweepPlace{Cores: 4, SharedBuffers: 5 << 30, Warmed: true, MaxMaintenanceWorkers: 16, MaxWorkers: 16, MaxProcesses: 24},
	}
	add := func(r []string, degree string, ms int, baseline bool) {
		numbers := make([]float64, 3)
		for i, text := range []string{r[0], degree, r[ms]} {
			if numbers[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		run := experiment.SweepRun{Run: 1, TookMS: numbers[2], Cleaned: true}
		run.SweepCell = experiment.SweepCell{Size: size, Indexes: int(numbers[0]), Degree: int(numbers[1]), Baseline: baseline}
		run.Launched = max(0, min(run.Degree, run.Indexes-1))
		run.Planned = run.Launched
		if run.Indexes > 0 {
			run.IndexBytes = 311 << 20
		}
		if len(s.Runs) < runs {
			s.Runs = append(s.Runs, run)
		}
	}
	for _, r := range records[1:] {
		if r[1] == "0" {
			add(r, "0", 3, true)
		}
		add(r, r[1], 2, false)
	}
	return s
}

const postedRuns = 42

func TestSweepReport(t *testing.T) {
	s := postedSweep(t, postedRuns)
	s.Spent = experiment.SweepSpent{Vacuum: 60 * time.Second, Restore: 38 * time.Second, Other: 2 * time.Second}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(w *bytes.Buffer) error { return WriteDocumentsText(w, []Document{SweepDocument(s, true)}, "") },
		"markdown": func(w *bytes.Buffer) error { return WriteDocumentsMarkdown(w, []Document{SweepDocument(s, true)}, "") },
		"csv":      func(w *bytes.Buffer) error { return WriteSweepCSV(w, s) },
	} {
		t.Run(name, func(t *testing.T) {
			text := written(t, write)
			if name == "text" {
				requirePlain(t, text)
			}
			golden.RequireEqual(t, text)
		})
	}
}

// What is printed while it goes on is the begin of what stands there in the end.
func TestSweepGrows(t *testing.T) {
	whole := documentText(t, SweepDocument(postedSweep(t, postedRuns), true))
	lines := 0
	for runs := range postedRuns + 1 {
		part := documentText(t, SweepDocument(postedSweep(t, runs), false))
		if !strings.HasPrefix(whole, part) {
			t.Fatalf("after %d runs:\n%s", runs, part)
		}
		lines = max(lines, strings.Count(part, "\n"))
	}
	if lines < 36 {
		t.Errorf("%d lines before the end", lines)
	}
}

// What a reader has to know before believing the numbers is said.
func TestSweepFindings(t *testing.T) {
	has := func(s *experiment.Sweep, want string) {
		t.Helper()
		if all := strings.Join(sweepFindings(s).Items, "\n"); !strings.Contains(all, want) {
			t.Errorf("%q is not in:\n%s", want, all)
		}
	}
	s := postedSweep(t, postedRuns)
	has(s, "Up to 16 processes shared 4 cores: more than 4 save rounds and hardly any time.")
	has(s, "with 4 indexes 1 launched and 2 both need 2 rounds (1.82 and 1.81)")
	s.Place.Delay = 2 * time.Millisecond
	has(s, "which they need little of")
	s.Baseline = s.Measured
	has(s, "differ by up to 3 %: what differs by less is noise")
	has(s, "Most was gained with 8 indexes at degree 16 (7 workers): 3.36 times as fast, of 6.72 that the rounds allow.")
	s.Runs[24].TookMS /= 2 // 4 indexes, degree 2: by chance
	if all := strings.Join(sweepFindings(s).Items, "\n"); strings.Contains(all, "gain nothing") {
		t.Errorf("rows that differ are said to be alike:\n%s", all)
	}

	s = postedSweep(t, postedRuns)
	for i := range s.Runs {
		s.Runs[i].Launched = min(1, s.Runs[i].Launched)
		s.Runs[i].Cleaned = i > 0
	}
	s.Place.MaxWorkers = 1
	has(s, "in the rows (indexes/degree) 4/2, 4/4, 4/8, 4/16, 8/2, 8/4, 8/8, 8/16, 16/2, 16/4, 16/8, 16/16: max_parallel_maintenance_workers is 16, max_parallel_workers 1")
	has(s, "1 of 42 VACUUMs left the table dirty")

	s = postedSweep(t, 5)
	s.Interrupted = true
	has(s, "after 5 of 42 runs")

	s = postedSweep(t, postedRuns)
	for _, r := range s.Runs {
		r.Size, r.IndexBytes = 1<<20, r.IndexBytes>>9
		if r.Launched > 0 {
			r.TookMS *= 5
		}
		s.Runs = append(s.Runs, r)
	}
	s.Plan.Sizes = append(s.Plan.Sizes, 1<<20)
	has(s, "On this machine PARALLEL pays from about 14 MiB per index (by size of an index, the middle speed-up where rounds are saved: 622 KiB 0.49, 311 MiB 2.44).")
}

// Figures of short VACUUMs on a busy machine: no gain is made out of their noise.
func TestSweepFindingsOfNoise(t *testing.T) {
	s := &experiment.Sweep{Plan: experiment.SweepPlan{Sizes: []model.Bytes{1 << 20}, Indexes: []int{0, 1, 2}, Degrees: []int{0, 1}, Runs: 1}, Place: experiment.SweepPlace{Cores: 2}}
	s.Runs = s.Plan.Steps()
	for i, took := range []float64{14, 15, 13, 40, 32, 44, 60.6, 50, 15} {
		s.Runs[i].TookMS, s.Runs[i].Cleaned = took, true
	}
	s.Runs[8].Launched = 1 // 4.04 times as fast, with 2 processes
	said := strings.Join(sweepFindings(s).Items, "\n")
	if strings.Contains(said, "gained") || !strings.Contains(said, "It is too noisy to tell whether workers made a VACUUM faster: a larger --size, more --runs or --cost-delay 2ms") {
		t.Error(said)
	}
}

// Lists of the JSON form are there when they are empty.
func TestSweepJSONOfNothing(t *testing.T) {
	text := written(t, func(w *bytes.Buffer) error { return WriteSweepJSON(w, postedSweep(t, 0)) })
	for _, part := range []string{`"findings": []`, `"runs": []`, `"rows": []`, `"conditions": [`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s is not in:\n%s", part, text)
		}
	}
}

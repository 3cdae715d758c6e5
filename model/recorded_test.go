package model

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model/captured"
)

// Runs of real servers (.ci/capture): those by which the estimates were made, those to
// which no number in them was fitted (what was seen to be wrong in them was mended by
// reasoning), and those that were watched after that.
const (
	tunedRuns   = "testdata/runs"
	heldOutRuns = "testdata/heldout"
	freshRuns   = "testdata/fresh"
)

// recorded is a run as it was really watched, to its end.
type recorded struct {
	name  string
	snaps []*Snapshot // those in which it runs
	end   time.Time
	began time.Time
	key   RunKey
	// foreseeable is from when on nothing came from outside that changed its course: a
	// setting, a session in its way, the failsafe mode.
	foreseeable time.Time
}

// recordedRuns replays the runs of a folder.
func recordedRuns(t testing.TB, folder string) []recorded {
	t.Helper()
	files, err := filepath.Glob(folder + "/*" + captured.Suffix)
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded runs: %v", err)
	}
	var out []recorded
	for _, file := range files {
		out = append(out, replayed(t, file))
	}
	return out
}

// everyRun replays those of all folders.
func everyRun(t testing.TB) []recorded {
	t.Helper()
	return slices.Concat(recordedRuns(t, tunedRuns), recordedRuns(t, heldOutRuns), recordedRuns(t, freshRuns))
}

func replayed(t testing.TB, file string) recorded {
	t.Helper()
	return replayedSamples(t, file, captured.Read[Sample](t, file))
}

// replayedSamples folds samples in which the table t was vacuumed.
func replayedSamples(t testing.TB, file string, samples []Sample) recorded {
	t.Helper()
	snaps := fold(samples)
	run := endedRun(last(snaps))
	if run == nil || run.End.How != EndCompleted {
		t.Fatalf("%s: the run did not complete in it", file)
	}
	r := recorded{
		name: strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), key: run.Key,
		began: run.Began, foreseeable: run.Began, end: run.End.At.Add(-run.End.Within / 2),
	}
	for _, s := range snaps {
		if run := r.run(s); run != nil && run.State == StateRunning {
			r.snaps = append(r.snaps, s)
			r.disturbed(run)
		}
	}
	return r
}

// endedRun is the vacuum of the table t, without its ANALYZE half.
func endedRun(s *Snapshot) *Run {
	i := slices.IndexFunc(s.Ended, func(r *Run) bool { return !r.Key.Analyze && r.Table.Or("") == "t" })
	if i < 0 {
		return nil
	}
	return s.Ended[i]
}

// disturbed moves the time from which on the end could be foreseen.
func (r *recorded) disturbed(run *Run) {
	for _, c := range run.Changes {
		r.foreseeable = latest(r.foreseeable, c.At)
	}
	before := r.snaps[max(0, len(r.snaps)-2)]
	if was := r.run(before); run.HeldUp != nil || run.Failsafe != nil && was.Failsafe == nil || run.tableAge() > was.tableAge()+manyIDs {
		r.foreseeable = run.LastSeen
	}
}

// manyIDs are more transaction ids than are used beside a vacuum that goes its way.
const manyIDs = 1000

func (r *Run) tableAge() int64 {
	if r.Relation == nil {
		return math.MaxInt64 - manyIDs
	}
	return r.Relation.XIDAge.Or(0)
}

// run is the recorded one in a snapshot; others may have run beside it.
func (r recorded) run(s *Snapshot) *Run {
	for _, run := range s.Active {
		if run.Key == r.key {
			return run
		}
	}
	return nil
}

// length is how long the run took.
func (r recorded) length() time.Duration { return r.end.Sub(r.began) }

// after are the snapshots from a share of the run on.
func (r recorded) after(share float64) []*Snapshot {
	from := r.began.Add(time.Duration(share * float64(r.length())))
	var out []*Snapshot
	for _, s := range r.snaps {
		if !s.At.Before(from) {
			out = append(out, s)
		}
	}
	return out
}

// kind is what it is one of: the first word of its name.
func (r recorded) kind() string {
	kind, _, _ := strings.Cut(r.name, "-")
	return kind
}

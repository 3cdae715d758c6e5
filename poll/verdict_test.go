package poll

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// judged folds what a source reads until the run of a process is judged as wanted, and
// returns what is found of it and said.
func judged(t *testing.T, s *pgtest.Server, pid int32, what string, enough func(s *model.Snapshot, r *model.Run) bool) (found map[string]model.Finding, said string) {
	t.Helper()
	var tracker model.Tracker
	runUntil(t, open(t, s.ConnString()), what, func(sample model.Sample) bool {
		snapshot := tracker.Step(sample)
		for _, r := range slices.Concat(snapshot.Active, snapshot.Ended) {
			if r.Key.PID != pid || !enough(snapshot, r) {
				continue
			}
			found = map[string]model.Finding{}
			for _, f := range model.Findings(snapshot, r) {
				found[f.Rule] = f
			}
			said = strings.Join(model.Verdict(snapshot, r), " ")
			return true
		}
		return false
	})
	return found, said
}

// finds tells that a rule has found something.
func finds(rule string) func(*model.Snapshot, *model.Run) bool {
	return func(s *model.Snapshot, r *model.Run) bool {
		return slices.ContainsFunc(model.Findings(s, r), func(f model.Finding) bool { return f.Rule == rule })
	}
}

func wants(t *testing.T, said string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(said, p) {
			t.Errorf("%q is not in %q", p, said)
		}
	}
}

// eachOf runs a test on some majors.
func eachOf(t *testing.T, test func(t *testing.T, s *pgtest.Server), majors ...int) {
	t.Helper()
	for _, major := range majors {
		t.Run("", func(t *testing.T) { test(t, pgtest.Shared(t, major)) })
	}
}

func TestAThrottledVacuumIsDelayBound(t *testing.T) {
	eachOf(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "verdict_throttled")
		found, said := judged(t, s, v.PID, "delay-bound", finds("delay-bound"))
		if len(found) != 1 {
			t.Errorf("found %+v", found)
		}
		wants(t, said, "is asleep", "while scanning heap", "Ten times vacuum_cost_limit would let the same work take ≈1", "(a new run: this one keeps its settings)")
	}, 13, 16, 18, 19)
}

func TestAVacuumBehindAPinIsHeldByIt(t *testing.T) {
	eachOf(t, func(t *testing.T, s *pgtest.Server) {
		v, _ := s.PinnedVacuum(t, "verdict_pinned")
		_, said := judged(t, s, v.PID, "held by a pin, with suspects", func(s *model.Snapshot, r *model.Run) bool {
			return finds("held by a pin")(s, r) && r.HeldUp.HoldersRead
		})
		wants(t, said, "is stuck at block 0 of", "suspects: pid", "idle in transaction", "It goes on when the holder's transaction ends.")
	}, 13, 18, 19)
}

func TestAVacuumThatWaitsForItsTableSaysForWhom(t *testing.T) {
	eachOf(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "verdict_locked", Rows: 10})
		s.LockHold(t, "verdict_locked", "share update exclusive")
		v := s.Vacuum(t, "verdict_locked", "").Waiting(t, "Lock")
		found, said := judged(t, s, v.PID, "a wait whose blocker is known", func(s *model.Snapshot, r *model.Run) bool {
			return r.State == model.StateWaiting && len(s.LockWaits) > 0 && len(s.LockWaits[0].Blockers) > 0 && s.LockWaits[0].Blockers[0].State.Known()
		})
		if len(found) > 0 {
			t.Errorf("found %+v", found)
		}
		wants(t, said, "has not begun", "blocked by pid", "(idle in transaction", "It begins when that transaction ends: SELECT pg_terminate_backend(")
	}, 13, 18, 19)
}

// Of what was seen for a few seconds nothing is found.
func TestAShortVacuumIsNotJudged(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "verdict_short"})
	v := s.Vacuum(t, "verdict_short", "", "vacuum_cost_delay=20ms", "vacuum_cost_limit=1000")
	var tracker model.Tracker
	runUntil(t, open(t, s.ConnString()), "its end", func(sample model.Sample) bool {
		snapshot := tracker.Step(sample)
		for _, r := range slices.Concat(snapshot.Active, snapshot.Ended) {
			if found := model.Findings(snapshot, r); r.Key.PID == v.PID && r.Watched() < 4*time.Second && len(found) > 0 {
				t.Errorf("seen for %v: %+v", r.Watched(), found)
			}
		}
		return len(snapshot.Ended) > 0
	})
}

package tui

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/muesli/termenv"
)

// delayPane is the pane of a state's selected run, zoomed on 120 x 40, as one text.
func delayPane(s *model.Snapshot) string {
	a := newApp(termenv.Ascii, false)
	resize(a, 120, 40)
	a.Update(SnapshotMsg{s})
	press(a, "tab", "tab", "z")
	return a.View()
}

// flat is a text without frames and line breaks.
func flat(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("║", " ", "│", " ").Replace(s)), " ")
}

func expect(t *testing.T, view string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(flat(view), want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
}

func TestReportedAndSampledDelayStandSideBySide(t *testing.T) {
	view := delayPane(parallelSnapshot())
	expect(t, view, "reported 25:51 sampled ≈25:56 ± 8.0 s share 79 %", "scanning heap", "vacuuming indexes", "8:16", "11:47")
	if strings.Contains(view, "differ") || strings.Contains(view, "track_cost_delay_timing") {
		t.Errorf("a measured delay that agrees with the samples needs no words:\n%s", view)
	}
}

func TestAGapOfMoreThanThreeSamplingErrorsIsFlagged(t *testing.T) {
	expect(t, delayPane(differSnapshot()), "reported 12:56 sampled ≈25:56 ± 8.0 s", "differ by more than three sampling errors")
}

// A delay_time of 0 is not a delay of nothing: the estimate is drawn, and what
// switches the timing on is said with for whom that takes effect.
func TestUnmeasuredDelayIsAnEstimateWithTheWayOut(t *testing.T) {
	manual := delayPane(offSnapshot(model.ByManual))
	expect(t, manual, "reported – sampled ≈25:56", "share ≈79 %", "≈delayed", "Not measured: track_cost_delay_timing is off",
		"SET track_cost_delay_timing = on;", "one that runs already will not see it", "GRANT SET ON PARAMETER track_cost_delay_timing TO dba")
	if strings.Contains(manual, "ALTER SYSTEM") {
		t.Errorf("a manual VACUUM does not follow a reload:\n%s", manual)
	}
	expect(t, delayPane(offSnapshot(model.ByAutovacuum)), "≈delayed",
		"ALTER SYSTEM SET track_cost_delay_timing = on; SELECT pg_reload_conf();", "Autovacuums follow, those that run too")
	expect(t, delayPane(attachedSnapshot()), "reported –", "≈delayed", "from version 18 on")
}

// The SQL is on the screen without zoom too.
func TestTheSQLForTheTimingIsOnTheFirstScreen(t *testing.T) {
	a := screen(offSnapshot(model.ByManual))
	if lineWith(a, "SET track_cost_delay_timing = on;") == "" {
		t.Errorf("120x40:\n%s", a.View())
	}
	resize(a, 80, 24)
	press(a, "tab", "tab")
	if lineWith(a, "SET track_cost_delay_timing = on;") == "" {
		t.Errorf("80x24:\n%s", a.View())
	}
}

func TestDelayOfRunsThatAreNotSeenFromTheStart(t *testing.T) {
	expect(t, delayPane(attachedSnapshot()), "since 12:10:43", "4:00")
	expect(t, delayPane(waitingSnapshot()), "nothing yet: it waits for its lock")
	expect(t, delayPane(hiddenSnapshot()), "may not see")
	expect(t, delayPane(endedSnapshot()), "reported 25:51", "11:40")
	if view := delayPane(parallelSnapshot()); strings.Contains(view, "since") {
		t.Errorf("seen from the start:\n%s", view)
	}
}

// A run of which only the beginning was seen is drawn as soon as there is something.
func TestDelayOfTheFirstBeat(t *testing.T) {
	s := parallelSnapshot()
	run := s.Active[0]
	run.Phases, run.History = run.Phases[:1], nil
	run.LastSeen = run.Began.Add(400 * time.Millisecond)
	run.ProcessTime, run.Delay = 400*time.Millisecond, model.Delay{Sampled: model.Some(300 * time.Millisecond)}
	expect(t, delayPane(s), "10 s", "process-time", "reported – sampled ≈300 ms", "share –")
	run.ProcessTime = 0
	expect(t, delayPane(s), "nothing yet")
}

// Where phases that were merged out of many overlap others, no edge is drawn.
func TestMergedPhasesHaveNoEdge(t *testing.T) {
	d := delays{run: passesSnapshot().Active[0]}
	all := len(d.edges())
	d.run.Phases[0].To = d.run.Phases[5].To
	if got := len(d.edges()); all != 24 || got != 23 {
		t.Errorf("%d edges of 24 phases, %d when one was merged", all, got)
	}
}

// Names of phases are whole from 100 columns on.
func TestNamesOfPhasesAreWhole(t *testing.T) {
	for _, w := range []int{100, 120, 160, 200} {
		for _, name := range []model.Text{"cleaning up indexes", "performing final cleanup", "swapping relation files"} {
			s := parallelSnapshot()
			s.Active[0].Phases[1].Phase = name
			a := newApp(termenv.Ascii, false)
			resize(a, w, 40)
			a.Update(SnapshotMsg{s})
			if lineWith(a, glyphSelected, string(name)) == "" || lineWith(a, string(name), "3:31") == "" {
				t.Errorf("%q is cut on a screen of %d columns:\n%s", name, w, a.View())
			}
		}
	}
}

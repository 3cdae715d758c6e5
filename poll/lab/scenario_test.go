package lab_test

import (
	"fmt"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/pgtest"
)

// Every scenario shows its point, at a small scale.
func TestScenariosShowTheirPoints(t *testing.T) {
	for _, scenario := range lab.Scenarios() {
		for _, major := range []int{13, 16, 18, 19} {
			t.Run(fmt.Sprintf("%s/pg%d", scenario.Name, major), func(t *testing.T) {
				t.Parallel() // their vacuums sleep most of the time
				s := pgtest.Start(t, major, scenario.SettingsFor(major)...)
				var said []model.Caption
				checks, err := scenario.Play(t.Context(), s.Server, lab.Show{Scale: 0.1, Say: func(c model.Caption) { said = append(said, c) }})
				if err != nil {
					t.Fatal(err)
				}
				if want := 1 + 2*len(checks); len(said) != want || !said[want-1].Over() || !said[want-1].Last() {
					t.Errorf("%d stages were told by %d captions, the last of them %+v", len(checks), len(said), said[len(said)-1])
				}
				for i, check := range checks {
					t.Logf("stage %d: %s", i+1, check.Figure)
					if !check.Holds {
						t.Errorf("stage %d does not show its point: %s", i+1, check.Figure)
					}
				}
			})
		}
	}
}

// The list of them fits a terminal of 80 columns.
func TestSummariesOfScenariosFitALine(t *testing.T) {
	for _, scenario := range lab.Scenarios() {
		const room = 79 - 20 // beside the longest name
		if n := len(scenario.Summary); n > room || len(scenario.Name) > 18 {
			t.Errorf("%s: %d characters", scenario.Name, n)
		}
	}
}

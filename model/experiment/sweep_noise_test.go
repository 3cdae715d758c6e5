package experiment_test

import (
	"math"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// timed is a row of a small sweep: of a baseline of 100 ms, and 20 ms without indexes.
type timed struct {
	indexes, degree int
	took            float64
}

func timedSweep(rows ...timed) *experiment.Sweep {
	s := &experiment.Sweep{Plan: experiment.SweepPlan{Sizes: []model.Bytes{1 << 20}, Indexes: []int{0, 1, 2, 4}, Degrees: []int{0, 1, 2, 4}, Runs: 1}}
	for _, indexes := range s.Plan.Indexes {
		took := 100.0
		if indexes == 0 {
			took = 20
		}
		s.Runs = append(s.Runs, experiment.SweepRun{SweepCell: experiment.SweepCell{1 << 20, indexes, 0, true}, Run: 1, TookMS: took})
	}
	for _, r := range rows {
		s.Runs = append(s.Runs, experiment.SweepRun{
			SweepCell: experiment.SweepCell{1 << 20, r.indexes, r.degree, false}, Run: 1, TookMS: r.took,
			Launched: max(0, min(r.degree, r.indexes-1)),
		})
	}
	return s
}

// What must be alike and is not is noise, and so is what the rounds do not allow; the
// best is a row that is neither.
func TestSweepNoise(t *testing.T) {
	for name, c := range map[string]struct {
		rows   []timed
		noise  float64 // -1: not known
		degree int     // of the best row, -1: none
		hidden bool
	}{
		"degree 0 and its baseline":               {[]timed{{2, 0, 80}, {2, 1, 62}}, 0.25, 1, false},
		"a baseline that was slower":              {[]timed{{2, 0, 125}, {2, 1, 62}}, 0.25, 1, false},
		"one index, which no worker helps":        {[]timed{{1, 2, 80}, {2, 1, 90}}, 0.25, -1, true},
		"no index":                                {[]timed{{0, 4, 16}, {2, 1, 62}}, 0.25, 1, false},
		"as many workers":                         {[]timed{{2, 1, 96}, {2, 4, 80}}, 0.2, 4, false},
		"above what the rounds allow":             {[]timed{{2, 0, 96}, {2, 1, 25}}, 100.0/25/(100.0/60) - 1, -1, true},
		"above that, and another within noise":    {[]timed{{2, 1, 25}, {4, 1, 50}}, 100.0/25/(100.0/60) - 1, -1, true},
		"little above that":                       {[]timed{{2, 0, 100}, {2, 1, 59}}, 0, 1, false},
		"quiet, and nothing gained":               {[]timed{{2, 0, 99}, {2, 1, 101}}, 100.0/99 - 1, -1, false},
		"noisy, and so slow that nothing is lost": {[]timed{{2, 0, 80}, {2, 1, 300}}, 0.25, -1, false},
		"nothing that must be alike":              {[]timed{{2, 1, 62}}, -1, 1, false},
	} {
		s := timedSweep(c.rows...)
		noise, known := s.Noise().Get()
		if known != (c.noise >= 0) || known && math.Abs(float64(noise)-c.noise) > 0.001 {
			t.Errorf("%s: noise %.3f, known: %t", name, noise, known)
		}
		best := s.Best().Or(experiment.Best{})
		if degree := best.Row.Or(experiment.SweepRow{Degree: -1}).Degree; degree != c.degree || best.Hidden != c.hidden {
			t.Errorf("%s: the best is of degree %d, hidden: %t", name, degree, best.Hidden)
		}
	}
	if timedSweep(timed{1, 1, 100}).Best().Known() {
		t.Error("there is a best row without one that saves rounds")
	}
}

// Other server programs can be faster without noise.
func TestSweepNoiseOfTwoPrograms(t *testing.T) {
	s := timedSweep(timed{2, 0, 50}, timed{2, 1, 25})
	s.Baseline.Name = "head"
	if row, known := s.Best().Or(experiment.Best{}).Row.Get(); s.Noise().Known() || !known || row.SpeedUp != 4 {
		t.Errorf("noise %v, best %+v", s.Noise(), row)
	}
}

// Where noise hides whether workers pay the size says nothing.
func TestSweepPaysFromWithNoise(t *testing.T) {
	s := timedSweep(timed{2, 0, 80}, timed{2, 1, 90})
	for _, r := range s.Runs {
		for shift, gain := range []float64{0.9, 1.6} {
			r := r
			r.Size <<= 2 * (shift + 1)
			r.IndexBytes = r.Size / 2
			switch {
			case r.Degree == 1:
				r.TookMS = 100 / gain
			case r.Indexes == 2:
				r.TookMS = 100
			}
			s.Runs = append(s.Runs, r)
		}
	}
	s.Plan.Sizes = []model.Bytes{1 << 20, 4 << 20, 16 << 20}
	pays, known := s.PaysFrom().Get()
	if !known || !pays.Sizes[0].Hidden || pays.NotAt != 2<<20 || pays.At != 8<<20 {
		t.Errorf("%+v, known: %t", pays, known)
	}
}

// What was noted is taken only where it can be a run of the plan.
func TestSweepCheckRuns(t *testing.T) {
	plan := experiment.SweepPlan{Sizes: []model.Bytes{1 << 20}, Indexes: []int{2}, Degrees: []int{0, 1}, Runs: 2}
	good := plan.Steps()
	for i := range good {
		good[i].TookMS = 1
	}
	if i, err := plan.CheckRuns(good); err != nil {
		t.Errorf("run %d: %v", i, err)
	}
	for name, spoil := range map[string]func(r *experiment.SweepRun){
		"twice":           func(r *experiment.SweepRun) { *r = good[0] },
		"no time":         func(r *experiment.SweepRun) { r.TookMS = 0 },
		"negative time":   func(r *experiment.SweepRun) { r.TookMS = -3 },
		"another degree":  func(r *experiment.SweepRun) { r.Degree = 7 },
		"another size":    func(r *experiment.SweepRun) { r.Size++ },
		"one run more":    func(r *experiment.SweepRun) { r.Run = 3 },
		"workers below 0": func(r *experiment.SweepRun) { r.Launched = -1 },
	} {
		runs := append([]experiment.SweepRun{}, good...)
		spoil(&runs[4])
		if i, err := plan.CheckRuns(runs); err == nil || i != 4 {
			t.Errorf("%s: run %d: %v", name, i, err)
		}
	}
}

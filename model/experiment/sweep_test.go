package experiment_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

const published = model.Bytes(500 << 20)

// publishedSweep is the published test as a sweep, with the speed-ups that it gives. As
// many workers are launched as there are indexes for beside the leader's.
func publishedSweep(t *testing.T) (s experiment.Sweep, speedUps []float64) {
	t.Helper()
	file, err := os.Open("../report/testdata/seeds/parallel-vacuum.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	s.Plan = experiment.SweepPlan{
		Sizes: []model.Bytes{published}, Runs: 1,
		Indexes: []int{0, 1, 2, 4, 8, 16}, Degrees: []int{0, 1, 2, 4, 8, 16},
	}
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, r := range records[1:] {
		indexes, degree := int(number(r[0])), int(number(r[1]))
		if degree == 0 {
			s.Runs = append(s.Runs, experiment.SweepRun{SweepCell: experiment.SweepCell{published, indexes, 0, true}, TookMS: number(r[3])})
		}
		s.Runs = append(s.Runs, experiment.SweepRun{
			SweepCell: experiment.SweepCell{published, indexes, degree, false}, TookMS: number(r[2]),
			Launched: max(0, min(degree, indexes-1)), Cleaned: true,
		})
		speedUps = append(speedUps, number(r[4]))
	}
	return s, speedUps
}

// The speed-ups are those published; the time follows the rounds: where none is saved
// nothing is gained, and where some are, never more than they save.
func TestSweepOfThePublishedTest(t *testing.T) {
	s, speedUps := publishedSweep(t)
	rows := s.Rows()
	if len(rows) != len(speedUps) {
		t.Fatalf("%d rows of %d", len(rows), len(speedUps))
	}
	byCell := map[[2]int]experiment.SweepRow{}
	for i, r := range rows {
		if math.Abs(float64(r.SpeedUp)-speedUps[i]) > 0.00005+1e-9 {
			t.Errorf("%d indexes, degree %d: %.4f, published %.4f", r.Indexes, r.Degree, r.SpeedUp, speedUps[i])
		}
		ideal, known := r.Ideal.Get()
		if !known || r.SpeedUp > ideal*1.03 {
			t.Errorf("%d indexes, degree %d: %.2f above the ideal of %.2f", r.Indexes, r.Degree, r.SpeedUp, ideal)
		}
		if !r.SavesRounds() && math.Abs(float64(r.SpeedUp)-1) > 0.05 {
			t.Errorf("%d indexes, degree %d: %.2f, and no round is saved", r.Indexes, r.Degree, r.SpeedUp)
		}
		byCell[[2]int{r.Indexes, r.Degree}] = r
	}
	for cell, want := range map[[2]int]struct {
		rounds int
		ideal  float64
	}{
		{0, 4}: {0, 1}, {1, 4}: {1, 1}, {2, 1}: {1, 1.817}, {2, 16}: {1, 1.817},
		{4, 1}: {2, 1.900}, {4, 2}: {2, 1.900}, {4, 4}: {1, 3.452}, {8, 2}: {3, 2.551}, {16, 8}: {2, 7.295},
	} {
		r := byCell[cell]
		if r.Rounds != want.rounds || math.Abs(float64(r.Ideal.Or(0))-want.ideal) > 0.001 {
			t.Errorf("%v: %d rounds, ideal %.3f, want %d and %.3f", cell, r.Rounds, r.Ideal.Or(0), want.rounds, want.ideal)
		}
	}
	if one, two := byCell[[2]int{4, 1}], byCell[[2]int{4, 2}]; one.Rounds != two.Rounds || math.Abs(float64(one.SpeedUp-two.SpeedUp)) > 0.01 {
		t.Errorf("4 indexes, one worker and two: %.2f and %.2f", one.SpeedUp, two.SpeedUp)
	}
	noise, known := s.Noise().Get()
	if !known || math.Abs(float64(noise)-0.0297) > 0.0001 {
		t.Errorf("noise %.4f, known: %t", noise, known)
	}
	if s.PaysFrom().Known() {
		t.Error("one size tells from what size on workers pay")
	}
}

func TestSweepPaysFrom(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		gains              []float64 // at indexes of 4, 16 and 64 MB
		notAt, at, between model.Bytes
	}{
		"in between":       {[]float64{0.9, 1.02, 1.5}, 16 * mb, 64 * mb, 32 * mb},
		"everywhere":       {[]float64{1.2, 1.3, 1.5}, 0, 4 * mb, 0},
		"nowhere":          {[]float64{0.8, 0.9, 1.04}, 64 * mb, 0, 0},
		"a gain by chance": {[]float64{1.3, 0.9, 1.5}, 16 * mb, 64 * mb, 32 * mb},
	} {
		s := experiment.Sweep{Plan: experiment.SweepPlan{Runs: 1, Indexes: []int{2}, Degrees: []int{0, 1}}}
		for i, gain := range c.gains {
			size := model.Bytes(8*mb) << (2 * i)
			s.Plan.Sizes = append(s.Plan.Sizes, size)
			cell := experiment.SweepCell{Size: size, Indexes: 2}
			degree0, degree1, baseline := cell, cell, cell
			degree1.Degree, baseline.Baseline = 1, true
			s.Runs = append(s.Runs,
				experiment.SweepRun{SweepCell: baseline, TookMS: 100, IndexBytes: size / 2},
				experiment.SweepRun{SweepCell: degree0, TookMS: 102, IndexBytes: size / 2},
				experiment.SweepRun{SweepCell: degree1, TookMS: 100 / gain, Launched: 1, IndexBytes: size / 2})
		}
		pays, known := s.PaysFrom().Get()
		if !known || pays.NotAt != c.notAt || pays.At != c.at || pays.About().Or(0) != c.between {
			t.Errorf("%s: %+v, about %v", name, pays, pays.About())
		}
	}
}

// A row is there when all its runs are, of an interrupted sweep with those that were
// made; the time of several is their median.
func TestSweepRowsOfSeveralRuns(t *testing.T) {
	s := experiment.Sweep{Plan: experiment.SweepPlan{Sizes: []model.Bytes{published}, Indexes: []int{0}, Degrees: []int{0}, Runs: 3}}
	steps := s.Plan.Steps()
	for i, took := range []float64{100, 90, 120, 80, 110, 130} {
		steps[i].TookMS = took
	}
	s.Runs = steps[:5]
	if rows := s.Rows(); len(rows) != 0 {
		t.Errorf("%+v before its last run", rows)
	}
	s.Interrupted = true
	if rows := s.Rows(); len(rows) != 1 || rows[0].Time.N != 2 || rows[0].Time.Median != 85 {
		t.Errorf("interrupted: %+v", rows)
	}
	s.Interrupted, s.Runs = false, steps
	rows := s.Rows()
	if len(rows) != 1 || rows[0].Time != (experiment.Spread{N: 3, Median: 90, Min: 80, Max: 130}) || rows[0].Baseline.Median != 110 {
		t.Errorf("%+v", rows)
	}
}

package experiment_test

import (
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// The time for the indexes follows the rounds as far as there are cores, that asleep
// without; what is copied grows with the indexes.
func TestSweepPace(t *testing.T) {
	const mb = 1 << 20
	pace := experiment.SweepPace{
		Size: 4 * mb, IndexBytes: 2 * mb, Dirty: 0.1,
		Load: 40 * time.Millisecond, AddIndex: 20 * time.Millisecond, Nothing: 30 * time.Millisecond, Restore: 90 * time.Millisecond,
		Heap: 4 * time.Millisecond, OneIndex: 14 * time.Millisecond,
	}
	place := experiment.SweepPlace{Cores: 2, MaxWorkers: 8}
	step := func(indexes, degree int) experiment.SweepRun {
		return experiment.SweepRun{SweepCell: experiment.SweepCell{Size: 40 * mb, Indexes: indexes, Degree: degree}}
	}
	throttled := place
	throttled.Delay, throttled.Limit = 2*time.Millisecond, 200
	own := place
	own.Own = true
	// 40 MB are copied in 400 ms and each of the indexes in 200; the heap takes 40 and an index 100.
	for name, c := range map[string]struct {
		place           experiment.SweepPlace
		indexes, degree int
		want            time.Duration
	}{
		"no index":               {place, 0, 4, 430 + 40},
		"one index":              {place, 1, 4, 630 + 140},
		"one after another":      {place, 4, 0, 1230 + 440},
		"two at once":            {place, 4, 1, 1230 + 240},
		"four at once, two core": {place, 4, 3, 1230 + 240},
		"throttled":              {throttled, 1, 0, 630 + 140 + 112 + 536}, // naps for 512 pages of the table and 2560 of the index
		"throttled, two rounds":  {throttled, 4, 1, 1230 + 240 + 112 + 2*536},
		"made anew":              {own, 2, 0, 400 + 2*200 + 240},
	} {
		if got := pace.Step(c.place, step(c.indexes, c.degree)); got.Round(time.Millisecond) != c.want*time.Millisecond {
			t.Errorf("%s: %s, want %s", name, got, c.want*time.Millisecond)
		}
	}
	// Of two runs of one table it is made once, and copied.
	steps := []experiment.SweepRun{step(1, 0), step(1, 1)}
	about := 2*770*time.Millisecond + 630*time.Millisecond + 600*time.Millisecond
	if got, want := pace.Expected(place, steps), (model.Range{Low: about * 4 / 10, High: about * 14 / 10}); got != want {
		t.Errorf("expected %v, want %v", got, want)
	}
}

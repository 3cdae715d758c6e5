package record

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// remembered is a memory of samples.
func remembered(t *testing.T, limit int, samples []model.Sample) *Memory {
	t.Helper()
	m, err := NewMemory(limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		m.Add(s)
	}
	return m
}

func TestWhatWasSeenSinceAMomentBeginsBeforeIt(t *testing.T) {
	samples := beats(65)
	samples[0].Poll.Settings = []model.Setting{{Name: "vacuum_cost_limit", Setting: "200"}}
	samples[20].Poll = nil // the first of its frame
	m := remembered(t, 1<<20, samples)
	for moment, first := range map[int]int{-5: 0, 0: 0, 9: 0, 12: 0, 25: 10, 34: 21, 64: 50, 600: 50} {
		began, since := m.Since(samples[0].At.Add(time.Duration(moment) * time.Second))
		got := slices.Collect(since)
		want := slices.Clone(samples[first:])
		if len(got) == 0 || began.After(got[0].At) || got[0].At.Sub(began) > time.Second {
			t.Fatalf("since second %d: %d samples, said to begin at %v", moment, len(got), began)
		}
		if set := got[0].Poll.Settings; len(set) != 1 {
			t.Errorf("since second %d: what stands is not in the first sample: %+v", moment, set)
		}
		got[0].Poll.Settings, want[0].Poll.Settings = nil, nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("since second %d: %d samples from %d on, want %d", moment, len(got), got[0].Seq, len(want))
		}
		samples[0].Poll.Settings = []model.Setting{{Name: "vacuum_cost_limit", Setting: "200"}}
	}
}

// What stands is known also where it was read in what is dropped; samples that come
// while it is read are none of it.
func TestWhatIsLeftOfWhatWasSeenIsComplete(t *testing.T) {
	samples := beats(300)
	samples[0].Poll.Settings = []model.Setting{{Name: "vacuum_cost_limit", Setting: "200"}}
	m := remembered(t, 8<<10, samples)
	if m.Dropped() == 0 {
		t.Fatal("nothing was dropped")
	}
	began, since := m.Since(samples[0].At)
	for _, s := range beats(900)[300:] {
		m.Add(s) // drops all of it
	}
	got := slices.Collect(since)
	if n := len(got); n == 0 || n == 300 || got[n-1].Seq != 300 || !began.Equal(got[0].At) || !began.After(samples[0].At) {
		t.Fatalf("%d samples, said to begin at %v", len(got), began)
	}
	if set := got[0].Poll.Settings; len(set) != 1 || set[0].Setting != "200" {
		t.Errorf("what stands is not in the first sample: %+v", set)
	}
}

func TestOfNothingNothingWasSeen(t *testing.T) {
	began, since := remembered(t, 1000, nil).Since(t0)
	if got := slices.Collect(since); len(got) > 0 || !began.IsZero() {
		t.Errorf("%d samples since %v", len(got), began)
	}
}

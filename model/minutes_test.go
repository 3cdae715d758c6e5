package model

import (
	"slices"
	"testing"
	"time"
)

var parallelFinish = Some(Wait{"IPC", "ParallelFinish"})

// samplesIn are the leader's samples of a wait event in each minute.
func samplesIn(minutes []Minute, wait Opt[Wait]) []int {
	var out []int
	for _, m := range minutes {
		n := 0
		for _, w := range m.Waits {
			if w.Wait == wait && !w.Worker {
				n += w.Samples
			}
		}
		out = append(out, n)
	}
	return out
}

// waitingFor is a stream of one tick a second in which the leader waits as told.
func waitingFor(from int, waits ...Opt[Wait]) []Sample {
	stream := []Sample{beat(1, 1000*from-5)}
	for i, wait := range waits {
		s := beat(uint64(i+2), 1000*(from+i)+900, vacuumer(inPhase("vacuuming indexes")))
		tick := tickAt(1000*(from+i), "vacuuming indexes", 0, wait, workerRow(201, 0, asleep))
		tick.Gap = time.Second
		s.Ticks = []Tick{tick}
		stream = append(stream, s)
	}
	return stream
}

func TestSamplesAreCountedByMinuteOfTheClock(t *testing.T) {
	waits := slices.Repeat([]Opt[Wait]{parallelFinish}, 80)
	waits[0] = onCPU
	run := onlyRun(t, last(fold(waitingFor(30, waits...))))
	if got := samplesIn(run.Minutes(), parallelFinish); !slices.Equal(got, []int{29, 50}) {
		t.Errorf("from second 31 on, for 79 s: %v", got)
	}
	if m := run.Minutes()[1]; !m.From.Equal(t0.Add(time.Minute)) || m.For != time.Minute {
		t.Errorf("the second minute is %v for %v", m.From, m.For)
	}
}

// Minutes for a day, then by ten: days of samples stay few, and none is lost.
func TestMinutesOfALongRunAreMerged(t *testing.T) {
	var m minutes
	const days = 20
	for i := range days * 24 * 60 {
		m.add(t0.Add(time.Duration(i)*time.Minute), MinuteWait{Wait: asleep, Samples: 3})
		if len(m.over) >= maxMinutes {
			t.Fatalf("%d minutes after %d", len(m.over), i)
		}
	}
	run := Run{minutes: m.over, minute: m.current}
	total := 0
	for i, minute := range run.Minutes() {
		if i > 0 && !minute.From.Equal(run.Minutes()[i-1].From.Add(minute.For)) {
			t.Fatalf("%v does not follow %v", minute.From, run.Minutes()[i-1].From)
		}
		total += minute.Waits[0].Samples
	}
	if total != 3*days*24*60 || m.length != 100*time.Minute {
		t.Errorf("%d samples in minutes of %v", total, m.length)
	}
}

func TestAPublishedMinuteIsNotWrittenAgain(t *testing.T) {
	snaps := fold(waitingFor(0, slices.Repeat([]Opt[Wait]{asleep}, 70)...))
	for i, snap := range snaps[1:] {
		n := 0
		for _, samples := range samplesIn(onlyRun(t, snap).Minutes(), asleep) {
			n += samples
		}
		if n != i+1 {
			t.Fatalf("snapshot %d holds %d samples", i+1, n)
		}
	}
}

// The longest run of consecutive samples is the process's own, and is told with its
// place. A sample of something else ends it, and so does a gap in watching.
func TestLongestRunOfConsecutiveSamples(t *testing.T) {
	p, o := parallelFinish, onCPU
	stream := waitingFor(0, p, p, o, p, p, p, o, p)
	streak := func(stream []Sample) WaitStreak {
		for _, s := range onlyRun(t, last(fold(stream))).Streaks {
			if s.Wait == p && !s.Worker {
				return s
			}
		}
		t.Fatal("no streak")
		return WaitStreak{}
	}
	want := WaitStreak{Wait: p, PID: 100, Samples: 3, From: at(3000), To: at(5000), Phase: "vacuuming indexes", Pass: 1}
	if got := streak(stream); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	stream = waitingFor(0, p, p, p, p, p)
	stream = slices.Delete(stream, 3, 4) // one missed sample is no gap
	if got := streak(stream).Samples; got != 4 {
		t.Errorf("over a missed sample: %d in a row", got)
	}
	stream = slices.Delete(waitingFor(0, p, p, p, p, p, p), 3, 5)
	if got := streak(stream).Samples; got != 2 {
		t.Errorf("over a gap of 3 s: %d in a row", got)
	}
}

// How long workers lived in a phase is known of each, and of passes that were merged
// of all together.
func TestLifeOfWorkersInAPhase(t *testing.T) {
	run := onlyRun(t, last(fold(waitingFor(0, asleep, asleep, asleep))))
	span := run.Phase()
	if n, lived := span.Workers(); n != 1 || lived != 2*time.Second {
		t.Errorf("%d workers lived %v", n, lived) // the first sample was at its start
	}
	merged := span.with(*span).with(*span)
	if n, lived := merged.Workers(); n != 3 || lived != 6*time.Second {
		t.Errorf("of three passes: %d workers lived %v", n, lived)
	}
}

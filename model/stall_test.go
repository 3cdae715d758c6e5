package model

import (
	"math/rand/v2"
	"testing"
	"time"
)

// passOf20Hz folds a scan that sleeps a share of its time and then a pass over the indexes,
// with 20 samples a second; wait is what the leader is seen to do, by the second of the
// pass, and delay its delay_time then, where the server gives one.
func passOf20Hz(t *testing.T, seconds int, wait func(second int) Opt[Wait], delay func(second int) Opt[float64], check func(second int, run *Run)) {
	t.Helper()
	rel := tableOf(1000, 400)
	var tracker Tracker
	for i := range 20 + seconds {
		phase, second := Text(phaseScanningHeap), i-20
		p := scanning(Blocks(50*i), 1000)
		if second >= 0 {
			phase, p = phaseVacuumingIndexes, inPhase(phaseVacuumingIndexes)
		}
		s := beat(uint64(i+1), 1000*i+1000, vacuumer(p))
		s.Poll.Server.VersionNum, s.Poll.Relations = 160000, []Relation{rel}
		for ms := 50; ms <= 1000; ms += 50 {
			tick := tickAt(1000*i+ms, phase, 0, wait(second))
			tick.Rows[0].DelayTime = delay(second)
			s.Ticks = append(s.Ticks, tick)
		}
		leader := &s.Poll.Processes[0]
		leader.Wait, leader.Progress.DelayTime = s.Ticks[19].Rows[0].Wait, s.Ticks[19].Rows[0].DelayTime
		if run := onlyRun(t, tracker.Step(s)); second >= 0 {
			check(second, run)
		}
	}
}

func uncounted(int) Opt[float64] { return None[float64]() }

// A leader that was stopped (SIGSTOP) shows for ever what it did then. It slept again and
// again before, so that it reads as stalled, with its age, and never as a growing number.
func TestAProcessStoppedInAnIndexPassIsStalled(t *testing.T) {
	for name, stopped := range map[string]Opt[Wait]{"on a CPU": onCPU, "in a nap": asleep} {
		random := rand.New(rand.NewPCG(1, 2))
		wait := func(second int) Opt[Wait] {
			switch {
			case second >= 5 && second < 65:
				return stopped
			case random.Float64() < 0.8:
				return asleep
			}
			return onCPU
		}
		var before Whole
		passOf20Hz(t, 80, wait, uncounted, func(second int, run *Run) {
			w := run.Whole
			stalled, ok := w.Stalled.Get()
			switch stood := time.Duration(second-4) * time.Second; {
			case second == 4:
				before = w
			case stood < 0 || second >= 65:
				if ok {
					t.Errorf("%s: goes on, and is stalled for %v", name, stalled)
				}
			case stood > 10*time.Second && second < 65:
				if !ok || (stalled-stood).Abs() > time.Second || w.Left.Known() {
					t.Fatalf("%s: stopped %v ago: stalled %v, left %v", name, stood, w.Stalled, w.Left)
				}
			}
			if second == 66 && (w.Middle.Or(0) > before.Middle.Or(0) || w.Left.Or(Range{}).High > 2*before.Left.Or(Range{}).High) {
				t.Errorf("%s: %v left, before it was stopped %v", name, w.Left, before.Left)
			}
		})
	}
}

// From 18 on delay_time moves about once a second, also where every sample is asleep.
func TestDelayTimeTellsThatAPassGoesOn(t *testing.T) {
	always := func(int) Opt[Wait] { return asleep }
	moving := func(second int) Opt[float64] { return Some(float64(20_000 + 990*min(second, 60))) }
	passOf20Hz(t, 90, always, moving, func(second int, run *Run) {
		_, ok := run.Whole.Stalled.Get()
		if stood := second - 60; ok && stood < 5 || !ok && stood > 10 {
			t.Errorf("%d s: stalled %v", second, run.Whole.Stalled)
		}
	})
}

// Nothing distinguishes a big index that is vacuumed on a CPU, without sleeping, from a
// process that was stopped: the number is there with how long nothing has changed.
func TestABusyPassIsNotStalled(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	wait := func(second int) Opt[Wait] {
		if second < 0 && random.Float64() < 0.3 {
			return Some(Wait{"IO", "DataFileRead"})
		}
		return onCPU
	}
	told := false
	passOf20Hz(t, 120, wait, uncounted, func(second int, run *Run) {
		w := run.Whole
		if w.Stalled.Known() || !w.Left.Known() {
			t.Fatalf("%d s: stalled %v, left %v", second, w.Stalled, w.Left)
		}
		unchanged, ok := w.Unchanged.Get()
		if want := time.Duration(second) * time.Second; ok && (unchanged-want).Abs() > time.Second {
			t.Errorf("unchanged for %v of %v", unchanged, want)
		}
		told = told || ok
		if second > 100 && !ok {
			t.Errorf("%d s: %v left grows silently", second, w.Left)
		}
	})
	if !told {
		t.Error("never said")
	}
}

// Passes that sleep nearly always, or that are looked at once a second only, have long
// stretches of samples that are alike.
func TestAPassThatSleepsIsNotStalled(t *testing.T) {
	for _, share := range []float64{0.15, 0.5, 0.9, 0.98, 0.995} {
		random := rand.New(rand.NewPCG(5, 6))
		wait := func(int) Opt[Wait] {
			if random.Float64() < share {
				return asleep
			}
			return onCPU
		}
		passOf20Hz(t, 600, wait, uncounted, func(second int, run *Run) {
			if run.Whole.Stalled.Known() {
				t.Errorf("%v asleep, %d s: stalled %v", share, second, run.Whole.Stalled)
			}
		})
	}
}

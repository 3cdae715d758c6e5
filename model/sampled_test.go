package model

import (
	"math/rand/v2"
	"testing"
	"time"
)

// ticksOf are the beats of a scan that is asleep all the time, with ticks at these
// milliseconds.
func ticksOf(times ...int) []Sample {
	samples := []Sample{beat(1, -5)}
	for seq, from := uint64(2), 0; len(times) > 0; seq, from = seq+1, from+1000 {
		s := beat(seq, from+1000, vacuumer(scanning(1, 100)))
		for len(times) > 0 && times[0] < from+1000 {
			s.Ticks = append(s.Ticks, tickAt(times[0], "scanning heap", float64(times[0]), asleep))
			times = times[1:]
		}
		samples = append(samples, s)
	}
	return samples
}

// Of ticks that were missed it is known that the process lived: what was slept in
// them is estimated, not left out.
func TestAProcessLivesThroughMissedTicks(t *testing.T) {
	var times []int
	for ms := 50; ms < 20_000; ms += 50 {
		if ms/1000%2 == 0 || ms%200 == 0 { // every other second only each fourth
			times = append(times, ms)
		}
	}
	run := onlyRun(t, last(fold(ticksOf(times...))))
	seen := time.Duration(times[len(times)-1]) * time.Millisecond
	if run.ProcessTime != seen || run.Delay.Sampled != Some(seen) {
		t.Errorf("process-time %v, sampled %v, want %v", run.ProcessTime, run.Delay.Sampled, seen)
	}
}

// Where nobody watched for longer, nothing is concluded from before and after.
func TestAGapInWatchingIsNotSlept(t *testing.T) {
	run := onlyRun(t, last(fold(ticksOf(50, 100, 150, 9900, 9950))))
	if want := 250 * time.Millisecond; run.ProcessTime != want || run.Delay.Sampled != Some(want) {
		t.Errorf("process-time %v, sampled %v, want %v", run.ProcessTime, run.Delay.Sampled, want)
	}
}

// The interval holds what was really slept in 95 of 100 runs, with naps much
// shorter than a slot and much longer, for any share, with ticks missed.
func TestIntervalHoldsTheDelay(t *testing.T) {
	const (
		runs  = 500
		slots = 400
		slot  = 50 * time.Millisecond
	)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, nap := range []time.Duration{2 * time.Millisecond, 40 * time.Millisecond, 300 * time.Millisecond, 3 * time.Second} {
		for _, share := range []float64{0.05, 0.3, 0.8, 0.97} {
			for _, missed := range []float64{0, 0.4} {
				held, off := 0, 0.0
				for range runs {
					slept, estimate, margin := simulate(rng, nap, share, missed, slots, slot)
					if (estimate - slept).Abs() <= margin {
						held++
					}
					off += (estimate - slept).Seconds()
				}
				if held < runs*93/100 {
					t.Errorf("naps of %v, share %v, %v missed: in %d of %d", nap, share, missed, held, runs)
				}
				if bias := off / runs / (slots * slot).Seconds(); max(bias, -bias) > 0.005 {
					t.Errorf("naps of %v, share %v, %v missed: %.4f of the time too much", nap, share, missed, bias)
				}
			}
		}
	}
}

// simulate draws a process that sleeps and works for random times, and samples it at
// a random point of each slot.
func simulate(rng *rand.Rand, nap time.Duration, share, missed float64, slots int, slot time.Duration) (slept, estimate, margin time.Duration) {
	var c sleepCount
	work := time.Duration(float64(nap) * (1 - share) / share)
	asleep, until := rng.Float64() < share, time.Duration(0)
	change := func() {
		mean := work
		if asleep = !asleep; asleep {
			mean = nap
		}
		until += max(1, time.Duration(rng.ExpFloat64()*float64(mean)))
	}
	var from, before time.Duration // up to when slept is counted, and the tick before
	reach := func(to time.Duration) {
		for from < to {
			step := min(until, to) - from
			if asleep {
				slept += step
			}
			if from += step; from == until {
				change()
			}
		}
	}
	for i := range slots {
		at := slot*time.Duration(i) + time.Duration(rng.Int64N(int64(slot)))
		if rng.Float64() < missed {
			before = slot * time.Duration(i+1)
			continue
		}
		reach(at)
		c.add(asleep, at-before)
		before = at
	}
	reach(slot * time.Duration(slots))
	sampled, margin := c.delay(slot * time.Duration(slots))
	return slept, sampled.Or(0), margin
}

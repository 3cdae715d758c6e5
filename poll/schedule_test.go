package poll

import (
	"math/rand/v2"
	"testing"
	"time"
)

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestBeatsStandOnAGridAndMissedOnesAreSkipped(t *testing.T) {
	start := time.Unix(1000, 0)
	s := newSchedule(start, time.Second, seeded())
	for _, c := range []struct {
		doneAt, want time.Duration // since start
	}{
		{10 * time.Millisecond, 1 * time.Second},
		{1990 * time.Millisecond, 2 * time.Second},
		{2 * time.Second, 3 * time.Second},
		{5500 * time.Millisecond, 6 * time.Second}, // 4 and 5 are lost, not caught up with
		{7 * time.Second, 8 * time.Second},         // the beat of 7 is over when it begins
	} {
		s.beatDone(start.Add(c.doneAt))
		if at, beat := s.next(); !beat || !at.Equal(start.Add(c.want)) {
			t.Errorf("after %v the next beat is at %v, want %v", c.doneAt, at.Sub(start), c.want)
		}
	}
}

func TestATickFallsAnywhereInItsSlot(t *testing.T) {
	start := time.Unix(1000, 0)
	s := newSchedule(start, time.Hour, seeded())
	s.beatDone(start)
	s.setTickRate(start, 20)
	const slot = 50 * time.Millisecond
	var thirds [3]int
	for i := range 300 {
		at, beat := s.next()
		offset := at.Sub(start.Add(time.Duration(i) * slot))
		if beat || offset < 0 || offset >= slot {
			t.Fatalf("tick %d is %v after the start of its slot", i, offset)
		}
		thirds[3*offset/slot]++
		s.tickDone()
	}
	for i, n := range thirds {
		if n < 60 || n > 140 {
			t.Errorf("%d of 300 ticks fell into third %d of their slots", n, i+1)
		}
	}
}

func TestSlotsThatAreOverAreCountedAsMissed(t *testing.T) {
	start := time.Unix(1000, 0)
	s := newSchedule(start, time.Hour, seeded())
	s.beatDone(start)
	s.setTickRate(start, 10)
	for _, c := range []struct {
		now    time.Duration
		missed int
	}{
		{99 * time.Millisecond, 0},
		{100 * time.Millisecond, 1},
		{550 * time.Millisecond, 4},
		{560 * time.Millisecond, 0},
	} {
		if got := s.skipTicks(start.Add(c.now)); got != c.missed {
			t.Errorf("at %v: %d missed, want %d", c.now, got, c.missed)
		}
	}
	if at, _ := s.next(); at.Sub(start) < 500*time.Millisecond || at.Sub(start) >= 600*time.Millisecond {
		t.Errorf("the next tick is at %v, not in the slot that runs", at.Sub(start))
	}
	s.setTickRate(start, 0)
	if _, beat := s.next(); !beat {
		t.Error("a tick is planned at rate 0")
	}
}

func TestBackoffDoublesUpToItsCap(t *testing.T) {
	b := backoff{rand: seeded()}
	for _, most := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, maxDelay, maxDelay} {
		if d := b.next(); d < most/2 || d > most {
			t.Errorf("%v, want between half of %v and it", d, most)
		}
	}
	b.reset()
	if d := b.next(); d > firstDelay {
		t.Errorf("%v after a success", d)
	}
}

package poll

import (
	"math/rand/v2"
	"time"

	"example.com/vacscope/model"
)

// schedule says when to read next. Beats stand on a fixed grid from the first
// one on; slots that are over are skipped, never caught up with. Ticks fall at a
// random point of each slot, so that they cannot beat with the naps of a vacuum.
type schedule struct {
	interval time.Duration
	beatAt   time.Time

	slot   time.Duration // 0: no ticks
	slotAt time.Time     // start of the current slot
	tickAt time.Time     // the point in it
	rand   *rand.Rand
}

// newSchedule starts with a beat at once.
func newSchedule(start time.Time, interval time.Duration, rng *rand.Rand) *schedule {
	return &schedule{interval: interval, beatAt: start, rand: rng}
}

// setInterval changes the grid from the next beat on.
func (s *schedule) setInterval(interval time.Duration) { s.interval = interval }

// setTickRate changes the slots, from now on; the same rate changes nothing.
func (s *schedule) setTickRate(now time.Time, rate model.PerSecond) {
	slot := time.Duration(0)
	if rate > 0 {
		slot = time.Duration(float64(time.Second) / float64(rate))
	}
	if slot == s.slot {
		return
	}
	s.slot = slot
	s.startSlot(now)
}

func (s *schedule) startSlot(at time.Time) {
	s.slotAt = at
	if s.slot > 0 {
		s.tickAt = at.Add(time.Duration(s.rand.Int64N(int64(s.slot))))
	}
}

// next is when to read next, and whether it is a beat. A beat goes first.
func (s *schedule) next() (at time.Time, beat bool) {
	if s.slot > 0 && s.tickAt.Before(s.beatAt) {
		return s.tickAt, false
	}
	return s.beatAt, true
}

// beatDone moves on to the first beat of the grid that is still to come.
func (s *schedule) beatDone(now time.Time) {
	s.beatAt = s.beatAt.Add(s.interval)
	if late := now.Sub(s.beatAt); late >= 0 {
		s.beatAt = s.beatAt.Add(late - late%s.interval + s.interval)
	}
}

// tickDone moves on to the slot after the current one.
func (s *schedule) tickDone() { s.startSlot(s.slotAt.Add(s.slot)) }

// skipTicks leaves the slots that are over without a tick and returns how many
// they were.
func (s *schedule) skipTicks(now time.Time) int {
	if s.slot == 0 {
		return 0
	}
	over := int(now.Sub(s.slotAt) / s.slot)
	if over > 0 {
		s.startSlot(s.slotAt.Add(time.Duration(over) * s.slot))
	}
	return over
}

package poll

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"example.com/vacscope/model"
)

// briefVacuum is a server on which a vacuum runs from one time to another.
type briefVacuum struct {
	fakeServer
	from, to time.Time
}

func (b *briefVacuum) tick(ctx context.Context) (*tickReading, error) {
	r, err := b.fakeServer.tick(ctx)
	if now := time.Now(); err == nil && now.After(b.from) && now.Before(b.to) {
		r.rows = []model.TickRow{{PID: 1, Phase: "scanning heap"}}
	}
	return r, err
}

// A vacuum that starts while ticks rest is seen by the next one, and from then on
// read at the full rate, between two beats too.
func TestAVacuumThatStartsWakesTheTicksBeforeTheNextBeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		b := &briefVacuum{from: start.Add(10 * time.Second), to: start.Add(12 * time.Second)}
		s := newSource(func(context.Context) (reader, error) { return b, nil }, Options{Interval: 4 * time.Second, TickRate: 20}, seeded())
		if err := s.connected(s.dial(t.Context())); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		missed := 0
		if err := s.Run(ctx, func(sample model.Sample) { missed += sample.TicksMissed }); err != nil {
			t.Fatal(err)
		}
		between := func(from, to time.Duration) (n int) {
			for _, at := range b.ticks {
				if d := at.Sub(start); d >= from && d < to {
					n++
				}
			}
			return n
		}
		// the beats of 8 s and 16 s see nothing; the vacuum ran between them
		if rest, awake, again := between(0, 10*time.Second), between(10500*time.Millisecond, 15500*time.Millisecond), between(20*time.Second, 30*time.Second); rest < 45 || rest > 51 || awake < 95 || again < 45 || again > 51 {
			t.Errorf("ticks: %d in the 10 s before it, %d in 5 s from it on, %d in 10 s long after it; want 50, 100, 50", rest, awake, again)
		}
		if first := between(10*time.Second, 10400*time.Millisecond); first == 0 || missed > 0 {
			t.Errorf("%d ticks in the first 400 ms of it, %d missed", first, missed)
		}
	})
}

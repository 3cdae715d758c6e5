package poll

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"example.com/vacscope/model"
)

// dialTimeout ends an attempt to connect again.
const dialTimeout = 15 * time.Second

// Run reads the server until ctx ends (then it returns nil) and hands each sample
// to emit, the first one at once. emit is called from this goroutine; while it
// works nothing is read.
//
// When the connection is lost, a sample without Poll says so at once, one more
// after each attempt to connect that failed, and in each interval one that only
// carries the time; then Run returns to its rhythm. Only a server that came back
// older than 13 ends it with an error.
func (s *Source) Run(ctx context.Context, emit func(model.Sample)) error {
	for {
		if s.reader == nil {
			if err := s.reconnect(ctx, emit); err != nil {
				return unlessEnded(ctx, err)
			}
		}
		err := s.poll(ctx, emit)
		if ctx.Err() != nil {
			return nil
		}
		s.Close()
		s.skipTicks(time.Now())
		s.event(model.Event{Kind: model.EventLost, Text: model.Text(oneLine(err))})
		emit(s.sample(nil, s.clock.at(time.Now())))
	}
}

func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// poll beats and ticks until the connection is gone or ctx ends.
func (s *Source) poll(ctx context.Context, emit func(model.Sample)) error {
	s.schedule = newSchedule(time.Now(), s.pace.interval(), s.rand)
	s.lastTick, s.since = time.Time{}, time.Time{}
	for whole := true; ; {
		at, isBeat := s.schedule.next()
		if err := sleepUntil(ctx, at); err != nil {
			return err
		}
		if !isBeat {
			if err := s.tick(ctx); err != nil {
				return err
			}
			continue
		}
		sample, err := s.beat(ctx, whole)
		if err != nil {
			return err
		}
		emit(sample)
		s.backoff.reset()
		s.plan()
		whole = false
	}
}

// plan sets the next beat and the slots for ticks from what reading costs.
func (s *Source) plan() {
	now := time.Now()
	rate, _ := s.pace.tickRate()
	s.schedule.setInterval(s.pace.interval())
	s.schedule.beatDone(now)
	s.skipTicks(now)
	s.schedule.setTickRate(now, rate)
}

// tick reads one tick into what is pending.
func (s *Source) tick(ctx context.Context) error {
	r, err := s.reader.tick(ctx)
	if err != nil {
		return err
	}
	slotAt, woken := s.schedule.slotAt, false
	s.schedule.tickDone()
	s.spent += r.cost
	if r.problem.Known() {
		s.problem(r.problem.Or(model.Problem{}))
		s.missTicks(1)
	} else {
		s.clock = r.clock
		woken = s.pace.tickSeen(r)
		t := model.Tick{At: r.clock.server, Gap: r.clock.client.Sub(slotAt), Rows: r.rows}
		if !s.lastTick.IsZero() {
			t.Gap = t.At.Sub(s.lastTick)
		}
		s.lastTick = t.At
		s.pending.ticks = append(s.pending.ticks, t)
	}
	now := time.Now()
	s.skipTicks(now)
	if woken {
		rate, _ := s.pace.tickRate()
		s.schedule.setTickRate(now, rate)
	}
	return nil
}

func (s *Source) skipTicks(now time.Time) { s.missTicks(s.schedule.skipTicks(now)) }

// missTicks counts planned ticks that gave no reading: the next one stands only
// for its own slot.
func (s *Source) missTicks(n int) {
	if n > 0 {
		s.pending.missed += n
		s.lastTick = time.Time{}
	}
}

// reconnect tries until there is a connection. It gives up when ctx ends and when
// the server is not one that can be read.
func (s *Source) reconnect(ctx context.Context, emit func(model.Sample)) error {
	beats := time.NewTicker(s.pace.interval())
	defer beats.Stop()
	// pass lets time pass until done is closed.
	pass := func(done <-chan struct{}) {
		for {
			select {
			case <-done:
				return
			case <-beats.C:
				emit(s.sample(nil, s.clock.at(time.Now())))
			}
		}
	}
	for next := time.Now().Add(s.backoff.next()); ; {
		wait, cancel := context.WithDeadline(ctx, next)
		pass(wait.Done())
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := s.redial(ctx, pass)
		_, tooOld := errors.AsType[*tooOldError](err)
		if err == nil || ctx.Err() != nil || tooOld {
			return err
		}
		now := time.Now()
		next = now.Add(s.backoff.next())
		s.event(model.Event{Kind: model.EventRetry, Text: model.Text(oneLine(err)), Until: model.Some(s.clock.at(next))})
		emit(s.sample(nil, s.clock.at(now)))
	}
}

// redial tries once to connect, and lets time pass until that is decided.
func (s *Source) redial(ctx context.Context, pass func(done <-chan struct{})) error {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	var r reader
	var err error
	var broken any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if broken = recover(); broken != nil {
				broken = fmt.Sprintf("%v\n%s", broken, debug.Stack())
			}
		}()
		r, err = s.dial(ctx)
	}()
	pass(done)
	if broken != nil {
		panic(broken) // where the caller can catch it
	}
	return s.connected(r, err)
}

// sleepUntil waits for a time of the client's clock; the error is ctx's.
func sleepUntil(ctx context.Context, at time.Time) error {
	wait := time.NewTimer(time.Until(at))
	defer wait.Stop()
	select {
	case <-wait.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

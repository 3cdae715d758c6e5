package poll

import (
	"context"
	"errors"
	"time"

	"example.com/vacscope/model"
)

// dialTimeout ends an attempt to connect again.
const dialTimeout = 15 * time.Second

// Run reads the server until ctx ends (then it returns nil) and hands each sample
// to emit, the first one at once. emit is called from this goroutine; while it
// works nothing is read.
//
// Once a second at least there is a sample, of which some carry only the time: while
// the server owes an answer (AskedAt), while there is no connection, and between
// beats that are far apart. When the connection is lost, a sample without Poll says
// so at once, and one more after each attempt to connect that failed. Only a server
// that came back older than 13 ends it with an error.
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
		if errors.Is(err, errAskedToReconnect) {
			s.Reconnect() // without a pause
		}
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
		if err := s.sleep(ctx, at, emit); err != nil {
			return err
		}
		if !isBeat {
			if err := s.tick(ctx, emit); err != nil {
				return err
			}
			continue
		}
		sample, err := s.beat(ctx, whole, emit)
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
func (s *Source) tick(ctx context.Context, emit func(model.Sample)) error {
	var r *tickReading
	var err error
	if asked := s.while(ctx, answerTime, emit, func(ctx context.Context) { r, err = s.reader.tick(ctx) }); asked != nil {
		return asked
	}
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
// the server is not one that can be read. A person's wish ends the pause before the
// next attempt, or replaces the attempt under way.
func (s *Source) reconnect(ctx context.Context, emit func(model.Sample)) error {
	for next := time.Now().Add(s.backoff.next()); ; {
		wait, cancel := context.WithDeadline(ctx, next)
		hurried := s.pass(wait.Done(), model.None[time.Time](), s.told.Add(clockInterval), emit)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if hurried != nil {
			s.backoff.reset()
		}
		err := s.redial(ctx, emit)
		_, tooOld := errors.AsType[*tooOldError](err)
		if err == nil || ctx.Err() != nil || tooOld {
			return err
		}
		now := time.Now()
		if next = now.Add(s.backoff.next()); errors.Is(err, errAskedToReconnect) {
			next = now
			continue
		}
		s.event(model.Event{Kind: model.EventRetry, Text: model.Text(oneLine(err)), Until: model.Some(s.clock.at(next))})
		emit(s.sample(nil, s.clock.at(now)))
	}
}

// redial tries once to connect, and lets time pass until that is decided.
func (s *Source) redial(ctx context.Context, emit func(model.Sample)) error {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	var r reader
	var err error
	if asked := s.while(ctx, 0, emit, func(ctx context.Context) { r, err = s.dial(ctx) }); asked != nil {
		if err == nil {
			r.close()
		}
		return asked
	}
	return s.connected(r, err)
}

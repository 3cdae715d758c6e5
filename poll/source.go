package poll

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Options says how often to read. Both rates are ceilings: model.Watch says what
// is in force.
type Options struct {
	// Interval is the time from beat to beat; 0: a second.
	Interval time.Duration
	// TickRate is how many ticks a second; 0: none.
	TickRate model.PerSecond
	// TickRateGiven tells that the person asked for this rate: then it also holds
	// on a server that logs every statement.
	TickRateGiven bool
	// NoOtherDatabases keeps it to one connection: names in other databases than the
	// connected one are not looked up there.
	NoOtherDatabases bool
}

// Source is a server being watched. Its methods are for one goroutine at a time.
type Source struct {
	dial     func(context.Context) (reader, error)
	rand     *rand.Rand
	pace     pace
	backoff  backoff
	schedule *schedule

	reader  reader // nil while there is no connection
	clock   serverClock
	server  model.Server // as of the last beat
	seq     uint64
	pending pending
	others  otherDatabases
	hurry   chan struct{} // holds one when a person wants a new connection
	told    time.Time     // when the last sample was made
	since   time.Time     // when the last beat ended
	spent   time.Duration // server time since then
	// lastTick is the server's time of the last tick; zero when the next one does
	// not follow on it.
	lastTick time.Time
}

// reader is one connection as the loop sees it. An error means that the
// connection is gone.
type reader interface {
	beat(ctx context.Context, whole bool) (*reading, error)
	tick(ctx context.Context) (*tickReading, error)
	close()
}

// pending is what waits for the next sample.
type pending struct {
	ticks    []model.Tick
	missed   int
	events   []model.Event
	problems []model.Problem
}

// Open connects to the server. It fails, with one line that holds no secret, when
// the server cannot be reached, refuses the role, or is older than 13.
func Open(ctx context.Context, config *Config, options Options) (*Source, error) {
	dial := func(ctx context.Context) (reader, error) { return connect(ctx, config) }
	s := newSource(dial, options, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	if err := s.connected(s.dial(ctx)); err != nil {
		return nil, err
	}
	if !options.NoOtherDatabases {
		s.others = *newOtherDatabases(config)
	}
	return s, nil
}

func newSource(dial func(context.Context) (reader, error), options Options, rng *rand.Rand) *Source {
	options.Interval = cmp.Or(options.Interval, time.Second)
	return &Source{dial: dial, rand: rng, pace: pace{options: options}, backoff: backoff{rand: rng}, hurry: make(chan struct{}, 1)}
}

// connected takes what dial returned.
func (s *Source) connected(r reader, err error) error {
	if err != nil {
		return err
	}
	s.reader = r
	s.event(model.Event{Kind: model.EventConnected})
	return nil
}

// Close ends the connection, and one to another database if there is one.
func (s *Source) Close() {
	s.others.close()
	if s.reader != nil {
		s.reader.close()
		s.reader = nil
	}
}

// patience is for how long a single beat waits for names in other databases.
const patience = 3 * time.Second

// Beat reads the server once, completely: lock requests and names of what it saw
// come with it, those in other databases too where that takes no longer than
// patience. The sample has no ticks. Its Poll is nil when the connection is
// gone, and its Problems say why.
func (s *Source) Beat(ctx context.Context) model.Sample {
	if s.reader == nil {
		return s.failed(errNotConnected)
	}
	sample, err := s.beat(ctx, true, nil)
	if err != nil {
		s.Close()
		return s.failed(err)
	}
	s.others.await(ctx, patience, sample.Poll)
	return sample
}

func (s *Source) failed(err error) model.Sample {
	s.pending.problems = append(s.pending.problems, connectionProblem(err))
	return s.sample(nil, s.clock.at(time.Now()))
}

// beat makes the sample of one beat, with everything that was pending. While the
// server does not answer, emit gets samples that say so.
func (s *Source) beat(ctx context.Context, whole bool, emit func(model.Sample)) (model.Sample, error) {
	var r *reading
	var err error
	asked := s.while(ctx, answerTime, emit, func(ctx context.Context) { r, err = s.reader.beat(ctx, whole) })
	if err := cmp.Or(asked, err); err != nil {
		return model.Sample{}, err
	}
	now := time.Now()
	at := s.clock.at(now)
	if r.clock.known() {
		s.clock, at = r.clock, r.clock.server
	}
	s.noteRestart(r.poll.Server)
	if r.note != "" {
		s.event(model.Event{Kind: model.EventNote, Text: r.note})
	}
	s.pace.beatSeen(r)
	s.spent += s.others.take(&r.poll, now)
	s.others.see(&r.poll, now)
	r.poll.Watch = s.watch(now, r)
	for _, p := range r.problems {
		s.problem(p)
	}
	return s.sample(&r.poll, at), nil
}

// watch describes what watching itself does and cost since the last beat, and
// begins to count anew.
func (s *Source) watch(now time.Time, r *reading) model.Watch {
	w := model.Watch{Interval: s.pace.interval(), RoundTrip: r.roundTrip}
	w.TickRate, w.TickRateNote = s.pace.tickRate()
	s.spent += r.cost
	if !s.since.IsZero() && now.After(s.since) {
		w.ServerTime = model.Some(model.Ratio(float64(s.spent) / float64(now.Sub(s.since))))
	}
	s.since, s.spent = now, 0
	return w
}

// noteRestart tells when the server behind the connection is another one than at
// the last beat.
func (s *Source) noteRestart(now model.Server) {
	before := s.server
	s.server = now
	known := !before.StartedAt.IsZero() && !now.StartedAt.IsZero()
	switch {
	case before.VersionNum == 0:
	case before.SystemIdentifier != "" && now.SystemIdentifier != "" && before.SystemIdentifier != now.SystemIdentifier:
		s.event(model.Event{Kind: model.EventNote, Text: "another server answers at this address"})
		s.others.close()
		s.others.databases = nil
	case known && !before.StartedAt.Equal(now.StartedAt):
		s.event(model.Event{Kind: model.EventNote, Text: "the server was restarted"})
	case before.InRecovery && !now.InRecovery:
		s.event(model.Event{Kind: model.EventNote, Text: "the standby was promoted: it is a primary now"})
	}
}

// sample takes what is pending.
func (s *Source) sample(poll *model.Poll, at time.Time) model.Sample {
	s.seq++
	s.told = time.Now()
	p := s.pending
	s.pending = pending{}
	return model.Sample{
		Seq: s.seq, At: at, Poll: poll,
		Ticks: p.ticks, TicksMissed: p.missed, Events: p.events, Problems: p.problems,
	}
}

// event stamps an event with the server's clock and keeps it for the next sample.
func (s *Source) event(e model.Event) {
	e.At = s.clock.at(time.Now())
	s.pending.events = append(s.pending.events, e)
}

// problem keeps a problem for the next sample, once per part.
func (s *Source) problem(p model.Problem) {
	if !slices.ContainsFunc(s.pending.problems, func(q model.Problem) bool { return q.Part == p.Part }) {
		s.pending.problems = append(s.pending.problems, p)
	}
}

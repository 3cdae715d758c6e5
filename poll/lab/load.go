package lab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"example.com/vacscope/poll/server"
	"golang.org/x/sync/errgroup"
)

// loadSettings are those of the workloads whose clients are load generators. Autovacuum
// comes every second or two, as it comes every few minutes to a large table, and is slow
// enough that it matters whether it has much to do. Checkpoints come as often as the
// server lets them.
func loadSettings(_ int, p Params) []string {
	return []string{
		"autovacuum=on",
		"autovacuum_naptime=1s",
		"autovacuum_vacuum_threshold=2000",
		"autovacuum_vacuum_scale_factor=0",
		fmt.Sprintf("autovacuum_vacuum_insert_threshold=%d", p.Rows(20_000)),
		"autovacuum_vacuum_insert_scale_factor=0",
		"autovacuum_vacuum_cost_limit=100",
		"checkpoint_timeout=30s",
		"shared_buffers=256MB",
		fmt.Sprintf("max_connections=%d", p.Clients+20),
	}
}

// rateOption is the option for how often what the clients do is due.
func rateOption(usual int, what string) Option {
	return Option{
		Name: "rate", Default: strconv.Itoa(usual), Check: Number(0, 1_000_000),
		Usage: "`N` " + what + " per second are due, of all clients; how long one takes counts from then (0: each is due when the one before it has ended)",
	}
}

// load runs clients, each of which works over and over, and other work beside them, until
// ctx ends or one of them fails. The clients' paces are those of the rate.
func load(ctx context.Context, s *server.Server, p Params, o *Observed, work func(ctx context.Context, c *client) error, others ...func(ctx context.Context) error) error {
	if p.Number("rate") == 0 {
		o.Remark("closed loop: each was due when the one before it had ended, so those that a slow one held up do not count as slow")
	}
	group, working := errgroup.WithContext(ctx)
	began := time.Now()
	for number := range p.Clients {
		c := &client{number: number, pace: newPace(began, p.Number("rate"), number, p.Clients), o: o, seed: p.Seed}
		group.Go(func() error { return c.run(working, s, work) })
	}
	for _, other := range others {
		group.Go(func() error { return other(working) })
	}
	err := group.Wait()
	o.keptUp(p.Number("rate"), p.Clients, time.Since(began))
	if ctx.Err() != nil {
		return nil // what failed did so for that
	}
	return err
}

// client is one session of a load generator.
type client struct {
	number int
	conn   *server.Conn
	pace   pace
	o      *Observed
	seed   uint64 // of all clients
}

// run works over and over.
func (c *client) run(ctx context.Context, s *server.Server, work func(ctx context.Context, c *client) error) (err error) {
	if c.conn, err = s.Connect(ctx); err != nil {
		return err
	}
	defer closeQuietly(c.conn)
	_, err = c.conn.Exec(ctx, "select pg_catalog.setseed($1)", rand.New(rand.NewPCG(c.seed, uint64(c.number))).Float64())
	for err == nil {
		err = work(ctx, c)
	}
	return fmt.Errorf("client %d: %w", c.number+1, err)
}

// pace says when something is due, whether or not what was due before has been done.
type pace struct {
	next  time.Time
	every time.Duration // 0: as soon as asked
}

// newPace is that of one of several who take turns, together at a rate per second.
func newPace(began time.Time, rate, number, of int) pace {
	if rate == 0 {
		return pace{}
	}
	each := time.Second / time.Duration(rate)
	return pace{next: began.Add(each * time.Duration(number)), every: time.Second * time.Duration(of) / time.Duration(rate)}
}

// wait waits for the next time that is due, if that has not passed, and returns it.
func (p *pace) wait(ctx context.Context) (time.Time, error) {
	if p.every == 0 {
		return time.Now(), ctx.Err()
	}
	due := p.next
	p.next = due.Add(p.every)
	if ahead := time.Until(due); ahead > 0 {
		return due, sleep(ctx, ahead)
	}
	return due, ctx.Err()
}

package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// LeaderWaits shows that a big index among small ones makes everybody else of a parallel
// vacuum wait for the one who has it.
func LeaderWaits() Scenario {
	return Scenario{
		Name:     "leader-waits",
		Summary:  "the leader waits for the worker with the one big index",
		Settings: func(int) []string { return workersForAll },
		Begin:    beginLeaderWaits,
	}
}

// parts is a table with small indexes and, later, a big one.
type parts struct {
	conn, look *server.Conn
	uneven     parallelVacuum // with the big index, and a worker for each
	ended      int            // vacuums
}

const (
	partsAtScaleOne = 16_000
	// fewestParts keep the leader busy with its first index until the workers have started.
	fewestParts = 6_000
)

func beginLeaderWaits(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	p := &parts{}
	var err error
	if p.conn, err = s.Connect(ctx); err != nil {
		return nil, err
	}
	if p.look, err = s.Connect(ctx); err != nil {
		return nil, err
	}
	err = execAll(ctx, p.conn,
		"create table public.parts (id int not null, shelf int not null, what varchar(96)) with (autovacuum_enabled = off)",
		fmt.Sprintf("insert into public.parts select g, g * 7919 %% 1000003, repeat(md5(g::text), 3) from generate_series(1, %d) g",
			max(fewestParts, scaled(partsAtScaleOne, scale))),
		"create index parts_shelf_1 on public.parts (shelf) with (fillfactor = 20)",
		"create index parts_shelf_2 on public.parts (shelf) with (fillfactor = 20)",
		"create index parts_shelf_3 on public.parts (shelf) with (fillfactor = 20)",
		"create index parts_shelf_4 on public.parts (shelf) with (fillfactor = 20)",
		// About a second for a small index at scale 1, and ten for the big one.
		"set vacuum_cost_delay = '2ms'", "set vacuum_cost_limit = 9")
	if err != nil {
		return nil, err
	}
	return []Stage{
		{Caption: Caption{
			Title: "four equal indexes",
			Happens: "VACUUM (PARALLEL 3) of a table with 4 equal indexes: the leader, who runs the VACUUM, and 3 workers take one each. " +
				"They are throttled, and finish at about the same time.",
			Look: "while the indexes are vacuumed all four processes sleep and work alike.",
		}, Run: p.even},
		{Caption: Caption{
			Title: "one of them is big",
			Happens: "One of the four indexes was replaced by one about ten times as large. The same VACUUM runs again. An index is never divided: " +
				"whoever has the big one is busy long after the others have finished. The leader then can only wait.",
			Look: "the leader's wait is ParallelFinish; one worker is left. After some seconds the index is named below the vacuums.",
		}, Run: p.big},
		{Caption: Caption{
			Title: "fewer workers do as well",
			Happens: "PARALLEL 1 now: one process has the big index, the other one does the three small ones meanwhile. " +
				"The big index alone decides how long it takes.",
			Look: "it takes about as long as with three workers.",
		}, Run: p.fewer},
	}, nil
}

func (p *parts) even(ctx context.Context) (Check, error) {
	_, waiting, err := p.vacuum(ctx, 3)
	return Check{Figure: "The leader waited for workers in " + waiting.words(), Holds: waiting.seen > 0 && waiting.share() < 0.4}, err
}

func (p *parts) big(ctx context.Context) (Check, error) {
	err := execAll(ctx, p.conn, "drop index public.parts_shelf_4", "create index parts_what on public.parts (what) with (fillfactor = 10)")
	if err != nil {
		return Check{}, err
	}
	v, waiting, err := p.vacuum(ctx, 3)
	p.uneven = v
	return Check{
		Figure: fmt.Sprintf("The leader waited for workers in %s It took %s.", waiting.words(), seconds(v.took)),
		Holds:  v.launched == 3 && waiting.share() > 0.6,
	}, err
}

func (p *parts) fewer(ctx context.Context) (Check, error) {
	v, _, err := p.vacuum(ctx, 1)
	return Check{
		Figure: fmt.Sprintf("It took %s with 1 worker, and %s with 3.", seconds(v.took), seconds(p.uneven.took)),
		Holds:  v.launched == 1 && v.took.Seconds() < 1.3*p.uneven.took.Seconds(),
	}, err
}

// vacuum lets another eighth of the rows die and vacuums with a parallel degree. It looks
// at the leader meanwhile.
func (p *parts) vacuum(ctx context.Context, degree int) (v parallelVacuum, waiting leaderSamples, err error) {
	dead := fmt.Sprintf("delete from public.parts where id %% 8 = %d", p.ended)
	p.ended++
	if err := execAll(ctx, p.conn, dead, "checkpoint"); err != nil {
		return v, waiting, err
	}
	err = lookWhile(ctx, func(ctx context.Context) (err error) {
		v, err = vacuumParallel(ctx, p.conn, "public.parts", degree)
		return err
	}, func(ctx context.Context) error { return waiting.look(ctx, p.look, p.conn.PID()) })
	return v, waiting, err
}

// leaderSamples are looks at a leader while its indexes are vacuumed.
type leaderSamples struct {
	seen    int
	waiting int // for its workers to end (ParallelFinish)
}

func (l leaderSamples) share() model.Ratio {
	if l.seen == 0 {
		return 0
	}
	return model.Ratio(float64(l.waiting) / float64(l.seen))
}

func (l leaderSamples) words() string {
	return fmt.Sprintf("%d of %d samples of the pass over the indexes (ParallelFinish): %s.", l.waiting, l.seen, model.FormatPercent(l.share()))
}

// look looks whether a leader waits for its workers, while its indexes are vacuumed.
func (l *leaderSamples) look(ctx context.Context, look *server.Conn, pid uint32) error {
	var vacuums, waits bool
	err := look.QueryRow(ctx, `
		select coalesce(bool_or(v.phase = 'vacuuming indexes'), false), coalesce(bool_or(a.wait_event = 'ParallelFinish'), false)
		from pg_catalog.pg_stat_activity a join pg_catalog.pg_stat_progress_vacuum v on v.pid = a.pid
		where a.pid = $1`, pid).Scan(&vacuums, &waits)
	if err != nil {
		return fmt.Errorf("look at the leader: %w", err)
	}
	if vacuums {
		l.seen++
	}
	if vacuums && waits {
		l.waiting++
	}
	return nil
}

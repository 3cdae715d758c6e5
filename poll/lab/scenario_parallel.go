package lab

import (
	"context"
	"fmt"
	"math"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// Parallel shows that VACUUM's workers share out whole indexes: the time falls with the
// number of rounds, not with the number of workers.
func Parallel() Scenario {
	return Scenario{
		Name:     "parallel",
		Summary:  "workers share out whole indexes: only a saved round helps",
		Settings: func(int) []string { return workersForAll },
		Begin:    beginParallel,
	}
}

// workersForAll are settings under which VACUUM launches as many workers as it is asked
// for, also for small indexes.
var workersForAll = []string{
	"max_worker_processes=16", "max_parallel_workers=8", "max_parallel_maintenance_workers=8", "min_parallel_index_scan_size=0",
}

// parcels is a table whose vacuum is nearly all in its equal indexes. Another share of
// its rows dies before each vacuum, some of them in every page of all indexes, so that
// each vacuum has the same to do.
type parcels struct {
	conn  *server.Conn
	base  parallelVacuum // of degree 0
	ended int            // vacuums
}

const (
	parcelsAtScaleOne = 60_000
	// fewestParcels keep a process with an index for longer than workers take to start.
	fewestParcels = 15_000
	parcelIndexes = 4
)

func beginParallel(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	statements := []string{
		"create table public.parcels (id int not null, town int not null) with (autovacuum_enabled = off)",
		fmt.Sprintf("insert into public.parcels select g, g * 7919 %% 1000003 from generate_series(1, %d) g",
			max(fewestParcels, scaled(parcelsAtScaleOne, scale))),
	}
	for n := range parcelIndexes {
		statements = append(statements, fmt.Sprintf("create index parcels_town_%d on public.parcels (town) with (fillfactor = 20)", n+1))
	}
	// About three seconds for an index at scale 1, nearly all of them asleep.
	statements = append(statements, "set vacuum_cost_delay = '2ms'", "set vacuum_cost_limit = 12")
	if err := execAll(ctx, conn, statements...); err != nil {
		return nil, err
	}
	p := &parcels{conn: conn}
	return []Stage{
		p.stage(0, Caption{
			Title: "no worker",
			Happens: "The table has 4 equal indexes, and dead rows whose entries must be removed from each. One process does all of it: " +
				"it reads the table, then goes through the indexes one after another. It is throttled, so that it sleeps most of the time.",
			Look: "the phase 'vacuuming indexes' goes through 4 indexes.",
		}),
		p.stage(1, Caption{
			Title:   "1 worker",
			Happens: "The same again with PARALLEL 1. The leader, who runs the VACUUM, takes an index as a worker does: 2 processes, 4 indexes, 2 rounds.",
			Look:    "a second process appears among the processes while the indexes are vacuumed.",
		}),
		p.stage(2, Caption{
			Title: "2 workers: nothing more",
			Happens: "With PARALLEL 2 there are 3 processes. An index is never divided: three are done in the first round, and the fourth still needs a second one. " +
				"One more process than before, and no time saved.",
			Look: "at the end one process works, and the others have gone or wait for it.",
		}),
		p.stage(3, Caption{
			Title:   "3 workers: one round",
			Happens: "With PARALLEL 3 the leader and 3 workers have an index each: one round. More workers than that would have nothing to do, and the server would not launch them.",
			Look:    "all four go through their index side by side.",
		}),
	}, nil
}

// rounds is how often the busiest of the processes takes an index.
func (v parallelVacuum) rounds(indexes int) int {
	return int(math.Ceil(float64(indexes) / float64(1+v.launched)))
}

// stage vacuums with a parallel degree.
func (p *parcels) stage(degree int, c Caption) Stage {
	return Stage{Caption: c, Run: func(ctx context.Context) (Check, error) {
		v, err := p.vacuum(ctx, degree)
		if err != nil {
			return Check{}, err
		}
		if degree == 0 {
			p.base = v
			return Check{Figure: fmt.Sprintf("It took %s: 4 rounds, one index each.", seconds(v.took)), Holds: v.launched == 0}, nil
		}
		rounds, speedUp := v.rounds(parcelIndexes), p.base.took.Seconds()/v.took.Seconds()
		return Check{
			Figure: fmt.Sprintf("%s: %s, %s. It took %s, %.1f times as fast as without workers.",
				model.FormatCounted(parcelIndexes, "index", "indexes"), v.processes(), model.FormatCounted(rounds, "round", "rounds"), seconds(v.took), speedUp),
			Holds: v.launched == degree && nearRounds(speedUp, rounds),
		}, nil
	}}
}

// nearRounds tells that a speed-up is that of the rounds that are left of four, less what
// is done by one process: reading the table, and starting workers.
func nearRounds(speedUp float64, rounds int) bool {
	ideal := float64(parcelIndexes) / float64(rounds)
	return speedUp > 0.55*ideal && speedUp < 1.15*ideal
}

// vacuum lets another sixteenth of the rows die and vacuums. The checkpoint before it
// makes all pages clean, so that each of them costs the same.
func (p *parcels) vacuum(ctx context.Context, degree int) (parallelVacuum, error) {
	dead := fmt.Sprintf("delete from public.parcels where id %% 16 = %d", p.ended)
	p.ended++
	if err := execAll(ctx, p.conn, dead, "checkpoint"); err != nil {
		return parallelVacuum{}, err
	}
	return vacuumParallel(ctx, p.conn, "public.parcels", degree)
}

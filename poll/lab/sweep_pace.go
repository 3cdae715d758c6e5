package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// paceOf is the size of the table from which the length of a sweep is told.
func paceOf(largest model.Bytes) model.Bytes {
	const least, tenth, most model.Bytes = 1 << 20, 10, 16 << 20
	return max(least, min(largest/tenth, most))
}

// Pace measures a small table where the sweep will be measured, and reads what the server
// allows: a second or two before the first run.
func (s *Sweep) Pace(ctx context.Context, cores int) (pace experiment.SweepPace, place experiment.SweepPlace, err error) {
	place.Cores = cores
	_, place.Own = s.Measured.(*ownSchema)
	pace.Size, pace.Dirty = paceOf(most(s.Plan.Sizes)), s.Plan.Dirty
	table := newIndexed(pace.Size, s.Plan.Dirty)
	began := time.Now()
	if err := s.Measured.restoreNothing(ctx); err != nil {
		return pace, place, fmt.Errorf("measure a small table: %w", err)
	}
	pace.Nothing = time.Since(began)
	var took [2]paceTaken
	for indexes := range took {
		if took[indexes], err = s.paceWith(ctx, table, indexes, &place); err != nil {
			return pace, place, fmt.Errorf("measure a small table: %w", err)
		}
	}
	bare, one := took[0], took[1]
	pace.Load, pace.AddIndex = max(0, bare.prepare-2*pace.Nothing), max(0, one.prepare-pace.Nothing) // without the copies of databases
	if place.Own {                                                                                   // where it is made anew to be restored
		pace.Load, pace.AddIndex = bare.restore, max(0, one.restore-bare.restore)
	}
	pace.Restore, pace.Heap, pace.OneIndex, pace.IndexBytes = one.restore, bare.vacuum, one.vacuum, one.indexBytes
	return pace, place, nil
}

// paceTaken is what the steps of a run took.
type paceTaken struct {
	prepare, restore, vacuum time.Duration
	indexBytes               model.Bytes
}

func (s *Sweep) paceWith(ctx context.Context, table indexed, indexes int, place *experiment.SweepPlace) (took paceTaken, err error) {
	began := time.Now()
	if err := s.Measured.prepare(ctx, table, indexes); err != nil {
		return took, err
	}
	took.prepare = time.Since(began)
	began = time.Now()
	conn, err := s.Measured.restore(ctx)
	if err != nil {
		return took, err
	}
	defer closeQuietly(conn)
	took.restore = time.Since(began)
	if err := setCosts(ctx, conn, "0", ""); err != nil { // naps are known without being slept
		return took, err
	}
	run, err := timedVacuum(ctx, conn, experiment.SweepRun{})
	took.vacuum, took.indexBytes = model.Milliseconds(run.TookMS), run.IndexBytes
	return took, errors.Join(err, s.readPlace(ctx, conn, place))
}

// readPlace reads what the server of a session allows.
func (s *Sweep) readPlace(ctx context.Context, conn *server.Conn, place *experiment.SweepPlace) error {
	if err := execAll(ctx, conn, "reset vacuum_cost_delay"); err != nil {
		return err
	}
	if err := setCosts(ctx, conn, s.Plan.CostDelay, s.Plan.CostLimit); err != nil {
		return err
	}
	number := func(name string) string {
		return "(select setting::float8 from pg_catalog.pg_settings where name = '" + name + "')"
	}
	var delay float64
	err := conn.QueryRow(ctx, fmt.Sprintf("select (%s * pg_catalog.current_setting('block_size')::int)::int8, %s::int, %s::int, %s::int, %s, %s::int8",
		number("shared_buffers"), number("max_parallel_maintenance_workers"), number("max_parallel_workers"), number("max_worker_processes"),
		number("vacuum_cost_delay"), number("vacuum_cost_limit"))).
		Scan(&place.SharedBuffers, &place.MaxMaintenanceWorkers, &place.MaxWorkers, &place.MaxProcesses, &delay, &place.Limit)
	if err != nil {
		return fmt.Errorf("read the settings of the server: %w", err)
	}
	place.Delay = model.Milliseconds(delay)
	if kept, is := s.Measured.(*templates); is {
		place.Warmed = kept.warms && sweepBytes(s.Plan) < place.SharedBuffers*9/10
	}
	return nil
}

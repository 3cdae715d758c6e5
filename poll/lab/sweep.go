package lab

import (
	"context"
	"fmt"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// Sweep measures VACUUMs of one table with more and more equal indexes and parallel
// workers, each from the same state.
type Sweep struct {
	Plan experiment.SweepPlan
	// Measured and Baseline are where it is measured; one place unless two server
	// programs are compared.
	Measured, Baseline SweepPlace
	// Steps are the runs to be made, in order.
	Steps []experiment.SweepRun
	// Begin is called before a step, and End after it, from one goroutine.
	Begin func(experiment.SweepRun)
	End   func(experiment.SweepRun) error

	prepared map[SweepPlace]experiment.SweepCell
}

// MostDegree is the highest degree that VACUUM takes.
const MostDegree = 1024

// SweepSettings are the settings "name=value" that the server of a sweep needs: as many
// workers as are asked for, also for small indexes, and room in memory for the table and
// for WAL, so that leader and workers do not wait for each other to write it.
func SweepSettings(p experiment.SweepPlan) []string {
	return append(append(MeasuredSettings(), "wal_buffers=64MB"), indexedSettings(sweepBytes(p), most(p.Degrees))...)
}

// sweepBytes is the size of the largest table with all its indexes.
func sweepBytes(p experiment.SweepPlan) model.Bytes {
	return newIndexed(most(p.Sizes), p.Dirty).bytes(most(p.Indexes))
}

// SweepRoom is what a sweep needs on so many throwaway servers.
func SweepRoom(p experiment.SweepPlan, servers int) Room {
	const cluster, walAtMost = 100 << 20, 4 << 30
	table := sweepBytes(p)
	return Room{
		Disk:   model.Bytes(servers) * (3*table + min(walAtMost, 2*table) + cluster),
		Memory: model.Bytes(servers) * (indexedBuffers(table) + indexedWorkMem),
	}
}

// Run makes the runs. It ends with its context, and tells where its time went, whatever
// the end.
func (s *Sweep) Run(ctx context.Context) (spent experiment.SweepSpent, err error) {
	began := time.Now()
	defer func() { spent.Other = time.Since(began) - spent.Restore - spent.Vacuum }()
	s.prepared = map[SweepPlace]experiment.SweepCell{}
	for _, step := range s.Steps {
		s.Begin(step)
		run, restored, err := s.step(ctx, step)
		spent.Restore += restored
		if err != nil {
			return spent, err
		}
		spent.Vacuum += model.Milliseconds(run.TookMS)
		if err := s.End(run); err != nil {
			return spent, err
		}
	}
	return spent, nil
}

// step makes one run. restored is how long it took until the table was in its state.
func (s *Sweep) step(ctx context.Context, step experiment.SweepRun) (run experiment.SweepRun, restored time.Duration, err error) {
	began := time.Now()
	place := s.Measured
	if step.Baseline {
		place = s.Baseline
	}
	table := newIndexed(step.Size, s.Plan.Dirty)
	if state := (experiment.SweepCell{Size: step.Size, Indexes: step.Indexes}); s.prepared[place] != state {
		if err := place.prepare(ctx, table, step.Indexes); err != nil {
			return step, time.Since(began), fmt.Errorf("prepare a table with %s: %w", model.FormatCounted(step.Indexes, "index", "indexes"), err)
		}
		s.prepared[place] = state
	}
	conn, err := place.restore(ctx)
	restored = time.Since(began)
	if err != nil {
		return step, restored, fmt.Errorf("restore the table: %w", err)
	}
	defer closeQuietly(conn)
	if err := setCosts(ctx, conn, s.Plan.CostDelay, s.Plan.CostLimit); err != nil {
		return step, restored, err
	}
	run, err = timedVacuum(ctx, conn, step)
	return run, restored, err
}

// timedVacuum times one VACUUM. What it needs of the catalog it finds in its caches.
func timedVacuum(ctx context.Context, conn *server.Conn, run experiment.SweepRun) (experiment.SweepRun, error) {
	err := conn.QueryRow(ctx, `
		select coalesce(max(pg_catalog.pg_relation_size(indexrelid)), 0)
		from pg_catalog.pg_index where indrelid = $1::pg_catalog.text::pg_catalog.regclass`, indexedTable).Scan(&run.IndexBytes)
	if err != nil {
		return run, fmt.Errorf("read the size of an index: %w", err)
	}
	v, err := vacuumParallel(ctx, conn, indexedTable, run.Degree)
	run.TookMS, run.Planned, run.Launched = model.InMilliseconds(v.took), v.planned, v.launched
	if err != nil {
		return run, err
	}
	err = conn.QueryRow(ctx, "select relallvisible >= 0.99 * relpages from pg_catalog.pg_class where oid = $1::pg_catalog.text::pg_catalog.regclass", indexedTable).Scan(&run.Cleaned)
	if err != nil {
		return run, fmt.Errorf("read whether the table is clean: %w", err)
	}
	return run, nil
}

// setCosts sets a session's cost settings; one that is "" stays as the server has it.
func setCosts(ctx context.Context, conn *server.Conn, delay, limit string) error {
	for _, setting := range []struct{ name, value string }{
		{"vacuum_cost_delay", delay}, {"vacuum_cost_limit", limit},
	} {
		if setting.value == "" {
			continue
		}
		if _, err := conn.Exec(ctx, "select pg_catalog.set_config($1, $2, false)", setting.name, setting.value); err != nil {
			return fmt.Errorf("set %s: %w", setting.name, err)
		}
	}
	return nil
}

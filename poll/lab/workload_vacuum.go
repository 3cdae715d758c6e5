package lab

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// The vacuum workload at scale 1: a heap of about 43 MB and indexes of about 21 MB each,
// which the default cost settings vacuum in well under a minute.
// One row of vacuumDirtyOf is dead, evenly over the table and its indexes: every page is
// vacuumed.
const (
	vacuumRows    = 1_000_000
	vacuumDirtyOf = 10
)

// The vacuum workload's options, which cost settings and degrees are read back by.
const (
	optionIndexes   = "indexes"
	optionParallel  = "parallel"
	optionCostDelay = "cost-delay"
	optionCostLimit = "cost-limit"
)

// VacuumWorkload is one VACUUM of a table with many equal indexes, all of it in memory
// where there is room: what is measured is where the time goes, asleep or not.
func VacuumWorkload() Workload {
	return Workload{
		Name:      "vacuum",
		Summary:   "one VACUUM of many equal indexes, by phase",
		Published: "--scale 41 --indexes 20 --parallel 8 -c shared_buffers=30GB",
		Options: []Option{
			{optionIndexes, "20", "`N` equal indexes, beside the primary key", Number(0, 100)},
			{optionParallel, fmt.Sprint(vacuumDegree()), "VACUUM (PARALLEL `N`)", Number(0, MostDegree)},
			{optionCostDelay, "1ms", "vacuum_cost_delay of the VACUUM, as `TIME`", CheckCostDelay},
			{optionCostLimit, "10", "vacuum_cost_limit of the VACUUM, `N`", CheckCostLimit},
		},
		Tables:   []string{indexedTable},
		Watched:  true,
		Settings: vacuumSettings,
		Room:     vacuumRoom,
		Load:     loadVacuum,
		Prepare:  warmVacuum,
		Run:      runVacuum,
	}
}

var costDelay = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)(us|ms)?$`)

// CheckCostDelay checks that a value is one of vacuum_cost_delay: 0 to 100 ms.
func CheckCostDelay(value string) error {
	parts := costDelay.FindStringSubmatch(value)
	if parts == nil {
		return fmt.Errorf("%q is not a time such as 2ms, 0.5 or 500us", value)
	}
	most := 100.0
	if parts[2] == "us" {
		most *= 1000
	}
	if n, err := strconv.ParseFloat(parts[1], 64); err != nil || n > most {
		return fmt.Errorf("%q is not a time from 0 to 100ms", value)
	}
	return nil
}

// CheckCostLimit checks that a value is one of vacuum_cost_limit.
func CheckCostLimit(value string) error { return Number(1, 10000)(value) }

// vacuumDegree is the degree unless one is asked for: as many as there are cores, and at
// least 4, because workers that sleep need none.
func vacuumDegree() int { return max(4, min(8, runtime.NumCPU())) }

// vacuumTable is the table, and how large it is with its indexes, about. Its rows are made
// dead by loadVacuum, all over the table.
func vacuumTable(p Params) (t indexed, size model.Bytes) {
	t = indexed{rows: int64(p.Rows(vacuumRows))}
	return t, t.bytes(p.Number(optionIndexes) + 1)
}

func vacuumSettings(major int, p Params) []string {
	_, size := vacuumTable(p)
	return append(indexedSettings(size, p.Number(optionParallel)), delayTiming(major)...)
}

// vacuumRoom is what the prepared state, its copy and their WAL need.
func vacuumRoom(p Params) Room {
	_, size := vacuumTable(p)
	return Room{Disk: 4*size + 1<<30, Memory: indexedBuffers(size) + indexedWorkMem}
}

func loadVacuum(ctx context.Context, s *server.Server, p Params) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	table, _ := vacuumTable(p)
	if err := table.create(ctx, conn); err != nil {
		return err
	}
	if err := execAll(ctx, conn, "alter table "+indexedTable+" add primary key (id)"); err != nil {
		return err
	}
	if err := table.addIndexes(ctx, conn, 1, p.Number(optionIndexes)); err != nil {
		return err
	}
	if err := execAll(ctx, conn, fmt.Sprintf("delete from %s where id %% %d = 0", indexedTable, vacuumDirtyOf)); err != nil {
		return err
	}
	_, err = makeWarmable(ctx, conn)
	return err
}

// warmVacuum reads table and indexes into memory, and says whether they fit.
func warmVacuum(ctx context.Context, s *server.Server, _ Params, o *Observed) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	how, err := warm(ctx, conn, indexedTable)
	if err != nil {
		return fmt.Errorf("read the table into memory: %w", err)
	}
	var size, buffers model.Bytes
	err = conn.QueryRow(ctx, `
		select pg_catalog.pg_total_relation_size($1::pg_catalog.text::pg_catalog.regclass),
		       pg_catalog.pg_size_bytes(pg_catalog.current_setting('shared_buffers'))`, indexedTable).Scan(&size, &buffers)
	if err != nil {
		return fmt.Errorf("read whether the table fits into memory: %w", err)
	}
	fit := "fit in"
	if size > buffers {
		fit = "do NOT fit in"
	}
	o.Remark(fmt.Sprintf("table and indexes, %s, %s shared_buffers, %s; %s", model.FormatBytes(size), fit, model.FormatBytes(buffers), how))
	return nil
}

func runVacuum(ctx context.Context, s *server.Server, p Params, o *Observed) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	if err := setCosts(ctx, conn, p.Options[optionCostDelay], p.Options[optionCostLimit]); err != nil {
		return err
	}
	began := time.Now()
	if err := execAll(ctx, conn, fmt.Sprintf("VACUUM (PARALLEL %d) %s", p.Number(optionParallel), indexedTable)); err != nil {
		return err
	}
	o.Took("VACUUM", time.Since(began))
	return nil
}

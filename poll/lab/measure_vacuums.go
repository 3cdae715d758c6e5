package lab

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// vacuumsStatement reads the vacuums at work. Each table is vacuumed in a transaction of
// its own, whose start is that of the vacuum. mode is there from 19 on.
func vacuumsStatement(major int) string {
	kind := "case when a.query like '%(to prevent wraparound)' then 'aggressive' else '' end"
	if major >= 19 {
		kind = "p.mode"
	}
	return `
		select p.pid, schemaname || '.' || relname, a.xact_start, ` + kind + `, a.backend_type = 'autovacuum worker', a.query like '%(to prevent wraparound)'
		from pg_catalog.pg_stat_progress_vacuum p join pg_catalog.pg_stat_activity a using (pid)
		     join (select c.oid, n.nspname as schemaname, c.relname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace) t on t.oid = p.relid
		where p.datname = pg_catalog.current_database() and a.xact_start is not null and ` + ofTables
}

// vacuumKey is one vacuum of one table.
type vacuumKey struct {
	pid   uint32
	table string
	start time.Time
}

// seenVacuum is a vacuum that was seen at work.
type seenVacuum struct {
	experiment.Vacuum
	automatic bool
	running   bool // at the last look
}

// lookAtVacuums notes the vacuums at work. They ended at some time until the next look.
func (w *watch) lookAtVacuums(ctx context.Context) error {
	for _, v := range w.vacuums {
		v.running = false
	}
	now := time.Now()
	rows, err := w.conn.Query(ctx, w.sql, names(w.tables))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key vacuumKey
		var kind string
		var automatic, wraparound bool
		if err := rows.Scan(&key.pid, &key.table, &key.start, &kind, &automatic, &wraparound); err != nil {
			return err
		}
		v := w.vacuums[key]
		if v == nil {
			v = &seenVacuum{Vacuum: experiment.Vacuum{Table: key.table, Start: key.start, StartedBy: startedBy(automatic, wraparound)}, automatic: automatic}
			w.vacuums[key] = v
		}
		v.End, v.Kind, v.running = now, experiment.VacuumKind(kind), true
	}
	return rows.Err()
}

// vacuumsEndWithin bounds how long vacuums that the end of a run came upon are waited for.
const vacuumsEndWithin = 30 * time.Second

// untilVacuumsEnd waits until the vacuums have ended that began before a time, so that it
// can be told how long each took and of which kind it was, or until ctx does, and returns
// all of these that were seen. Those that take too long are still running. The watch was
// stopped.
func (w *watch) untilVacuumsEnd(ctx context.Context, begunBefore time.Time) ([]seenVacuum, error) {
	patient, cancel := context.WithTimeout(ctx, vacuumsEndWithin)
	defer cancel()
	for {
		if err := w.lookAtVacuums(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
		var all []seenVacuum
		for _, v := range w.vacuums {
			if v.Start.Before(begunBefore) {
				all = append(all, *v)
			}
		}
		running := slices.ContainsFunc(all, func(v seenVacuum) bool { return v.running })
		// The log is written a moment after the end.
		if hurried := sleep(patient, lookEvery) != nil; hurried || !running {
			return all, nil
		}
	}
}

func startedBy(automatic, wraparound bool) string {
	switch {
	case !automatic:
		return model.ByManual
	case wraparound:
		return model.ByAutovacuumWraparound
	}
	return model.ByAutovacuum
}

// checkLog checks that the log is written as it will be read.
func checkLog(ctx context.Context, conn *server.Conn) error {
	for setting, want := range map[string]string{
		"log_line_prefix": experiment.LogLinePrefix, "log_destination": "stderr", "logging_collector": "off", "lc_messages": "C",
	} {
		var got string
		if err := conn.QueryRow(ctx, "select pg_catalog.current_setting($1)", setting).Scan(&got); err != nil {
			return fmt.Errorf("read %s: %w", setting, err)
		}
		if got != want {
			return fmt.Errorf("%s is %q: vacuums are read in the server's log, which needs %q", setting, got, want)
		}
	}
	return nil
}

// logLength is how long the log is, in bytes.
func logLength(s *server.Server) (int64, error) {
	log, err := s.OpenLog()
	if err != nil {
		return 0, fmt.Errorf("open the server's log: %w", err)
	}
	defer log.Close()
	return log.Seek(0, io.SeekEnd)
}

// readVacuums reads the vacuums of the tables in the log, from a position on.
func readVacuums(s *server.Server, from int64, tables []string) ([]experiment.LoggedVacuum, error) {
	log, err := s.OpenLog()
	if err != nil {
		return nil, fmt.Errorf("open the server's log: %w", err)
	}
	defer log.Close()
	if _, err := log.Seek(from, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the server's log: %w", err)
	}
	var read experiment.VacuumLog
	for lines := bufio.NewReader(log); ; {
		line, err := lines.ReadString('\n')
		switch {
		case errors.Is(err, io.EOF): // what is not a whole line comes after the run
			return slices.DeleteFunc(read.Vacuums(), func(v experiment.LoggedVacuum) bool { return !isOf(tables, v.Table) }), nil
		case err != nil:
			return nil, fmt.Errorf("read the server's log: %w", err)
		}
		read.Line(strings.TrimSuffix(line, "\n"))
	}
}

// isOf tells what ofTables does.
func isOf(tables []string, schemaTable string) bool {
	schema, table, _ := strings.Cut(schemaTable, ".")
	if len(tables) == 0 {
		return !strings.HasPrefix(schema, "pg_") && schema != "information_schema"
	}
	return schema == "public" && slices.Contains(tables, table)
}

// allVacuums are those that the log tells of, and those that were seen and that it does
// not tell of: of others than autovacuum, and those that had not ended. From says where
// they were read.
func allVacuums(logged []experiment.LoggedVacuum, seen []seenVacuum) (all []experiment.Vacuum, from string) {
	from = "the server's log"
	for _, v := range logged {
		all = append(all, v.Vacuum)
	}
	for _, v := range seen {
		if v.automatic && (!v.running || isLogged(logged, v.Vacuum)) {
			continue
		}
		all = append(all, v.Vacuum)
		from = "the server's log and, those that it does not tell of, pg_stat_progress_vacuum"
	}
	for i := range all {
		all[i].Table = strings.TrimPrefix(all[i].Table, "public.")
	}
	slices.SortFunc(all, func(a, b experiment.Vacuum) int { return a.Start.Compare(b.Start) })
	return all, from
}

// isLogged tells whether a vacuum that was at work at the last look has ended since.
func isLogged(logged []experiment.LoggedVacuum, running experiment.Vacuum) bool {
	return slices.ContainsFunc(logged, func(v experiment.LoggedVacuum) bool {
		return v.Table == running.Table && !v.End.Before(running.End)
	})
}

// pagesOf is what vacuums did to pages, by the log, and others, until rows were counted;
// dead is by how many the dead rows of the tables rose, which a vacuum makes known when it
// ends. What a vacuum that is not logged removed is not known.
func pagesOf(logged []experiment.LoggedVacuum, seen []seenVacuum, counted time.Time, rows experiment.Rows, dead int64) (out experiment.Pages) {
	pruned := rows.Updated + rows.Deleted - dead
	for _, v := range logged {
		if !v.End.After(counted) {
			pruned -= v.TuplesRemoved
		}
		out.Frozen, out.TuplesFrozen = plus(out.Frozen, v.PagesFrozen), plus(out.TuplesFrozen, v.TuplesFrozen)
	}
	if !slices.ContainsFunc(seen, func(v seenVacuum) bool { return !v.automatic }) {
		out.TuplesPrunedOnAccess = model.Some(max(0, pruned))
	}
	return out
}

// plus adds a value, where it is known, to a sum that is absent while none was.
func plus(sum, value model.Opt[int64]) model.Opt[int64] {
	if v, known := value.Get(); known {
		return model.Some(sum.Or(0) + v)
	}
	return sum
}

package lab

import (
	"context"
	"slices"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// meter measures a run from its begin to its end, over sessions of its own.
type meter struct {
	s       *server.Server
	conn    *server.Conn
	tables  []string // those of the workload, in schema public; none: all outside of the system's schemas
	before  counters
	logFrom int64 // how long the log was at the begin
	watch   *watch
}

// meterSettings are those without which something could not be measured, as "name=value".
func meterSettings(major int) []string {
	settings := []string{
		"log_autovacuum_min_duration=0",
		"log_destination=stderr",
		"log_line_prefix=" + experiment.LogLinePrefix,
		"track_io_timing=on",
	}
	return append(settings, delayTiming(major)...)
}

// beginMeasuring reads what stands at a run's begin, and watches waits and vacuums until
// the meter is ended.
func beginMeasuring(ctx context.Context, s *server.Server, tables []string) (_ *meter, err error) {
	m := &meter{s: s, tables: tables}
	if m.conn, err = s.Connect(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			closeQuietly(m.conn)
		}
	}()
	if err := checkLog(ctx, m.conn); err != nil {
		return nil, err
	}
	if m.logFrom, err = logLength(s); err != nil {
		return nil, err
	}
	if m.before, err = readCounters(ctx, m.conn, s.Major, tables); err != nil {
		return nil, err
	}
	m.watch, err = beginWatch(ctx, s, tables)
	return m, err
}

// end stops watching and returns what was measured since the begin. The workload has
// ended. Once ctx has too, no vacuum is waited for.
func (m *meter) end(ctx context.Context) (out experiment.Measures, err error) {
	defer closeQuietly(m.conn)
	defer m.watch.close()
	if err := m.watch.stop(); err != nil {
		return out, err
	}
	ended := time.Now()
	asking := context.WithoutCancel(ctx)
	if err := m.untilClientsGone(asking); err != nil {
		return out, err
	}
	after, err := readCounters(asking, m.conn, m.s.Major, m.tables)
	if err != nil {
		return out, err
	}
	seen, err := m.watch.untilVacuumsEnd(ctx, ended)
	if err != nil {
		return out, err
	}
	logged, err := readVacuums(m.s, m.logFrom, m.tables)
	if err != nil {
		return out, err
	}
	logged = slices.DeleteFunc(logged, func(v experiment.LoggedVacuum) bool { return !v.Start.Before(ended) })
	out = after.since(m.before)
	out.Waits, out.WaitInterval = m.watch.waited(), waitInterval
	out.Vacuums, out.VacuumsFrom = allVacuums(logged, seen)
	out.Pages = pagesOf(logged, seen, ended, out.Rows, after.dead-m.before.dead)
	return out, nil
}

// clientsGoneWithin bounds how long sessions of the workload may take to end, and with
// that to tell the server what they did.
const clientsGoneWithin = 2 * time.Second

// untilClientsGone returns when no other session is there but those that watch.
func (m *meter) untilClientsGone(ctx context.Context) error {
	for deadline := time.Now().Add(clientsGoneWithin); time.Now().Before(deadline); {
		var left int
		err := m.conn.QueryRow(ctx, `
			select count(*) from pg_catalog.pg_stat_activity
			where backend_type = 'client backend' and pid not in ($1, $2) and application_name <> $3`,
			m.conn.PID(), m.watch.conn.PID(), watcher).Scan(&left)
		if err != nil || left == 0 {
			return err
		}
		if err := sleep(ctx, lookEvery/5); err != nil {
			return err
		}
	}
	return nil
}

// watcher is the application_name of the sessions that watch the server on the screen.
const watcher = "vacscope"

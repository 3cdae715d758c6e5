package act

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

// tableLockTimeout is how long a change of a table's parameter waits for its lock:
// below deadlock_timeout's default, so that no autovacuum of the table is cancelled.
const tableLockTimeout = "500ms"

// Apply makes a change: it reads what stood before, writes it to the journal, sends
// the statements, and reads back what is in force. When it fails nothing is changed,
// but for an error that says otherwise.
func (g *Gate) Apply(ctx context.Context, config *poll.Config, journal *Journal, c model.Change) (model.Done, error) {
	var done model.Done
	err := g.connected(ctx, config, func(ctx context.Context, conn *pgconn.PgConn) error {
		before, err := stood(ctx, conn, c)
		if err != nil {
			return err
		}
		done, err = g.make(ctx, conn, journal, c, before)
		return err
	})
	if err != nil {
		return model.Done{}, err
	}
	g.readBack(ctx, config, &done)
	return done, nil
}

// make sends the change, and keeps in the journal what puts it back.
func (g *Gate) make(ctx context.Context, conn *pgconn.PgConn, journal *Journal, c model.Change, before model.Stood) (model.Done, error) {
	statements, err := Statements(c)
	if err != nil {
		return model.Done{}, err
	}
	now, err := serverTime(ctx, conn)
	if err != nil {
		return model.Done{}, err
	}
	done := model.Done{At: now, Change: c, Before: before}
	if c.Scope == model.ScopeTable || c.Scope == model.ScopeToast {
		statements = append([]string{"SET lock_timeout = " + literal(tableLockTimeout)}, statements...)
	}
	takeBack, err := journal.intend(done)
	if err != nil {
		return model.Done{}, err
	}
	for _, sql := range statements {
		if err := g.send(ctx, conn, sql); err != nil {
			if resultOf(err).How != model.EndNotVisible {
				takeBack() // the server said no
			}
			return model.Done{}, refusedChange(c, sql, err)
		}
	}
	return done, nil
}

// serverTime reads the server's clock.
func serverTime(ctx context.Context, conn *pgconn.PgConn) (time.Time, error) {
	rows, err := query(ctx, conn, `
select (extract(epoch from pg_catalog.clock_timestamp()) * 1000000)::pg_catalog.int8`)
	if err != nil {
		return time.Time{}, fmt.Errorf("read the server's clock: %w", err)
	}
	micros, err := strconv.ParseInt(rows[0][0], 10, 64)
	return time.UnixMicro(micros), err
}

// connected runs what needs a connection for something that can wait, and closes it.
func (g *Gate) connected(ctx context.Context, config *poll.Config, do func(context.Context, *pgconn.PgConn) error) error {
	if g.readOnly {
		return ErrReadOnly
	}
	return dialled(ctx, config, map[string]string{}, do)
}

// dialled runs what needs a connection of its own, with these settings beside those
// that all of them have, and closes it.
func dialled(ctx context.Context, config *poll.Config, settings map[string]string, do func(context.Context, *pgconn.PgConn) error) error {
	settings["application_name"], settings["search_path"] = "vacscope", catalogPath
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	conn, err := config.Dial(ctx, settings, func(*pgconn.Notice) {})
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return do(ctx, conn)
}

// readBackTime is how long a reload may take to reach a new session, and
// readBackEvery how often it is looked for.
const (
	readBackTime  = 3 * time.Second
	readBackEvery = 100 * time.Millisecond
)

// readBack reads what a new session of this role has in force, and what goes before
// the change. A reload takes a moment: the value is looked for until the change is
// seen, or something wins over it.
func (g *Gate) readBack(ctx context.Context, config *poll.Config, done *model.Done) {
	c := done.Change
	if c.Scope == model.ScopeTable || c.Scope == model.ScopeToast {
		return
	}
	_ = g.connected(ctx, config, func(ctx context.Context, conn *pgconn.PgConn) error {
		for end := time.Now().Add(readBackTime); ; time.Sleep(readBackEvery) {
			rows, err := query(ctx, conn, `
select s.setting, coalesce(s.unit, ''), s.source, s.pending_restart,
       s.sourcefile is null or s.sourcefile like '%postgresql.auto.conf'
from pg_catalog.pg_settings s where s.name = $1`, c.Name)
			if err != nil || len(rows) == 0 {
				return err
			}
			r := rows[0]
			done.InForce = model.Some(settingOf(c.Name, r[0], r[1], r[2]))
			done.Wins = winner(c, r[2], r[3] == "t")
			settled := done.Wins != "" || c.Scope != model.ScopeServer || (r[2] == "configuration file" && r[4] == "t") == c.Value.Known()
			if settled || time.Now().After(end) {
				return nil
			}
		}
	})
}

// winner says what goes before a change, by the source of the value in force.
func winner(c model.Change, source string, pendingRestart bool) string {
	strength := map[string]int{"default": 0, "configuration file": 1, "database": 2, "user": 3, "database user": 4, "command line": 5}
	mine := map[model.Scope]int{model.ScopeServer: 1, model.ScopeDatabase: 2, model.ScopeRole: 3}[c.Scope]
	switch {
	case pendingRestart:
		return c.Name + " takes effect when the server is restarted"
	case strength[source] <= mine:
		return ""
	case source == "command line":
		return "the server was started with " + c.Name + " on its command line, which goes before"
	case source == "database":
		return "ALTER DATABASE has set " + c.Name + " for this database, which goes before in its sessions"
	}
	return "ALTER ROLE has set " + c.Name + " for this role, which goes before in its sessions"
}

// refusedChange says why a change was not made, and what is possible instead.
func refusedChange(c model.Change, sql string, err error) error {
	result := resultOf(err)
	advice := ""
	switch {
	case result.SQLState == "0A000" && c.Scope == model.ScopeServer:
		advice = "; this server takes its configuration from elsewhere: change it there"
	case result.SQLState == insufficientPrivilege && c.Scope == model.ScopeServer:
		advice = "; it takes a superuser, or GRANT ALTER SYSTEM ON PARAMETER " + c.Name + " (15+) and EXECUTE on pg_reload_conf()"
	case result.SQLState == lockNotAvailable:
		advice = "; somebody holds the table: try again when it is free"
	}
	return fmt.Errorf("%s: %w%s", sql, err, advice)
}

package act

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

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
	now, err := possible(ctx, conn, c)
	if err != nil {
		return model.Done{}, err
	}
	done := model.Done{At: now, Change: c, Before: before}
	takeBack, err := journal.intend(done)
	if err != nil {
		return model.Done{}, err
	}
	for _, sql := range statements {
		err := g.send(ctx, conn, sql)
		switch {
		case err == nil:
			continue
		case sql == reloadConf: // the configuration file is written
			return model.Done{}, fmt.Errorf("%s of %s is written into the configuration, and takes effect with its next reload: %s: %w",
				c.Name, c.Place(), sql, err)
		case resultOf(err).How != model.EndNotVisible:
			takeBack() // the server said no
		}
		return model.Done{}, refusedChange(c, sql, err)
	}
	return done, nil
}

// possible tells before anything is sent that the change could not be made whole, and
// else the server's time.
func possible(ctx context.Context, conn *pgconn.PgConn, c model.Change) (now time.Time, err error) {
	rows, err := query(ctx, conn, `
select (extract(epoch from pg_catalog.clock_timestamp()) * 1000000)::pg_catalog.int8,
       `+mayReload+`, pg_catalog.pg_backend_pid()`)
	if err != nil {
		return now, fmt.Errorf("ask the server what is possible: %w", err)
	}
	micros, err := strconv.ParseInt(rows[0][0], 10, 64)
	switch {
	case err != nil:
		return now, fmt.Errorf("read the server's clock: %w", err)
	case c.Scope == model.ScopeServer && rows[0][1] != "t":
		return now, errors.New("nothing is changed: " + noReload)
	case c.OfTable() && rows[0][2] != strconv.FormatUint(uint64(conn.PID()), 10):
		return now, errors.New("nothing is changed: a pooler stands between, and would give SET lock_timeout and ALTER TABLE to different server processes; connect to the server itself")
	}
	return time.UnixMicro(micros), nil
}

// noReload is why a role changes nothing for the whole server.
const noReload = "this role may not have the server reload its configuration: GRANT EXECUTE ON FUNCTION pg_reload_conf() brings that"

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
	defer poll.Leave(conn)
	return do(ctx, conn)
}

// refusedChange says why a change was not made, and what is possible instead.
func refusedChange(c model.Change, sql string, err error) error {
	result := resultOf(err)
	advice := ""
	switch {
	case result.SQLState == "0A000" && c.Scope == model.ScopeServer:
		advice = "; " + alterSystemOff
	case result.SQLState == insufficientPrivilege && c.Scope == model.ScopeServer:
		advice = "; " + noAlterSystem(c.Name)
	case result.SQLState == lockNotAvailable:
		advice = "; somebody holds the table: try again when it is free"
	}
	return fmt.Errorf("%s: %w%s", sql, err, advice)
}

// alterSystemOff is why nobody changes the configuration by a statement.
const alterSystemOff = "allow_alter_system is off: this server takes its configuration from elsewhere, change it there"

// noAlterSystem is why a role may not change a setting for the whole server.
func noAlterSystem(setting string) string {
	return "it takes a superuser, or from 15 on GRANT ALTER SYSTEM ON PARAMETER " + setting
}

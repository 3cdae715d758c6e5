package act

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

// readBackTime is how long a reload may take to reach a new session, and
// readBackEvery how often it is looked for.
const (
	readBackTime  = 3 * time.Second
	readBackEvery = 100 * time.Millisecond
)

// readBack reads what is in force after a change, and what goes before it. What cannot
// be read stays absent.
func (g *Gate) readBack(ctx context.Context, config *poll.Config, done *model.Done) {
	_ = g.connected(ctx, config, func(ctx context.Context, conn *pgconn.PgConn) error {
		if done.Change.OfTable() {
			return readBackTable(ctx, conn, done)
		}
		wins, err := readBackSetting(ctx, conn, done)
		if err != nil {
			return err
		}
		over, err := autovacuumsOwn(ctx, conn, done.Change)
		done.Wins = strings.Join(append(wins, over...), "; ")
		return err
	})
}

// inForce is a setting as a session has it.
type inForce struct {
	setting        model.Opt[model.Setting] // absent where there is none of that name
	pendingRestart bool
	byAlterSystem  bool // its value is ALTER SYSTEM's
}

// readInForce reads a setting as this session has it.
func readInForce(ctx context.Context, conn *pgconn.PgConn, name string) (inForce, error) {
	rows, err := query(ctx, conn, `
select s.setting, coalesce(s.unit, ''), s.source, s.pending_restart,
       s.source = 'configuration file' and coalesce(s.sourcefile like '%postgresql.auto.conf', true)
from pg_catalog.pg_settings s where s.name = $1`, name)
	if err != nil || len(rows) == 0 {
		return inForce{}, err
	}
	r := rows[0]
	return inForce{model.Some(settingOf(name, r[0], r[1], r[2])), r[3] == "t", r[4] == "t"}, nil
}

// readBackSetting reads what a new session of this role has in force, and what wins
// over the change in it. A reload takes a moment: the value is looked for until the
// change is seen, or something wins over it.
func readBackSetting(ctx context.Context, conn *pgconn.PgConn, done *model.Done) (wins []string, err error) {
	c := done.Change
	for end := time.Now().Add(readBackTime); ; time.Sleep(readBackEvery) {
		now, err := readInForce(ctx, conn, c.Name)
		s, ok := now.setting.Get()
		if err != nil || !ok {
			return nil, err
		}
		done.InForce = now.setting
		if win := winner(c, string(s.Source), now.pendingRestart); win != "" {
			return []string{win}, nil
		}
		if c.Scope != model.ScopeServer || now.byAlterSystem == c.Value.Known() || time.Now().After(end) {
			return nil, nil
		}
	}
}

// winner says what goes before a change in sessions of this role, by the source of the
// value in force; "" for nothing.
func winner(c model.Change, source string, pendingRestart bool) string {
	strength := map[string]int{"default": 0, "configuration file": 1, "database": 2, "user": 3, "database user": 4, "client": 5, "command line": 6}
	mine := map[model.Scope]int{model.ScopeServer: 1, model.ScopeDatabase: 2, model.ScopeRole: 3}[c.Scope]
	switch {
	case pendingRestart:
		return c.Name + " takes effect when the server is restarted"
	case strength[source] <= mine:
		return ""
	case source == "client":
		return "the options of this connection have set " + c.Name + ", which goes before in its sessions"
	case source == "command line":
		return "the server was started with " + c.Name + " on its command line, which goes before"
	case source == "database":
		return "ALTER DATABASE has set " + c.Name + " for this database, which goes before in its sessions"
	}
	return "ALTER ROLE has set " + c.Name + " for this role, which goes before in its sessions"
}

// autovacuumsOwn says what goes before a change in autovacuum's workers: a setting of
// theirs alone, and options of tables. Nothing for a role's change, as they belong to
// no role.
func autovacuumsOwn(ctx context.Context, conn *pgconn.PgConn, c model.Change) (wins []string, err error) {
	if c.Scope == model.ScopeRole {
		return nil, nil
	}
	if twin := model.AutovacuumTwin(c.Name); twin != "" {
		now, err := readInForce(ctx, conn, twin)
		if err != nil {
			return nil, err
		}
		if s, ok := now.setting.Get(); ok && s.Setting != "-1" {
			wins = append(wins, "for autovacuum "+twin+" ("+s.Setting.Display()+s.Unit.Or("")+") goes before")
		}
	}
	tables, n, err := tablesWith(ctx, conn, model.OptionsOver(c.Name))
	if n > 0 {
		names := strings.Join(tables, ", ")
		if n > len(tables) {
			names += " ..."
		}
		have := "has an option of its own, which goes before: "
		if n > 1 {
			have = "have options of their own, which go before: "
		}
		wins = append(wins, model.FormatCounted(int64(n), "table", "tables")+" of this database "+have+names)
	}
	return wins, err
}

// tablesWith names some of the tables of this database that have one of these storage
// parameters set, and counts all of them.
func tablesWith(ctx context.Context, conn *pgconn.PgConn, parameters []string) (names []string, n int, err error) {
	if len(parameters) == 0 {
		return nil, 0, nil
	}
	rows, err := query(ctx, conn, `
select n.nspname, coalesce(owner.relname, c.relname), owner.oid is not null, count(*) over ()
from pg_catalog.pg_class c left join pg_catalog.pg_class owner on owner.reltoastrelid = c.oid
     join pg_catalog.pg_namespace n on n.oid = coalesce(owner.relnamespace, c.relnamespace)
where exists (select from pg_catalog.unnest(c.reloptions) o where pg_catalog.split_part(o, '=', 1) = any ($1::pg_catalog.text[]))
order by 1, 2, 3 limit 3`, "{"+strings.Join(parameters, ",")+"}")
	for _, r := range rows {
		name := model.RelationName{Schema: model.Text(r[0]), Name: model.Text(r[1])}.Display()
		if r[2] == "t" {
			name = "TOAST of " + name
		}
		names = append(names, name)
		n, _ = strconv.Atoi(r[3]) // a count of the server's
	}
	return names, n, err
}

// readBackTable reads which option a table has now, else the server's setting that
// holds in its place, and what goes before it.
func readBackTable(ctx context.Context, conn *pgconn.PgConn, done *model.Done) error {
	c := done.Change
	now, err := stood(ctx, conn, c)
	if err != nil {
		return err
	}
	value, given := now.Value.Get()
	if !given {
		server, err := readInForce(ctx, conn, c.Name)
		done.InForce = server.setting
		return err
	}
	done.InForce = model.Some(model.Setting{Name: c.Name, Setting: model.Text(value), Source: "option of the table"})
	ceiling, needed := model.CeilingOf(c.Name)
	if ceiling == "" {
		return nil
	}
	server, err := readInForce(ctx, conn, ceiling)
	if s, ok := server.setting.Get(); ok && needed(value, string(s.Setting)) {
		done.Wins = ceiling + " of the server is " + s.Setting.Display() + ", which goes before"
	}
	return err
}

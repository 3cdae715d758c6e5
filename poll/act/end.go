package act

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

// goneWithin is how long it is waited for somebody who was ended to be gone: a session
// rolls back first.
const goneWithin, goneEvery = 5 * time.Second, 50 * time.Millisecond

// EndStatement is what ends one who keeps dead rows from being removed: it does nothing
// where that is another by then. The error says why there is none.
func EndStatement(h model.XminHolder) (string, error) {
	if why := h.NotEnded(); why != "" {
		return "", fmt.Errorf("it cannot be ended from here: %s", why)
	}
	switch h.Kind {
	case model.HolderSession:
		return "SELECT pg_catalog.pg_terminate_backend(a.pid) FROM pg_catalog.pg_stat_activity a WHERE " + sessionIs(h), nil
	case model.HolderPrepared:
		return "ROLLBACK PREPARED " + literal(string(h.GID)), nil
	}
	return "SELECT pg_catalog.pg_drop_replication_slot(s.slot_name) FROM pg_catalog.pg_replication_slots s WHERE NOT s.active AND " + slotIs(h), nil
}

// sessionIs finds the holder's session while it is in the same transaction.
func sessionIs(h model.XminHolder) string {
	is := processIs(h.PID, h.BackendStart.Or(time.Time{}))
	if since, ok := h.Since.Get(); ok {
		is += " AND a.xact_start = " + timestamp(since)
	}
	return is
}

func preparedIs(h model.XminHolder) string {
	return fmt.Sprintf("x.gid = %s AND x.transaction = '%d'::pg_catalog.xid AND x.database = pg_catalog.current_database()",
		literal(string(h.GID)), h.XID.Or(0))
}

// slotIs finds the slot while it keeps the same rows.
func slotIs(h model.XminHolder) string {
	return fmt.Sprintf("s.slot_name = %s AND coalesce(s.xmin, s.catalog_xmin) = '%d'::pg_catalog.xid", literal(string(h.Slot)), h.XID.Or(0))
}

// thereSQL has a row while the holder is there.
func thereSQL(h model.XminHolder) string {
	switch h.Kind {
	case model.HolderSession:
		return "select 1 from pg_catalog.pg_stat_activity a where " + sessionIs(h)
	case model.HolderPrepared:
		return "select 1 from pg_catalog.pg_prepared_xacts x where " + preparedIs(h)
	}
	return "select 1 from pg_catalog.pg_replication_slots s where " + slotIs(h)
}

// End ends one who keeps dead rows from being removed, by EndStatement, and returns when
// it is seen to be gone. Nothing is done where it has gone, or is another, before.
func (g *Gate) End(ctx context.Context, config *poll.Config, h model.XminHolder) error {
	sql, err := EndStatement(h)
	if err != nil {
		return err
	}
	return g.connected(ctx, config, func(ctx context.Context, conn *pgconn.PgConn) error {
		there, err := query(ctx, conn, thereSQL(h))
		if err != nil {
			return fmt.Errorf("look whether %s is there: %w", h.Name(), err)
		}
		if len(there) == 0 {
			return fmt.Errorf("nothing was done: %s does not keep these rows any more", h.Name())
		}
		if rows, err := g.sendQuery(ctx, conn, sql); err != nil {
			return fmt.Errorf("end %s: %w", h.Name(), err)
		} else if h.Kind != model.HolderPrepared && len(rows) == 0 {
			return fmt.Errorf("nothing was done: %s does not keep these rows any more", h.Name())
		}
		return gone(ctx, conn, h)
	})
}

// gone waits until the holder is not there any more.
func gone(ctx context.Context, conn *pgconn.PgConn, h model.XminHolder) error {
	for end := time.Now().Add(goneWithin); ; {
		there, err := query(ctx, conn, thereSQL(h))
		if err != nil {
			return fmt.Errorf("look whether %s is gone: %w", h.Name(), err)
		}
		if len(there) == 0 {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("the server was asked to end %s, and %s later it is still there", h.Name(), model.FormatDuration(goneWithin))
		}
		if err := sleep(ctx, goneEvery); err != nil {
			return err
		}
	}
}

// endForms are the statements of End.
func endForms() []Form {
	var out []Form
	for _, h := range []model.XminHolder{
		{Kind: model.HolderSession, PID: 1, BackendStart: model.Some(time.Time{}), Since: model.Some(time.Time{})},
		{Kind: model.HolderPrepared, GID: "GID"}, {Kind: model.HolderSlot, Slot: "SLOT"},
	} {
		sql, _ := EndStatement(h) // each of them can be ended
		out = append(out, Form{"to end one who keeps dead rows: " + string(h.Kind), sql})
	}
	return out
}

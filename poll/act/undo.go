package act

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

// PutBack is the change that puts back what stood before another. It fails where
// that is not known.
func PutBack(d model.Done) (model.Change, error) {
	if !d.Before.Known {
		return model.Change{}, fmt.Errorf("%s of %s cannot be put back: this role could not read what was set before", d.Change.Name, d.Change.Place())
	}
	back := d.Change
	back.Value = d.Before.Value
	return back, nil
}

// Undo puts back what stood before a change that the journal holds, unless somebody
// has set it to something else since: then that stands, and the change is no longer
// offered.
func (g *Gate) Undo(ctx context.Context, config *poll.Config, journal *Journal, d model.Done) (model.Done, error) {
	back, err := PutBack(d)
	if err != nil {
		return model.Done{}, err
	}
	done := model.Done{Change: back}
	err = g.connected(ctx, config, func(ctx context.Context, conn *pgconn.PgConn) error {
		now, err := stood(ctx, conn, d.Change)
		if errors.Is(err, errNoTable) {
			journal.drop(d)
			return fmt.Errorf("there is nothing to put back: %s is gone, and %s with it", d.Change.Place(), d.Change.Name)
		}
		if err != nil {
			return err
		}
		if now.Known && !sameValue(now.Value, d.Change.Value) {
			journal.drop(d)
			return fmt.Errorf("%s of %s is left alone: somebody has set it to %s since",
				d.Change.Name, d.Change.Place(), valueOr(now.Value, "its default"))
		}
		done, err = g.make(ctx, conn, journal, back, now)
		return err
	})
	if err != nil {
		return model.Done{}, err
	}
	journal.drop(d)
	g.readBack(ctx, config, &done)
	return done, nil
}

// sameValue tells whether two values mean the same: what is read in place of the file
// is written in another unit.
func sameValue(a, b model.Opt[string]) bool {
	return a == b || a.Known() && b.Known() && model.SameValue(a.Or(""), b.Or(""))
}

func valueOr(value model.Opt[string], none string) string {
	if v, given := value.Get(); given {
		return v
	}
	return none
}

package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/poll/server"
)

// takenOver tells whether the person at the screen has sent a VACUUM.
func (d Demo) takenOver() bool {
	select {
	case <-d.TakenOver:
		return true
	default:
		return false
	}
}

// stepBack leaves the vacuums to the person, and makes the table dirty again after each
// that completes, from a round on.
func (d Demo) stepBack(ctx context.Context, conn *server.Conn, table orders, round int) error {
	d.Note("a VACUUM was sent from here: the demo starts none of its own any more")
	for {
		if err := untilVacuumed(ctx, conn, DemoTable); err != nil {
			return err
		}
		round++
		if err := table.dirty(ctx, conn, round); err != nil {
			return fmt.Errorf("make the demo's table dirty: %w", err)
		}
		d.Note("the vacuum has ended; a fifth of the rows was updated again")
	}
}

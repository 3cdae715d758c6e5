package lab

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

// lookAgain is the time between two looks at a vacuum.
const lookAgain = 20 * time.Millisecond

// lookWhile does something, and looks at it again and again until it has ended.
func lookWhile(ctx context.Context, do, look func(context.Context) error) error {
	group, ctx := errgroup.WithContext(ctx)
	ended := make(chan struct{})
	group.Go(func() error {
		defer close(ended)
		return do(ctx)
	})
	group.Go(func() error {
		tick := time.NewTicker(lookAgain)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
			}
			if err := look(ctx); err != nil {
				return err
			}
		}
	})
	return group.Wait()
}

package act

import (
	"context"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// lockNotAvailable is the SQLSTATE of a lock that was not to be had in time.
const lockNotAvailable = "55P03"

// holderEvery is how often it is looked whether a table that is held is free.
const holderEvery = time.Second

// WhenFree lets run send the VACUUM, by Run. Where the plan does not say what to do
// with a table that is held, it is sent when nobody holds it, and again when somebody
// took it in between; held is told who does, each time it is somebody else. The error
// is run's, or why it was not sent: then ctx has ended, or the server did not say.
func (p *Prepared) WhenFree(ctx context.Context, held func(who string), run func() (model.Result, error)) (model.Result, error) {
	for {
		if p.patient {
			if err := p.waitUntilFree(ctx, held); err != nil {
				return model.Result{}, err
			}
		}
		result, err := run()
		if taken := p.patient && result.SQLState == lockNotAvailable && !p.partitioned(); err != nil || !taken {
			return result, err
		}
	}
}

// leftEvery is how often it is looked whether a cancelled process has let go.
const leftEvery = 50 * time.Millisecond

// WhenLeft returns when a process that was cancelled has let go of the table; 0 is
// none. A VACUUM that is to skip a table that is held would else skip it for that one.
func (p *Prepared) WhenLeft(ctx context.Context, pid int32) error {
	for pid != 0 {
		holders, err := p.Holders(ctx)
		if err != nil || !slices.ContainsFunc(holders, func(h model.TableHolder) bool { return h.PID == pid }) {
			return err
		}
		if err := sleep(ctx, leftEvery); err != nil {
			return err
		}
	}
	return nil
}

// waitUntilFree returns when nobody holds the table.
func (p *Prepared) waitUntilFree(ctx context.Context, held func(who string)) error {
	for said := ""; ; {
		holders, err := p.Holders(ctx)
		if err != nil || len(holders) == 0 {
			return err
		}
		if who := holders[0].String(); who != said {
			held(who)
			said = who
		}
		if err := sleep(ctx, holderEvery); err != nil {
			return err
		}
	}
}

// sleep waits for so long, or until ctx ends: the error is why.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// Holders reads who holds the table now. A VACUUM that is sent while an autovacuum
// does makes the server cancel it, unless it may not wait so long.
func (p *Prepared) Holders(ctx context.Context) ([]model.TableHolder, error) {
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	return holders(ctx, p.conn, p.table.oid)
}

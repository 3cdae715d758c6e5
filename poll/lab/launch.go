package lab

import (
	"context"
	"fmt"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// parallelVacuum is what came of a VACUUM with a parallel degree.
type parallelVacuum struct {
	took              time.Duration // by the client's clock, around the statement
	planned, launched int           // workers, most of any pass over the indexes
}

// vacuumParallel runs a VACUUM of a table with a parallel degree.
func vacuumParallel(ctx context.Context, conn *server.Conn, table string, degree int) (parallelVacuum, error) {
	said, err := vacuumSaying(ctx, conn, table, fmt.Sprintf("parallel %d", degree))
	v := parallelVacuum{took: said.took}
	for _, n := range said.notices {
		if launch, ok := model.ReadLaunch(n.SeverityUnlocalized, n.Routine, n.Message); ok {
			v.planned, v.launched = max(v.planned, launch.Planned), max(v.launched, launch.Launched)
		}
	}
	return v, err
}

// processes names who works on the indexes.
func (v parallelVacuum) processes() string {
	return "the leader and " + model.FormatCounted(v.launched, "worker", "workers")
}

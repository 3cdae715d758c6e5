package lab

import (
	"context"
	"fmt"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

const (
	queueTable   = "queue"
	queueBacklog = 2000 // jobs that wait when a run begins, at scale 1
	// copiesBeside is how many COPYs per second there are beside the queue.
	copiesBeside = 1
)

// workQueue is a table of jobs, which stays small if its dead rows are vacuumed in time:
// the oldest job is found behind those that were deleted.
func workQueue() Workload {
	return Workload{
		Name:      "work-queue",
		Summary:   "clients that insert, take and delete jobs",
		Published: "--clients 32 --rate 0 --copy yes",
		Duration:  time.Minute,
		Clients:   4,
		Options: []Option{
			rateOption(1500, "statements"),
			{Name: "indexed", Default: "no", Usage: "`yes`: there is an index on the column that taking a job updates, so that no update is HOT", Check: YesOrNo},
			{Name: "copy", Default: "no", Usage: "`yes`: rows are copied into another table at the same time", Check: YesOrNo},
		},
		Tables:   []string{queueTable, copyTable},
		Expected: experiment.Expected{Freezing: true, Aggressive: true},
		Settings: loadSettings,
		Load:     loadQueue,
		Run:      runQueue,
	}
}

func loadQueue(ctx context.Context, s *server.Server, p Params) error {
	if err := loadTable(ctx, s, copyTable, createCopy); err != nil {
		return err
	}
	statements := []string{
		"create table public.queue (id bigint generated always as identity primary key, taken_at timestamptz, job text not null)",
		fmt.Sprintf("insert into public.queue (job) select repeat('x', 80) from generate_series(1, %d)", p.Rows(queueBacklog)),
		queueStatements(),
	}
	if p.Yes("indexed") {
		statements = append(statements, "create index queue_taken_at_idx on public.queue (taken_at)")
	}
	return loadTable(ctx, s, queueTable, statements...)
}

func runQueue(ctx context.Context, s *server.Server, p Params, o *Observed) error {
	others := []func(context.Context) error{scaleFreezeAges(s, p, queueTable, copyTable)}
	if p.Yes("copy") {
		c := &client{number: p.Clients, pace: newPace(time.Now(), copiesBeside, 0, 1), o: o}
		others = append(others, func(ctx context.Context) error {
			return c.run(ctx, s, func(ctx context.Context, c *client) error { return c.copy(ctx, p.Rows(copyRows)) })
		})
	}
	return load(ctx, s, p, o, statements, others...)
}

// queueStatements insert a job, take the oldest one and delete it.
func queueStatements() string {
	return statementsProcedure("oldest bigint;",
		"insert into public.queue (job) select repeat('x', 80)",
		`update public.queue set taken_at = now()
			where id = (select id from public.queue where taken_at is null order by id limit 1 for update skip locked) returning id into oldest`,
		"delete from public.queue where id = oldest")
}

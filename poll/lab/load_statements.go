package lab

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Small statements cost a client nearly as much as the server: sending one and being woken
// for its answer. So that the measured server has the machine, the clients' statements
// are run and timed by a procedure in their sessions, each in a transaction of its own; the
// client calls it twice a second and collects.

// statementsFor is how long one call of the procedure runs statements.
const statementsFor = 500 * time.Millisecond

// lastWithin bounds how long the last statements of a run may take beyond its end.
const lastWithin = 2 * time.Second

// statementsProcedure makes the procedure that runs statements of PL/pgSQL one after
// another, over and over; declared are the variables that they use.
//
// pg_sleep rounds up to a millisecond. What is not whole is not slept, so a statement may
// be sent up to a millisecond before it is due, and then counts from when it was sent.
func statementsProcedure(declared string, statements ...string) string {
	var body strings.Builder
	for _, statement := range statements {
		fmt.Fprintf(&body, `
		due_at := pg_catalog.clock_timestamp();
		if every > interval '0' then
			perform pg_catalog.pg_sleep(pg_catalog.floor(extract(epoch from next - due_at) * 1000) / 1000) where next > due_at;
			due_at := least(next, pg_catalog.clock_timestamp());
			next := next + every;
		end if;
		%s;
		commit;
		n := n + 1;
		due[n] := due_at;
		ended[n] := pg_catalog.clock_timestamp();`, statement)
	}
	return `
create procedure public.run_statements(until timestamptz, every interval, inout next timestamptz, inout due timestamptz[], inout ended timestamptz[])
language plpgsql as $$
declare
	n int := 0;
	due_at timestamptz;
	` + declared + `
begin
	while greatest(next, pg_catalog.clock_timestamp()) < until loop` + body.String() + `
	end loop;
end $$`
}

// statements calls the procedure once, and measures what it ran: also when ctx ends
// meanwhile, because a statement that takes long then is not to be left out.
func statements(ctx context.Context, c *client) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	until := time.Now().Add(statementsFor)
	if end, has := ctx.Deadline(); has && end.Before(until) {
		until = end
	}
	if c.pace.next.After(until) {
		return sleep(ctx, time.Until(c.pace.next))
	}
	calling, cancel := outlasting(ctx, lastWithin)
	defer cancel()
	var due, ended []time.Time
	err := c.conn.QueryRow(calling, "call public.run_statements($1, $2, $3, '{}', '{}')", until, c.pace.every, c.pace.next).Scan(&c.pace.next, &due, &ended)
	if err != nil {
		return err
	}
	for i := range due {
		c.o.Statement(due[i], ended[i])
	}
	return nil
}

// outlasting is a context that ends some time after another one.
func outlasting(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(by, cancel) })
	return longer, func() {
		stop()
		cancel()
	}
}

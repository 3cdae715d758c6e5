package lab

import (
	"context"
	"fmt"
	"strconv"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// Statements a second, of all clients, and how many rows are the newest.
const (
	tailRate   = 300
	spreadRate = 3000
	newestRows = 2000

	tailClients = 4
)

// HotTail shows that vacuums pass over pages of which they know that nothing in them is
// dead: where only the end of a table changes, they read that.
func HotTail() Scenario {
	return Scenario{
		Name:     "hot-tail",
		Summary:  "a table of which only the end changes, and then all of it",
		Settings: hotTailSettings,
		Begin:    beginHotTail,
	}
}

func hotTailSettings(major int) []string {
	return append(meterSettings(major),
		"autovacuum=on",
		"synchronous_commit=on", // rows of a commit that is not written do not make a page all-visible
		"autovacuum_vacuum_cost_delay=2ms",
		"autovacuum_vacuum_cost_limit=5")
}

func beginHotTail(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	h := &tailStory{s: s, conn: conn, p: Params{Scale: scale, Clients: tailClients, Seed: 1}}
	return []Stage{h.newest(), h.anywhere()}, h.load(ctx)
}

// tailStory is a table that grows at its end.
type tailStory struct {
	s    *server.Server
	conn *server.Conn
	p    Params
}

func (h *tailStory) load(ctx context.Context) error {
	if err := loadHotTail(ctx, h.s, h.p); err != nil {
		return err
	}
	return execAll(ctx, h.conn, "vacuum (freeze) public."+hotTailTable, "checkpoint",
		fmt.Sprintf("alter table public.%s set (autovacuum_vacuum_insert_threshold = %d, autovacuum_vacuum_insert_scale_factor = 0, "+
			"autovacuum_vacuum_threshold = %d, autovacuum_vacuum_scale_factor = 0)", hotTailTable, h.p.Rows(6000), h.p.Rows(5000)))
}

func (h *tailStory) newest() Stage {
	return Stage{
		Caption: Caption{
			Title: "only the newest rows change",
			Happens: "Four clients insert rows at the end of public.hot_tail and update some of the newest. VACUUM marks pages without dead rows as all-visible, and then passes over them. " +
				"A new row version that finds room on its own page needs no new index entries (a HOT update).",
			Look: "Autovacuum comes every few seconds, and is done in a moment.",
		},
		Run: func(ctx context.Context) (Check, error) {
			before, err := h.rows(ctx)
			if err != nil {
				return Check{}, err
			}
			read, pages, err := h.lastOf(ctx, func(v []experiment.LoggedVacuum) bool { return len(v) >= 3 }, tailRate,
				fmt.Sprintf("insert into public.hot_tail (payload) select repeat('x', 80) from generate_series(1, %d)", hotTailInserts),
				fmt.Sprintf("update public.hot_tail set seen = seen + 1 where id = (select last_value - floor(random() * %d)::bigint from public.hot_tail_id_seq)", newestRows))
			if err != nil {
				return Check{}, err
			}
			now, err := h.rows(ctx)
			updated, hot := now.Updated-before.Updated, now.UpdatedHOT-before.UpdatedHOT
			return Check{
				Holds: read*3 < pages && hot*10 > updated*8,
				Figure: fmt.Sprintf("The last autovacuum read %s of %s pages (%s), and %s of %s updates were HOT.", model.FormatCount(read), model.FormatCount(pages),
					share(read, pages), model.FormatCount(hot), model.FormatCount(updated)),
			}, err
		},
	}
}

func (h *tailStory) anywhere() Stage {
	return Stage{
		Caption: Caption{
			Title:   "rows change anywhere",
			Happens: "Now the clients update any of the rows. One changed row makes its page not all-visible any more, and the changes are spread over nearly every page.",
			Look:    "The next autovacuum reads nearly the whole table, page by page.",
		},
		Run: func(ctx context.Context) (Check, error) {
			read, pages, err := h.lastOf(ctx, readMost, spreadRate,
				"update public.hot_tail set seen = seen + 1 where id = (select 1 + floor(random() * last_value)::bigint from public.hot_tail_id_seq)")
			return Check{
				Holds:  read*2 > pages,
				Figure: fmt.Sprintf("The last autovacuum read %s of %s pages (%s).", model.FormatCount(read), model.FormatCount(pages), share(read, pages)),
			}, err
		},
	}
}

// readMost tells that a vacuum found changes on most pages: the first ones may come before
// there are as many.
func readMost(v []experiment.LoggedVacuum) bool {
	return len(v) >= 4 || len(v) > 0 && v[len(v)-1].PagesScanned*2 > v[len(v)-1].Pages
}

func share(part, of int64) string {
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(max(1, of)))
}

func (h *tailStory) rows(ctx context.Context) (experiment.Rows, error) {
	var c counters
	if err := c.readRows(ctx, h.conn, []string{hotTailTable}); err != nil {
		return c.rows, fmt.Errorf("count the updates: %w", err)
	}
	return c.rows, nil
}

// lastOf lets clients run statements in turn until enough autovacuums of the
// table have ended, and returns the pages that the last one read, of those there are.
func (h *tailStory) lastOf(ctx context.Context, enough func([]experiment.LoggedVacuum) bool, rate int, statements ...string) (read, pages int64, err error) {
	from, err := logLength(h.s)
	if err != nil {
		return 0, 0, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := make(chan error, 1)
	go func() {
		p := h.p
		p.Options = map[string]string{"rate": strconv.Itoa(rate)}
		err := load(ctx, h.s, p, new(Observed), inTurn(statements))
		stop(err)
		ended <- err
	}()
	vacuums, err := untilLogged(ctx, h.s, from, hotTailTable, enough)
	stop(nil)
	if failed := <-ended; failed != nil {
		return 0, 0, failed
	}
	if err != nil {
		return 0, 0, err
	}
	last := vacuums[len(vacuums)-1]
	return last.PagesScanned, last.Pages, nil
}

// inTurn runs each statement when it is due.
func inTurn(statements []string) func(ctx context.Context, c *client) error {
	return func(ctx context.Context, c *client) error {
		for _, statement := range statements {
			if _, err := c.pace.wait(ctx); err != nil {
				return err
			}
			if _, err := c.conn.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	}
}

package lab

import (
	"context"
	"fmt"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

const (
	plainTable, frozenTable = "plain", "frozen"

	freezeAtScaleOne = 80_000
)

// Freeze shows what it costs to freeze a table while it is new, and what it saves later.
func Freeze() Scenario {
	return Scenario{
		Name:     "freeze",
		Summary:  "what FREEZE costs now, and saves later",
		Settings: ageSettings,
		Begin:    beginFreeze,
	}
}

func beginFreeze(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	f := &freezeStory{conn: conn}
	return []Stage{f.now(), f.later()}, f.load(ctx, scaled(freezeAtScaleOne, scale))
}

// freezeStory is two equal tables, of which one is frozen while it is new.
type freezeStory struct{ conn *server.Conn }

func (f *freezeStory) load(ctx context.Context, rows int) error {
	for _, table := range []string{plainTable, frozenTable} {
		err := execAll(ctx, f.conn,
			"create table public."+table+" (id bigint not null, booked timestamptz, note text) with (autovacuum_enabled = off)",
			"alter table public."+table+" alter column note set storage plain",
			fmt.Sprintf("insert into public.%s select g, now(), repeat('x', 900) from generate_series(1, %d) g", table, rows))
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *freezeStory) now() Stage {
	return Stage{
		Caption: Caption{
			Title: "VACUUM, and VACUUM (FREEZE)",
			Happens: "public.plain and public.frozen hold the same rows, just written. A VACUUM of the first leaves young rows as they are. " +
				"VACUUM (FREEZE) of the second marks each row as older than all, so that nobody will have to look at its age again.",
			Look: "The two take about the same time: to freeze new pages costs little.",
		},
		Run: func(ctx context.Context) (Check, error) {
			if err := execAll(ctx, f.conn, "set vacuum_cost_delay = '1ms'", "set vacuum_cost_limit = 4"); err != nil {
				return Check{}, err
			}
			plain, err := f.vacuum(ctx, "vacuum", plainTable)
			if err != nil {
				return Check{}, err
			}
			frozen, err := f.vacuum(ctx, "vacuum (freeze)", frozenTable)
			if err != nil {
				return Check{}, err
			}
			return Check{
				Holds:  plain.frozen.Or(0) == 0 && frozen.frozen.Or(1) > 0,
				Figure: fmt.Sprintf("VACUUM: %s. VACUUM (FREEZE): %s.", plain, frozen),
			}, nil
		},
	}
}

func (f *freezeStory) later() Stage {
	return Stage{
		Caption: Caption{
			Title: "the next aggressive vacuum",
			Happens: "The pages were written to disk, and 150,000 transactions later (vacuum_freeze_table_age; usually 150 million) the next VACUUM of each table is aggressive: " +
				"it reads every page that is not frozen. public.frozen is first, then public.plain.",
			Look: "The first is over at once. The second reads and writes every page.",
		},
		Run: func(ctx context.Context) (Check, error) {
			if err := execAll(ctx, f.conn, "checkpoint", "set vacuum_cost_limit = 20"); err != nil {
				return Check{}, err
			}
			if err := ageTo(ctx, f.conn, frozenTable, scaledFreezeTableAge+beyond); err != nil {
				return Check{}, err
			}
			frozen, err := f.vacuum(ctx, "vacuum", frozenTable)
			if err != nil {
				return Check{}, err
			}
			plain, err := f.vacuum(ctx, "vacuum", plainTable)
			return Check{
				Holds:  plain.took > 3*frozen.took && plain.wal > 10*frozen.wal,
				Figure: fmt.Sprintf("public.frozen: %s. public.plain: %s.", frozen, plain),
			}, err
		},
	}
}

// frozenBy is what a vacuum did.
type frozenBy struct {
	took   time.Duration
	wal    model.Bytes
	frozen model.Opt[int64] // pages that were not frozen before; not known before 18
}

func (v frozenBy) String() string {
	text := fmt.Sprintf("%s, %s of WAL", seconds(v.took), model.FormatBytes(v.wal))
	if pages, known := v.frozen.Get(); known {
		text += fmt.Sprintf(", %s pages frozen", model.FormatCount(pages))
	}
	return text
}

// vacuum runs a statement on a table.
func (f *freezeStory) vacuum(ctx context.Context, sql, table string) (v frozenBy, err error) {
	before, err := f.state(ctx, table)
	if err != nil {
		return v, err
	}
	if v.took, err = timedExec(ctx, f.conn, sql+" public."+table); err != nil {
		return v, err
	}
	after, err := f.state(ctx, table)
	return frozenBy{v.took, after.wal - before.wal, less(after.frozen, before.frozen)}, err
}

// state reads how much WAL was ever written and how many of a table's pages are frozen.
func (f *freezeStory) state(ctx context.Context, table string) (v frozenBy, err error) {
	var pages *int64
	err = f.conn.QueryRow(ctx, `
		select (pg_catalog.pg_current_wal_insert_lsn() - '0/0')::bigint, (pg_catalog.to_jsonb(c) ->> 'relallfrozen')::bigint
		from pg_catalog.pg_class c where oid = $1::text::regclass`, "public."+table).Scan(&v.wal, &pages)
	if err != nil {
		return v, fmt.Errorf("read the WAL's position and the frozen pages of %s: %w", table, err)
	}
	v.frozen = optional[int64](pages)
	return v, nil
}

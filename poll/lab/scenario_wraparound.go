package lab

import (
	"context"
	"fmt"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// The ages at which something happens to a table, in transaction ids: a thousandth of the
// defaults, but that of the failsafe, which is the least that the server takes.
const (
	scaledFreezeMinAge   = 50_000
	scaledFreezeTableAge = 150_000
	scaledFreezeMaxAge   = 200_000
	scaledFailsafeAge    = scaledFreezeMaxAge * 105 / 100

	beyond = 1_000 // so far over an age the scenarios go
)

const (
	ledgerTable       = "ledger"
	ledgerRowsPerPage = 6
	ledgerAtScaleOne  = 120_000
)

// Wraparound shows what happens to a table that gets too old: its vacuum reads all of it,
// then autovacuum comes and gives way to nobody, and in the end it does the least it can.
func Wraparound() Scenario {
	return Scenario{
		Name:     "wraparound",
		Summary:  "a table gets too old: aggressive, not giving way, failsafe",
		Settings: ageSettings,
		Begin:    beginWraparound,
	}
}

func beginWraparound(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	w := &wraparound{s: s, conn: conn}
	stages := []Stage{w.aggressive(), w.givesWay(), w.doesNotGiveWay()}
	if s.Major >= 14 {
		stages = append(stages, w.failsafe())
	}
	return stages, w.load(ctx, scaled(ledgerAtScaleOne, scale))
}

// ageSettings are those of the scenarios about age: vacuums are logged, and what happens
// at an age happens at a thousandth of it. A commit is written at once, because rows of
// one that is not do not make a page all-visible.
func ageSettings(major int) []string {
	settings := append(meterSettings(major),
		"autovacuum=on",
		"synchronous_commit=on",
		fmt.Sprintf("vacuum_freeze_min_age=%d", scaledFreezeMinAge),
		fmt.Sprintf("vacuum_freeze_table_age=%d", scaledFreezeTableAge),
		fmt.Sprintf("autovacuum_freeze_max_age=%d", scaledFreezeMaxAge))
	if major >= 14 {
		settings = append(settings, "vacuum_failsafe_age=0")
	}
	return settings
}

// wraparound is a table that is brought to one age after another.
type wraparound struct {
	s      *server.Server
	conn   *server.Conn
	forced time.Duration // how long the autovacuum against wraparound took
}

func (w *wraparound) load(ctx context.Context, rows int) error {
	return execAll(ctx, w.conn,
		`create table public.ledger (id bigint not null, account int not null, booked timestamptz, note text)
			with (autovacuum_enabled = off, fillfactor = 75, autovacuum_vacuum_cost_delay = 2, autovacuum_vacuum_cost_limit = 10,
			      autovacuum_freeze_min_age = 0, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0.01)`,
		"alter table public.ledger alter column note set storage plain",
		fmt.Sprintf("insert into public.ledger select g, g %% 1000, now(), repeat('x', 900) from generate_series(1, %d) g", rows),
		"create index ledger_id on public.ledger (id) with (fillfactor = 20)",
		"create index ledger_account on public.ledger (account, id) with (fillfactor = 20)",
		"create index ledger_booked on public.ledger (booked, id) with (fillfactor = 20)",
		"vacuum (analyze) public.ledger", "checkpoint")
}

// dirty updates a row of every page; their pages are then written, so that a vacuum is
// the one who makes them dirty, at its cost.
func (w *wraparound) dirty(ctx context.Context, round int) error {
	return execAll(ctx, w.conn,
		fmt.Sprintf("update public.ledger set account = account + 1 where id %% %d = %d", ledgerRowsPerPage, round), "checkpoint")
}

func (w *wraparound) aggressive() Stage {
	return Stage{
		Caption: Caption{
			Title: "VACUUM of a young and of an old table",
			Happens: "A row bears the number of the transaction that wrote it; before the numbers run out it must be frozen, marked as older than all. " +
				"The first VACUUM of public.ledger passes over its pages: nothing in them is dead. 150,000 transactions later (usually 150 million) the same VACUUM is aggressive.",
			Look: "It now reads page after page, though nothing is dead.",
		},
		Run: func(ctx context.Context) (Check, error) {
			if err := execAll(ctx, w.conn, "set vacuum_cost_delay = '2ms'", "set vacuum_cost_limit = 100"); err != nil {
				return Check{}, err
			}
			young, err := timedExec(ctx, w.conn, "vacuum public.ledger")
			if err != nil {
				return Check{}, err
			}
			if err := ageTo(ctx, w.conn, ledgerTable, scaledFreezeTableAge+beyond); err != nil {
				return Check{}, err
			}
			old, err := timedExec(ctx, w.conn, "vacuum public.ledger")
			return Check{
				Holds:  old > 3*young,
				Figure: fmt.Sprintf("The first VACUUM took %s, the aggressive one %s.", seconds(young), seconds(old)),
			}, err
		},
	}
}

func (w *wraparound) givesWay() Stage {
	return Stage{
		Caption: Caption{
			Title: "an ordinary autovacuum gives way",
			Happens: "A row of every page was updated, and autovacuum comes for the dead versions. Then somebody's ALTER TABLE wants the table. " +
				"After 1 s (deadlock_timeout) the server cancels the autovacuum for it; its work has to be done again.",
			Look: "ALTER TABLE among the lock waits, and how the autovacuum ends.",
		},
		Run: func(ctx context.Context) (Check, error) {
			if err := w.dirty(ctx, 1); err != nil {
				return Check{}, err
			}
			waited, ended, err := w.meet(ctx, func() error {
				return execAll(ctx, w.conn, "alter table public.ledger set (autovacuum_enabled = on)")
			}, ", SET (autovacuum_enabled = off, autovacuum_vacuum_cost_limit = 60)")
			return Check{
				Holds:  len(ended) == 0,
				Figure: fmt.Sprintf("ALTER TABLE had waited %s when the autovacuum was cancelled for it.", seconds(waited)),
			}, err
		},
	}
}

func (w *wraparound) doesNotGiveWay() Stage {
	return Stage{
		Caption: Caption{
			Title: "an autovacuum against wraparound does not",
			Happens: "Autovacuum is now off for this table. But 200,000 transactions later (autovacuum_freeze_max_age; usually 200 million) it comes nevertheless, " +
				"to prevent wraparound, and no ALTER TABLE has it cancelled.",
			Look: "ALTER TABLE waits until the autovacuum has ended.",
		},
		Run: func(ctx context.Context) (Check, error) {
			if err := w.dirty(ctx, 2); err != nil {
				return Check{}, err
			}
			waited, ended, err := w.meet(ctx, func() error { return ageTo(ctx, w.conn, ledgerTable, scaledFreezeMaxAge+beyond) }, "")
			if err != nil || len(ended) == 0 {
				return Check{Figure: "No autovacuum had ended when ALTER TABLE got the table."}, err
			}
			w.forced = ended[0].Lasted()
			return Check{
				Holds:  ended[0].StartedBy == model.ByAutovacuumWraparound && ended[0].Thorough(),
				Figure: fmt.Sprintf("The autovacuum ran to its end in %s, and ALTER TABLE waited %s for that.", seconds(w.forced), seconds(waited)),
			}, nil
		},
	}
}

func (w *wraparound) failsafe() Stage {
	return Stage{
		Caption: Caption{
			Title: "failsafe: nothing but the age matters",
			Happens: "Rows were updated again, and the table gets as old as the failsafe (vacuum_failsafe_age, usually 1.6 billion; here 210,000): the server would soon stop writing. " +
				"The autovacuum does not sleep any more, and leaves the indexes out.",
			Look: "It is over in a moment: no index phase, and no delay.",
		},
		Run: func(ctx context.Context) (Check, error) {
			if err := w.dirty(ctx, 3); err != nil {
				return Check{}, err
			}
			from, err := logLength(w.s)
			if err != nil {
				return Check{}, err
			}
			if err := w.ageHeld(ctx, scaledFailsafeAge+beyond); err != nil {
				return Check{}, err
			}
			ended, err := untilLogged(ctx, w.s, from, ledgerTable, func(v []experiment.LoggedVacuum) bool { return len(v) > 0 })
			if err != nil {
				return Check{}, err
			}
			var untouched int64
			err = w.conn.QueryRow(ctx, "select relpages - relallvisible from pg_catalog.pg_class where oid = 'public.ledger'::regclass").Scan(&untouched)
			return Check{
				Holds:  ended[0].Kind == experiment.VacuumFailsafe && untouched > 0,
				Figure: fmt.Sprintf("It took %s, not %s, and left the places of dead rows on %s pages.", seconds(ended[0].Lasted()), seconds(w.forced), model.FormatCount(untouched)),
			}, err
		},
	}
}

// ageHeld brings the table to an age, and keeps autovacuum out until it has that.
func (w *wraparound) ageHeld(ctx context.Context, age int64) error {
	holder, err := w.s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(holder)
	if err := execAll(ctx, holder, "begin", "lock table public.ledger in share update exclusive mode"); err != nil {
		return err
	}
	return ageTo(ctx, w.conn, ledgerTable, age)
}

// meet lets autovacuum begin with the table, then sends an ALTER TABLE, with more to
// alter. It returns how long that waited, and the autovacuums that had ended by then.
func (w *wraparound) meet(ctx context.Context, begin func() error, more string) (waited time.Duration, ended []experiment.LoggedVacuum, err error) {
	from, err := logLength(w.s)
	if err != nil {
		return 0, nil, err
	}
	if err := begin(); err != nil {
		return 0, nil, err
	}
	if err := w.untilScanned(ctx); err != nil {
		return 0, nil, err
	}
	alter, err := w.s.Connect(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer closeQuietly(alter)
	if waited, err = timedExec(ctx, alter, "ALTER TABLE public.ledger ALTER COLUMN note SET DEFAULT ''"+more); err != nil {
		return 0, nil, err
	}
	ended, err = readVacuums(w.s, from, []string{ledgerTable})
	return waited, ended, err
}

// untilScanned returns when a vacuum has read some of the table.
func (w *wraparound) untilScanned(ctx context.Context) error {
	for {
		var begun bool
		err := w.conn.QueryRow(ctx, "select exists (select from pg_catalog.pg_stat_progress_vacuum where relid = 'public.ledger'::regclass and heap_blks_scanned > 0)").Scan(&begun)
		if err != nil || begun {
			return err
		}
		if err := sleep(ctx, lookEvery); err != nil {
			return err
		}
	}
}

// untilLogged returns the autovacuums of a table that the log tells of from a position on,
// when they are enough.
func untilLogged(ctx context.Context, s *server.Server, from int64, table string, enough func([]experiment.LoggedVacuum) bool) ([]experiment.LoggedVacuum, error) {
	for {
		ended, err := readVacuums(s, from, []string{table})
		if err != nil || enough(ended) {
			return ended, err
		}
		if err := sleep(ctx, lookEvery); err != nil {
			return nil, err
		}
	}
}

// timedExec runs a statement and returns how long it took.
func timedExec(ctx context.Context, conn *server.Conn, sql string) (time.Duration, error) {
	return timed(func() error { return execAll(ctx, conn, sql) })
}

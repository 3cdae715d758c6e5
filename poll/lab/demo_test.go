package lab_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/pgtest"
	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// smallScale gives vacuums of about two seconds.
const smallScale = 0.08

func TestDemoShowsWorkersAndAChainOfWaiters(t *testing.T) {
	for _, major := range pgtest.Majors {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) {
			s := pgtest.Start(t, major, lab.DemoSettings(major)...)
			ended := make(chan error, 1)
			go func() {
				ended <- lab.Demo{Scale: smallScale, Rounds: 1, Note: func(string) {}}.Run(t.Context(), s.Server)
			}()
			look := s.Conn(t)
			pgtest.Eventually(t, "four workers", func() bool { return workers(t, look) == 4 })
			pgtest.Eventually(t, "a chain of waiters", func() bool { return waiterBehindAlter(t, look) })
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDemoMakesTheTableDirtyForEveryRound(t *testing.T) {
	s := pgtest.Start(t, 18, lab.DemoSettings(18)...)
	var notes []string
	demo := lab.Demo{Scale: 0.01, Rounds: 3, Note: func(text string) { notes = append(notes, text) }}
	if err := demo.Run(t.Context(), s.Server); err != nil {
		t.Fatal(err)
	}
	var vacuums, updated, updatedHot int
	err := s.Conn(t).QueryRow(t.Context(),
		"select vacuum_count, n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = $1", lab.DemoTable).Scan(&vacuums, &updated, &updatedHot)
	if err != nil {
		t.Fatal(err)
	}
	if vacuums != 3 || updated != 3*1400/5 || updatedHot != 0 {
		t.Errorf("%d vacuums, %d rows updated, of them %d without new index entries", vacuums, updated, updatedHot)
	}
	if said := strings.Join(notes, "\n"); strings.Count(said, "VACUUM (PARALLEL 4)") != 3 {
		t.Errorf("three vacuums were not announced:\n%s", said)
	}
}

// Once the person has sent a VACUUM, the demo sends none, makes the table dirty after
// those that complete, and keeps autovacuum at work.
func TestDemoStepsBackForThePerson(t *testing.T) {
	for _, major := range []int{13, 19} {
		s := pgtest.Start(t, major, append(lab.DemoSettings(major), "autovacuum=on")...)
		notes, taken := make(chan string, 100), make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		demo := lab.Demo{Scale: 0.02, Pause: time.Hour, Autovacuum: true, TakenOver: taken, Note: func(text string) { notes <- text }}
		go func() { ended <- demo.Run(ctx, s.Server) }()
		said := func(what string) {
			t.Helper()
			for {
				select {
				case text := <-notes:
					if strings.Contains(text, what) {
						return
					}
				case err := <-ended:
					t.Fatalf("pg%d: before %q it ended with %v", major, what, err)
				}
			}
		}
		said("the next vacuum starts")
		close(taken)
		said("the demo starts none of its own any more")
		look := s.Conn(t)
		for range 2 {
			s.Exec(t, "vacuum public.orders")
			said("updated again")
			var dead bool
			pgtest.Eventually(t, "the table is dirty", func() bool {
				query(t, look, &dead, "select n_dead_tup > 0 from pg_stat_user_tables where relname = 'orders'")
				return dead
			})
		}
		autovacuums := 0
		for range 2 {
			before := autovacuums
			pgtest.Eventually(t, "another autovacuum of the events", func() bool {
				query(t, look, &autovacuums, "select autovacuum_count from pg_stat_user_tables where relname = 'events'")
				return autovacuums > before
			})
		}
		var vacuums int
		query(t, look, &vacuums, "select vacuum_count from pg_stat_user_tables where relname = 'orders'")
		if vacuums != 3 {
			t.Errorf("pg%d: %d vacuums, of which the demo ran one and the person two", major, vacuums)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("pg%d: ended with %v", major, err)
		}
	}
}

func TestDemoEndsWithItsContext(t *testing.T) {
	s := pgtest.Start(t, 18, lab.DemoSettings(18)...)
	ctx, cancel := context.WithCancel(t.Context())
	demo := lab.Demo{Scale: smallScale, Pause: time.Hour, Note: func(text string) {
		if strings.HasPrefix(text, "the next vacuum") {
			cancel()
		}
	}}
	if err := demo.Run(ctx, s.Server); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

func TestDemoSaysThatTheServerWentAway(t *testing.T) {
	s := pgtest.Start(t, 18, lab.DemoSettings(18)...)
	demo := lab.Demo{Scale: smallScale, Note: func(text string) {
		if strings.HasPrefix(text, "ALTER TABLE") {
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		}
	}}
	if err := demo.Run(t.Context(), s.Server); err == nil {
		t.Error("no error, though the server was stopped")
	}
}

func workers(t *testing.T, look *pgx.Conn) (n int) {
	t.Helper()
	query(t, look, &n, "select count(*) from pg_stat_activity where leader_pid in (select pid from pg_stat_progress_vacuum)")
	return n
}

// waiterBehindAlter tells whether a reader waits for ALTER TABLE, and that for
// the vacuum.
func waiterBehindAlter(t *testing.T, look *pgx.Conn) (found bool) {
	t.Helper()
	query(t, look, &found, `
		select exists (
			select from pg_stat_activity reader, pg_stat_activity alters, pg_stat_progress_vacuum vacuum
			where reader.query like 'SELECT count%' and alters.query like 'ALTER TABLE%'
			  and alters.pid = any (pg_blocking_pids(reader.pid)) and vacuum.pid = any (pg_blocking_pids(alters.pid)))`)
	return found
}

func query(t *testing.T, conn *pgx.Conn, into any, sql string) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), sql).Scan(into); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

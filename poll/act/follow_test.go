package act_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
	"github.com/jackc/pgx/v5"
)

// scannedBy is how many pages a vacuum has passed; ok is false when it has ended.
func scannedBy(t *testing.T, conn *pgx.Conn, pid int) (blocks int, ok bool) {
	t.Helper()
	err := conn.QueryRow(context.Background(), "select heap_blks_scanned from pg_stat_progress_vacuum where pid = $1", pid).Scan(&blocks)
	if err != nil && err != pgx.ErrNoRows {
		t.Fatal(err)
	}
	return blocks, err == nil
}

// slow tells whether a vacuum still passes less than a hundred pages a second, where it
// would pass thousands if it had followed: a busy machine does not make it faster.
func slow(t *testing.T, s *pgtest.Server, pid int) bool {
	t.Helper()
	conn, from := s.Conn(t), time.Now()
	first, goesOn := scannedBy(t, conn, pid)
	last := first
	pgtest.Eventually(t, "it passes ten pages", func() bool {
		last, goesOn = scannedBy(t, conn, pid)
		return !goesOn || last >= first+10
	})
	return goesOn && float64(last-first)/time.Since(from).Seconds() < 100
}

// faster are changes by which a vacuum that follows them is over in a moment.
func faster() []model.Change {
	return []model.Change{
		{Scope: model.ScopeServer, Name: "vacuum_cost_limit", Value: model.Some("10000")},
		{Scope: model.ScopeServer, Name: "autovacuum_vacuum_cost_limit", Value: model.Some("10000")},
	}
}

func TestManualVacuumKeepsItsSettings(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "act_keeps")
		for _, c := range faster() {
			changed(t, s, c)
		}
		changed(t, s, model.Change{Scope: model.ScopeServer, Name: "vacuum_cost_delay", Value: model.Some("0")})
		if !slow(t, s, int(v.PID)) {
			t.Error("it has followed")
		}
	})
}

func TestAutovacuumFollowsFrom16On(t *testing.T) {
	for _, major := range pgtest.Majors {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) {
			s, pid := autovacuumed(t, major, "create table act_auto(id int, what text)"+eager)
			before := pid()
			for _, c := range faster() {
				changed(t, s, c)
			}
			if major < 16 {
				if !slow(t, s, before) {
					t.Error("it has become faster than it started")
				}
				return
			}
			pgtest.Eventually(t, "the autovacuum follows, and ends", func() bool { return pid() != before })
		})
	}
}

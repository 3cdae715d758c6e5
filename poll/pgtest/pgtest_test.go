package pgtest_test

import (
	"testing"

	"example.com/vacscope/poll/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestHeldVacuumMovesAndSleeps(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "held")
		v.Waiting(t, "Timeout")
		first := scanned(t, s, v)
		pgtest.Eventually(t, "another block is scanned", func() bool { return scanned(t, s, v) > first })
	})
}

func TestPinnedVacuumStandsStillUntilReleased(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v, release := s.PinnedVacuum(t, "pinned")
		if got := scanned(t, s, v); got != 0 {
			t.Errorf("%d blocks were scanned in front of the first one, which is held", got)
		}
		release()
		if err := <-v.Done; err != nil {
			t.Errorf("the vacuum, once released: %v", err)
		}
	})
}

func TestVacuumWaitsForALockHeld(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "locked", Rows: 100})
		release := s.LockHold(t, "locked", "share")
		v := s.Vacuum(t, "locked", "").Waiting(t, "Lock")
		release()
		if err := <-v.Done; err != nil {
			t.Errorf("the vacuum, once released: %v", err)
		}
	})
}

func TestStartTakesSettings(t *testing.T) {
	s := pgtest.Start(t, 18, "work_mem=5MB", `cluster_name=it's a \ name`)
	var workMem, name string
	err := s.Conn(t).QueryRow(t.Context(), "select current_setting('work_mem'), current_setting('cluster_name')").Scan(&workMem, &name)
	if err != nil || workMem != "5MB" || name != `it's a \ name` {
		t.Errorf("work_mem %q, cluster_name %q, error %v", workMem, name, err)
	}
}

func scanned(t *testing.T, s *pgtest.Server, v *pgtest.Vacuum) (blocks int64) {
	t.Helper()
	err := s.Conn(t).QueryRow(t.Context(), "select heap_blks_scanned from pg_stat_progress_vacuum where pid = $1", v.PID).Scan(&blocks)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

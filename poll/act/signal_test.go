package act_test

import (
	"context"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// keyOf reads who a vacuum's process is.
func keyOf(t *testing.T, s *pgtest.Server, pid int32) model.RunKey {
	t.Helper()
	key := model.RunKey{PID: pid}
	err := s.Conn(t).QueryRow(context.Background(),
		"select backend_start, query_start from pg_stat_activity where pid = $1", pid).Scan(&key.BackendStart, &key.StatementStart)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestOnlyTheStatementThatWasMeantIsCancelled(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "act_signal")
		key, to := keyOf(t, s, v.PID), config(t, s.ConnString())
		gate := act.NewGate(false, func(model.Event) {})
		for name, other := range map[string]model.RunKey{
			"the pid was reused":    {PID: key.PID, BackendStart: key.BackendStart.Add(time.Microsecond), StatementStart: key.StatementStart},
			"it runs something new": {PID: key.PID, BackendStart: key.BackendStart, StatementStart: key.StatementStart.Add(time.Microsecond)},
		} {
			if err := gate.Cancel(context.Background(), to, other, false); err == nil {
				t.Errorf("%s, and it was signalled", name)
			}
		}
		if err := gate.Cancel(context.Background(), to, key, false); err != nil {
			t.Error(err)
		}
		if err := <-v.Done; err == nil {
			t.Error("the vacuum was not cancelled")
		}
	})
}

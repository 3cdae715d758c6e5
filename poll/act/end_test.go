package act_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// holder reads who keeps dead rows until one is there that is sought.
func holder(t *testing.T, s *pgtest.Server, is func(model.XminHolder) bool) model.XminHolder {
	t.Helper()
	var found model.XminHolder
	pgtest.Eventually(t, "somebody keeps dead rows", func() bool {
		var ok bool
		found, ok = holderNow(t, s, is)
		return ok
	})
	return found
}

func holderNow(t *testing.T, s *pgtest.Server, is func(model.XminHolder) bool) (model.XminHolder, bool) {
	t.Helper()
	source, err := poll.Open(t.Context(), config(t, s.ConnString()), poll.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	var tracker model.Tracker
	holders := tracker.Step(source.Beat(t.Context())).Horizon.Holders
	if i := slices.IndexFunc(holders, is); i >= 0 {
		return holders[i], true
	}
	return model.XminHolder{}, false
}

// ended ends a holder, and it is gone by then; what was sent is recorded, and a second
// time nothing is done.
func ended(t *testing.T, s *pgtest.Server, h model.XminHolder, is func(model.XminHolder) bool) {
	t.Helper()
	var sent []string
	gate := act.NewGate(false, func(e model.Event) { sent = append(sent, string(e.Text)) })
	want, err := act.EndStatement(h)
	if err != nil {
		t.Fatal(err)
	}
	if err := act.NewGate(true, nil).End(t.Context(), config(t, s.ConnString()), h); err != act.ErrReadOnly {
		t.Errorf("a gate that is shut: %v", err)
	}
	if err := gate.End(t.Context(), config(t, s.ConnString()), h); err != nil {
		t.Error(err)
	}
	if !slices.Equal(sent, []string{want}) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	if still, there := holderNow(t, s, is); there {
		t.Errorf("it is still there: %+v", still)
	}
	if err := gate.End(t.Context(), config(t, s.ConnString()), h); err == nil || !strings.Contains(err.Error(), "nothing was done") || len(sent) != 1 {
		t.Errorf("the second time: %v, sent %q", err, sent)
	}
}

func TestASessionThatKeepsDeadRowsIsEnded(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		conn := s.Conn(t)
		begin := func() {
			if _, err := conn.Exec(t.Context(), "begin; select txid_current()"); err != nil {
				t.Fatal(err)
			}
		}
		begin()
		is := func(h model.XminHolder) bool { return h.PID == int32(conn.PgConn().PID()) }
		before := holder(t, s, is)
		if _, err := conn.Exec(t.Context(), "commit"); err != nil {
			t.Fatal(err)
		}
		begin()
		gate := act.NewGate(false, func(e model.Event) { t.Errorf("sent %s", e.Text) })
		if err := gate.End(t.Context(), config(t, s.ConnString()), before); err == nil {
			t.Error("the same session, in another transaction, was ended")
		}
		ended(t, s, holder(t, s, is), is)
		if err := conn.Ping(context.Background()); err == nil {
			t.Error("its connection goes on")
		}
	})
}

func TestAPreparedTransactionThatKeepsDeadRowsIsRolledBack(t *testing.T) {
	for _, major := range []int{13, 19} {
		s := pgtest.Start(t, major, "max_prepared_transactions=2")
		s.Exec(t, "create table rolled (id int)")
		prepare := func() {
			if _, err := s.Conn(t).Exec(t.Context(), "begin; insert into rolled values (1); prepare transaction 'it''s old'"); err != nil {
				t.Fatal(err)
			}
		}
		prepare()
		is := func(h model.XminHolder) bool { return h.GID == "it's old" }
		first := holder(t, s, is)
		s.Exec(t, "rollback prepared 'it''s old'")
		prepare()
		gate := act.NewGate(false, func(e model.Event) { t.Errorf("sent %s", e.Text) })
		if err := gate.End(t.Context(), config(t, s.ConnString()), first); err == nil {
			t.Errorf("%d: another transaction of the same name was rolled back", major)
		}
		ended(t, s, holder(t, s, is), is)
		var rows int
		if err := s.Conn(t).QueryRow(t.Context(), "select count(*) from rolled").Scan(&rows); err != nil || rows != 0 {
			t.Errorf("%d: %d rows, %v", major, rows, err)
		}
	}
}

func TestALogicalSlotThatKeepsDeadRowsIsDropped(t *testing.T) {
	for _, major := range []int{13, 19} {
		s := pgtest.Start(t, major, "wal_level=logical")
		s.Exec(t, "select pg_create_logical_replication_slot('forgotten', 'test_decoding')")
		is := func(h model.XminHolder) bool { return h.Slot == "forgotten" }
		h := holder(t, s, is)
		if h.Kind != model.HolderSlotCatalog {
			t.Errorf("%d: %+v", major, h)
		}
		ended(t, s, h, is)
	}
}

// A standby with hot_standby_feedback keeps rows by its walsender, or by its slot, which
// is not ended from here; the slot of one that has gone is.
func TestAStandbyThatKeepsDeadRowsIsEndedWhenItHasGone(t *testing.T) {
	for _, major := range []int{13, 19} {
		primary, standby := pgtest.StartWithStandby(t, major)
		primary.Exec(t, "select pg_create_physical_replication_slot('standby')")
		reload := func(settings ...string) {
			for _, setting := range settings {
				standby.Exec(t, "alter system set "+setting)
			}
			standby.Exec(t, "select pg_reload_conf()")
		}
		reload("wal_receiver_status_interval = '1s'", "hot_standby_feedback = on")
		feedback := holder(t, primary, func(h model.XminHolder) bool { return h.Kind == model.HolderWalsender })
		if _, err := act.EndStatement(feedback); err == nil || !strings.Contains(err.Error(), "on the standby") {
			t.Errorf("%d: of a walsender: %v", major, err)
		}
		reload("primary_slot_name = 'standby'")
		ofSlot := func(h model.XminHolder) bool { return h.Kind == model.HolderSlot && h.Slot == "standby" }
		if used := holder(t, primary, ofSlot); used.Active {
			if _, err := act.EndStatement(used); err == nil {
				t.Errorf("%d: a slot in use would be dropped", major)
			}
		}
		_ = standby.Stop()
		left := holder(t, primary, func(h model.XminHolder) bool { return ofSlot(h) && !h.Active })
		ended(t, primary, left, ofSlot)
	}
}

// Of a session that is masked nothing tells that it is still the same.
func TestAMaskedSessionIsNotEnded(t *testing.T) {
	_, err := act.EndStatement(model.XminHolder{Kind: model.HolderSession, PID: 5, Masked: true, Since: model.Some(time.Now())})
	if err == nil {
		t.Error("it would be ended")
	}
}

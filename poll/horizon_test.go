package poll

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// horizon reads once who keeps dead rows from being removed.
func horizon(t *testing.T, source *Source) *model.Horizon {
	t.Helper()
	source.reader.(*session).horizon = horizonDue{}
	var tracker model.Tracker
	sample := source.Beat(t.Context())
	if len(sample.Problems) > 0 {
		t.Fatalf("problems: %+v", sample.Problems)
	}
	return tracker.Step(sample).Horizon
}

// holderWhere finds a holder.
func holderWhere(h *model.Horizon, is func(model.XminHolder) bool) (model.XminHolder, bool) {
	if i := slices.IndexFunc(h.Holders, is); i >= 0 {
		return h.Holders[i], true
	}
	return model.XminHolder{}, false
}

func ofPID(conn *pgx.Conn) func(model.XminHolder) bool {
	return func(h model.XminHolder) bool { return h.PID == int32(conn.PgConn().PID()) }
}

func execOn(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// A session that is idle in a transaction keeps rows when it has an id or a snapshot,
// and a reader in read committed has neither between its statements.
func TestIdleInTransactionKeepsRowsOnlyWithAnIDOrASnapshot(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Database(t, "elsewhere", "")
		reader, writer, snapshot, other := s.Conn(t), s.Conn(t), s.Conn(t), s.ConnAs(t, "postgres", "elsewhere")
		execOn(t, reader, "begin", "select 1")
		execOn(t, writer, "begin", "select txid_current()")
		execOn(t, snapshot, "begin isolation level repeatable read", "select 1")
		execOn(t, other, "begin isolation level repeatable read", "select 1")
		source := open(t, s.ConnString())
		h := horizon(t, source)
		here := read(t, source).Server.DatID
		if found, blamed := holderWhere(h, ofPID(reader)); blamed {
			t.Errorf("a reader without id and snapshot is blamed: %+v", found)
		}
		for name, conn := range map[string]*pgx.Conn{"writer": writer, "snapshot": snapshot} {
			found, ok := holderWhere(h, ofPID(conn))
			if !ok || !found.Keeps(here) || !found.KeepsCatalogs(here) || found.State.Or("") != "idle in transaction" || !found.Since.Known() {
				t.Errorf("%s: %v %+v", name, ok, found)
			}
		}
		if found, ok := holderWhere(h, ofPID(other)); !ok || found.Keeps(here) || found.KeepsCatalogs(here) || !found.Keeps(found.DatID) {
			t.Errorf("a snapshot of another database: %v %+v", ok, found)
		}
	})
}

// What is read is what VACUUM goes by: after transactions of others the holder's age is
// how many there were, and the oldest comes first.
func TestTheOldestHolderComesFirst(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		old, young := s.Conn(t), s.Conn(t)
		execOn(t, old, "begin", "select txid_current()")
		for range 5 {
			s.Exec(t, "select txid_current()")
		}
		execOn(t, young, "begin", "select txid_current()")
		h := horizon(t, open(t, s.ConnString()))
		first, _ := holderWhere(h, ofPID(old))
		second, _ := holderWhere(h, ofPID(young))
		if first.Age-second.Age < 6 || slices.IndexFunc(h.Holders, ofPID(old)) > slices.IndexFunc(h.Holders, ofPID(young)) {
			t.Errorf("ages %d and %d; between them were 6 transactions", first.Age, second.Age)
		}
	})
}

// A prepared transaction has no session, and keeps rows of its database.
func TestAPreparedTransactionKeepsRows(t *testing.T) {
	for _, major := range pgtest.Majors {
		s := pgtest.Start(t, major, "max_prepared_transactions=2")
		execOn(t, s.Conn(t), "begin", "select txid_current()", "prepare transaction 'orphan-2'")
		source := open(t, s.ConnString())
		h := horizon(t, source)
		found, ok := holderWhere(h, func(h model.XminHolder) bool { return h.GID == "orphan-2" })
		if !ok || found.Kind != model.HolderPrepared || !found.Keeps(read(t, source).Server.DatID) || found.Role.Or("") != "postgres" ||
			found.Database.Or("") != "postgres" || !found.Since.Known() || !found.XID.Known() {
			t.Errorf("%d: %v %+v", major, ok, found)
		}
	}
}

// A logical slot keeps rows of the catalogs of all databases, and no user's.
func TestALogicalSlotKeepsCatalogsOnly(t *testing.T) {
	for _, major := range []int{13, 15, 18, 19} {
		s := pgtest.Start(t, major, "wal_level=logical")
		s.Exec(t, "select pg_create_logical_replication_slot('forgotten', 'test_decoding')")
		source := open(t, s.ConnString())
		h := horizon(t, source)
		here := read(t, source).Server.DatID
		found, ok := holderWhere(h, func(h model.XminHolder) bool { return h.Slot == "forgotten" })
		if !ok || found.Kind != model.HolderSlotCatalog || found.Active || found.Keeps(here) || !found.KeepsCatalogs(here) || !found.KeepsCatalogs(here+1) {
			t.Errorf("%d: %v %+v", major, ok, found)
		}
	}
}

// The monitor's own sessions hold nothing, and nor does a VACUUM, whether it runs or
// waits for its table.
func TestVacuumsAndTheMonitorAreNotBlamed(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "horizon_runs")
		s.MakeTable(t, pgtest.Table{Name: "horizon_waits", Rows: 10})
		locker := s.Conn(t)
		execOn(t, locker, "begin", "lock table horizon_waits in access exclusive mode")
		waits := s.Vacuum(t, "horizon_waits", "")
		other := open(t, s.ConnString())
		read(t, other)
		source := open(t, s.ConnString())
		pgtest.Eventually(t, "the second vacuum waits", func() bool {
			p, ok := process(read(t, source), waits.PID)
			return ok && p.WaitsForLock()
		})
		for _, h := range horizon(t, source).Holders {
			if h.PID == v.PID || h.PID == waits.PID || h.ApplicationName.Or("") == "vacscope" {
				t.Errorf("blamed: %+v", h)
			}
		}
	})
}

// A role that may not see what others do is told their ids and ages all the same, and
// that what they do is hidden.
func TestAMaskedHolderIsSaidToBeMasked(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Role(t, "horizon_plain")
		writer := s.Conn(t)
		execOn(t, writer, "begin", "select txid_current()")
		h := horizon(t, open(t, s.ConnStringFor("horizon_plain", "postgres")))
		found, ok := holderWhere(h, ofPID(writer))
		if !ok || !found.Masked || found.Query.Known() || found.Since.Known() || found.Age < 1 {
			t.Errorf("%v %+v", ok, found)
		}
	})
}

// A part that a role may not read costs only itself.
func TestARefusedPartOfTheHorizonCostsOnlyItself(t *testing.T) {
	s := pgtest.Start(t, 18)
	s.Role(t, "horizon_refused")
	s.Exec(t, "revoke select on pg_prepared_xacts from public")
	writer := s.Conn(t)
	execOn(t, writer, "begin", "select txid_current()")
	var tracker model.Tracker
	sample := open(t, s.ConnStringFor("horizon_refused", "postgres")).Beat(t.Context())
	h := tracker.Step(sample).Horizon
	if _, ok := holderWhere(h, ofPID(writer)); !ok || !slices.Equal(h.Unread, []string{"prepared transactions"}) || len(sample.Problems) != 1 {
		t.Errorf("%v %+v, problems %+v", ok, h, sample.Problems)
	}
}

package tui

import (
	"time"

	"example.com/vacscope/model"
)

func vacuumBlocker(pid int32, backendType model.Text) model.Blocker {
	return model.Blocker{PID: pid, Vacuum: true, BackendType: model.Some(backendType), State: model.Some[model.Text]("active")}
}

// idleBlocker forgot its transaction.
func idleBlocker(pid int32) model.Blocker {
	return model.Blocker{
		PID: pid, BackendType: model.Some[model.Text]("client backend"), State: model.Some[model.Text]("idle in transaction"),
		Role: model.Some[model.Text]("app"), XactStart: model.Some(ago(192 * time.Second)),
		Query: model.Some[model.Text]("UPDATE large_tbl SET note = 'x' WHERE id = 1"),
	}
}

func lockWaits() []model.LockWait {
	return []model.LockWait{
		{
			PID: 460112, BlockedBy: []int32{452996}, Blockers: []model.Blocker{vacuumBlocker(452996, "client backend")}, LockType: model.Some[model.Text]("relation"), Mode: model.Some[model.Text]("AccessExclusiveLock"),
			RelID: model.Some[uint32](16500), Database: model.Some[model.Text]("app"),
			Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("large_tbl"),
			Waited: model.Some(12400 * time.Millisecond), SeenFor: 12 * time.Second, Around: true,
			Query: model.Some[model.Text]("ALTER TABLE large_tbl ADD COLUMN note text"),
		},
		{
			PID: 460201, BlockedBy: []int32{460112}, Blockers: []model.Blocker{{PID: 460112, Waits: true}}, LockType: model.Some[model.Text]("relation"), Mode: model.Some[model.Text]("AccessShareLock"),
			RelID: model.Some[uint32](16500), Database: model.Some[model.Text]("app"),
			Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("large_tbl"),
			Waited: model.Some(3 * time.Second), SeenFor: 3 * time.Second, Around: true,
			Query: model.Some[model.Text]("SELECT count(*)\n  FROM large_tbl"),
		},
	}
}

// waiter is one more that waits for a lock on large_tbl.
func waiter(pid int32, waited time.Duration, mode, query model.Text, blockers ...model.Blocker) model.LockWait {
	w := lockWaits()[0]
	w.PID, w.From, w.Exact, w.Waited, w.SeenFor = pid, ago(waited), true, model.Some(waited), waited
	w.Mode, w.Query, w.Role = model.Some(mode), model.Some(query), model.Some[model.Text]("app")
	w.Blockers, w.BlockedBy = blockers, nil
	for _, b := range blockers {
		w.BlockedBy = append(w.BlockedBy, b.PID)
	}
	return w
}

// over is a wait that ended so long ago.
func over(w model.LockWait, before time.Duration) model.LockWait {
	lasted := w.SeenFor
	w.From, w.Ended = ago(before+lasted), model.Some(ago(before))
	return w
}

// chainSnapshot has three that wait one behind the other, one that began just now
// behind them, one beside them, and one that has waited before.
func chainSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	third := waiter(460333, 900*time.Millisecond, "RowExclusiveLock", "INSERT INTO large_tbl VALUES (1)",
		model.Blocker{PID: 460201, Waits: true}, model.Blocker{PID: 460112, Waits: true}, vacuumBlocker(452996, "client backend"))
	fresh := waiter(460350, 0, "", "SELECT 1", model.Blocker{PID: 460201, Waits: true})
	fresh.Mode, fresh.LockType, fresh.Table, fresh.Waited = model.None[model.Text](), model.None[model.Text](), model.None[model.Text](), model.None[time.Duration]()
	beside := waiter(460400, 4*time.Second, "ExclusiveLock", "LOCK TABLE other", idleBlocker(460001))
	beside.Around, beside.Table = false, model.Some[model.Text]("other")
	s.LockWaits = append(s.LockWaits, beside, third, fresh)
	s.PastWaits = []model.LockWait{
		over(waiter(459980, 3100*time.Millisecond, "ShareLock", "CREATE INDEX ON large_tbl (note)", vacuumBlocker(452996, "client backend")), 5*time.Minute),
		over(waiter(459981, 2*time.Second, "AccessShareLock", "TABLE large_tbl", model.Blocker{PID: 459980, Waits: true}), 5*time.Minute),
	}
	return s
}

// givesWaySnapshot has an autovacuum that is cancelled in a moment.
func givesWaySnapshot() *model.Snapshot {
	s := emptySnapshot()
	run := autovacuumRun()
	run.StartedBy = model.Some(model.ByAutovacuum)
	run.Left.UntilFull = true
	s.Active = []*model.Run{run, parallelRun()}
	w := waiter(460112, 400*time.Millisecond, "AccessExclusiveLock", "TRUNCATE orders", vacuumBlocker(451007, "autovacuum worker"))
	w.GivesWay = model.Some(fixtureNow.Add(600 * time.Millisecond))
	late := w
	late.PID, late.GivesWay, late.Waited = 460113, model.Some(ago(20*time.Millisecond)), model.Some(1020*time.Millisecond)
	s.LockWaits = []model.LockWait{late, w}
	return s
}

// wraparoundSnapshot has one that waits for an autovacuum that gives no way.
func wraparoundSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	blocker := vacuumBlocker(451007, "autovacuum worker")
	blocker.AntiWraparound = true
	s.LockWaits = []model.LockWait{waiter(460112, 94*time.Second, "ShareUpdateExclusiveLock", "ALTER TABLE orders SET (fillfactor = 80)", blocker)}
	return s
}

// heldSnapshot has a vacuum that waits for a page, which somebody holds.
func heldSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	run := parallelRun()
	run.Phases = run.Phases[:1]
	run.Progress.Phase = model.Some[model.Text]("scanning heap")
	first, second := idleBlocker(460001), idleBlocker(460002)
	first.Suspect, second.Suspect = true, true
	first.ApplicationName = model.Some[model.Text]("billing")
	second.State, second.XactStart = model.Some[model.Text]("active"), model.Some(ago(20*time.Second))
	second.Query = model.Some[model.Text]("SELECT * FROM large_tbl")
	run.HeldUp = &model.HeldUp{
		Kind: model.HeldCleanup, PID: run.Key.PID, Since: ago(34 * time.Second), At: model.Some[model.Blocks](0), Of: model.Some[model.Blocks](863),
		Holders: []model.Blocker{first, second}, HoldersRead: true,
	}
	w := waiter(run.Key.PID, 34*time.Second, "", "VACUUM (FREEZE) large_tbl")
	w.Kind, w.At, w.Mode, w.LockType, w.Waited, w.BlockedBy = model.HeldCleanup, run.HeldUp.At, model.None[model.Text](), model.None[model.Text](), model.None[time.Duration](), []int32{}
	w.Blockers = run.HeldUp.Holders
	s.Active, s.LockWaits = []*model.Run{run}, []model.LockWait{w}
	return s
}

// truncatingSnapshot has a vacuum that cannot cut off the empty end of its table.
func truncatingSnapshot() *model.Snapshot {
	s := heldSnapshot()
	run, w := s.Active[0], &s.LockWaits[0]
	run.Phases[0].Phase, run.Progress.Phase = "truncating heap", model.Some[model.Text]("truncating heap")
	reader, prepared := idleBlocker(460001), model.Blocker{GID: model.Some[model.Text]("order-7")}
	run.HeldUp = &model.HeldUp{Kind: model.HeldTruncate, PID: run.Key.PID, Since: ago(2 * time.Second), Holders: []model.Blocker{reader, prepared}, HoldersRead: true}
	w.Kind, w.At, w.From, w.SeenFor = model.HeldTruncate, model.None[model.Blocks](), ago(2*time.Second), 2*time.Second
	w.Blockers, w.BlockedBy, w.Query = run.HeldUp.Holders, []int32{460001, 0}, model.Some[model.Text]("VACUUM large_tbl")
	return s
}

// preparedSnapshot has a vacuum that waits for a prepared transaction and others.
func preparedSnapshot() *model.Snapshot {
	s := waitingSnapshot()
	reader := model.Blocker{
		PID: 460002, State: model.Some[model.Text]("active"), XactStart: model.Some(ago(20 * time.Second)), Query: model.Some[model.Text]("SELECT pg_sleep(100)"),
	}
	masked := model.Blocker{PID: 460003, Role: model.Some[model.Text]("other")}
	s.LockWaits = []model.LockWait{waiter(452996, 48*time.Second, "AccessExclusiveLock", "VACUUM FULL large_tbl", model.Blocker{}, reader, masked)}
	return s
}

// pastSnapshot has nobody who waits now, and some who did.
func pastSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	s.LockWaits = nil
	for i := range 14 {
		w := waiter(459980-int32(i), time.Duration(i+1)*700*time.Millisecond, "AccessShareLock", "SELECT count(*) FROM large_tbl", vacuumBlocker(452996, "client backend"))
		if i%3 == 1 {
			w.Blockers = []model.Blocker{idleBlocker(460001), {}}
			w.Blockers[0].XactStart = model.Some(ago(100 * time.Hour))
		}
		s.PastWaits = append(s.PastWaits, over(w, time.Duration(i*i)*8*time.Minute))
	}
	return s
}

// crowdSnapshot has 500 that wait: one for a vacuum, the others behind it.
func crowdSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	s.LockWaits = s.LockWaits[:1]
	first := model.Blocker{PID: 460112, Waits: true}
	for i := range 499 {
		w := waiter(int32(461000+i), 12*time.Second-time.Duration(i)*20*time.Millisecond, "AccessShareLock", "SELECT * FROM large_tbl WHERE id = $1", first)
		if i%100 == 99 {
			w = waiter(w.PID, w.SeenFor, "AccessExclusiveLock", "DROP TABLE large_tbl", vacuumBlocker(452996, "client backend"), first)
		}
		s.LockWaits = append(s.LockWaits, w)
	}
	s.PastWaits = pastSnapshot().PastWaits
	return s
}

// maskedSnapshot is what a role without grants sees of a vacuum that waits, behind a
// session that it may not see either.
func maskedSnapshot() *model.Snapshot {
	s := emptySnapshot()
	s.Active, s.Ended = nil, nil
	s.Server.SeesAll, s.Server.Role = false, "app"
	w := waiter(452996, 48*time.Second, "ShareUpdateExclusiveLock", "", model.Blocker{PID: 460003, Role: model.Some[model.Text]("other")})
	w.Query, w.Masked, w.Role = model.None[model.Text](), true, model.Some[model.Text]("dba")
	s.LockWaits = []model.LockWait{w}
	return s
}

// disabledSnapshot has one that waits for a session which tells nothing of itself, on a
// server that counts waits.
func disabledSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	b := model.Blocker{PID: 460009, State: model.Some[model.Text]("disabled"), Role: model.Some[model.Text]("dba")}
	s.LockWaits = []model.LockWait{waiter(460112, 94*time.Second, "ShareUpdateExclusiveLock", "ALTER TABLE orders SET (fillfactor = 80)", b)}
	s.CountedWaits = model.Some(model.LockTotals{Waits: 3, WaitTime: 7 * time.Second})
	return s
}

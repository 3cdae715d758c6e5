package model

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// session is a client's process with its statement.
func session(pid int32, state, query Text, blockedBy ...int32) Process {
	p := Process{PID: pid, DatID: Some[uint32](5), Database: Some[Text]("app"), BackendType: Some[Text]("client backend"),
		State: Some(state), StatementStart: Some(at(0)), Query: Some(query)}
	if len(blockedBy) > 0 {
		p.Wait, p.BlockedBy = Some(Wait{"Lock", "relation"}), blockedBy
	}
	return p
}

// The waits around a run are kept by who waited for what and what the one did who had
// it; others are not the run's.
func TestLockWaitsAreTalliedByWhatWaitedForWhat(t *testing.T) {
	alter := session(300, "active", "alter table t add x int", 100)
	behind := session(301, "active", "select * from t", 300)
	other := session(400, "active", "update u set a = 1", 401)
	locks := []Lock{
		{PID: 300, LockType: "relation", Mode: "AccessExclusiveLock", DatID: 5, RelID: 16384, WaitStart: Some(at(500))},
		{PID: 301, LockType: "relation", Mode: "AccessShareLock", DatID: 5, RelID: 16384, WaitStart: Some(at(1500))},
	}
	first := beat(1, 1000, vacuumer(scanning(1, 10)), alter, other, session(401, "idle in transaction", "lock table u"))
	second := beat(2, 3000, vacuumer(scanning(2, 10)), alter, behind)
	second.Poll.Locks = locks
	second.Poll.Relations = []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t"}}
	over := beat(3, 4000, session(301, "active", "select * from t"))
	run := last(fold([]Sample{first, second, over})).Ended[0]
	table := Some(RelationName{"public", "t"})
	want := LockTally{
		Places: []LockPlace{
			{Statement: "ALTER TABLE", LockType: "relation", Mode: "AccessExclusiveLock", Relation: table, Doing: "VACUUM, scanning heap"},
			{Statement: "SELECT", LockType: "relation", Mode: "AccessShareLock", Relation: table, Doing: "ALTER TABLE, waiting itself"},
		},
		Waits: []TalliedWait{{0, 2500 * time.Millisecond}, {1, 1500 * time.Millisecond}},
	}
	if !reflect.DeepEqual(run.LockWaits, want) {
		t.Errorf("%+v\nwant %+v", run.LockWaits, want)
	}
}

// A session that goes on to wait for somebody else has not waited for the run since.
func TestAWaitCountsAsLongAsTheRunIsInItsChain(t *testing.T) {
	waiting := func(pid int32) Process { return session(300, "active", "alter table t add x int", pid) }
	stream := []Sample{
		beat(1, 1000, vacuumer(scanning(1, 10)), waiting(100)),
		beat(2, 2000, vacuumer(scanning(1, 10)), waiting(100)),
		beat(3, 9000, waiting(500), session(500, "active", "select 1")),
		beat(4, 10000),
	}
	snaps := fold(stream)
	if !snaps[1].LockWaits[0].IsAround(snaps[1].Active[0]) {
		t.Error("it waits for the run")
	}
	if got := last(snaps).Ended[0].LockWaits.Waits; len(got) != 1 || got[0].Length != time.Second {
		t.Errorf("%+v", got)
	}
}

// The vacuum's own wait for its table is one of them, also when it was over before the
// lock table was read.
func TestTheVacuumsOwnWaitIsTallied(t *testing.T) {
	pending := vacuumer(Progress{})
	pending.Progress, pending.Wait, pending.BlockedBy = nil, Some(Wait{"Lock", "relation"}), []int32{300}
	holder := session(300, "idle in transaction", "  /* app */ insert into t values (1)")
	run := onlyRun(t, last(fold([]Sample{beat(1, 1000, pending, holder), beat(2, 2000, vacuumer(scanning(1, 10)))})))
	if got := run.LockWaits.Places; len(got) != 1 || got[0].Statement != "VACUUM" || got[0].Doing != "idle in transaction after INSERT" {
		t.Errorf("%+v", got)
	}
}

// The longest stay, and it is said how many do not.
func TestLockWaitsOfARunAreBounded(t *testing.T) {
	var tally LockTally
	for i := range 2 * maxTallied {
		tally = tally.with(nearRun{place: LockPlace{Statement: fmt.Sprint(i % (2 * maxLockPlaces))}, length: time.Duration(i)})
	}
	if len(tally.Places) != maxLockPlaces || len(tally.Waits)+tally.Left != 2*maxTallied || len(tally.Waits) != maxTallied {
		t.Errorf("%d places, %d waits, %d left out", len(tally.Places), len(tally.Waits), tally.Left)
	}
	tally = tally.with(nearRun{place: tally.Places[0], length: time.Hour})
	longest := time.Duration(0)
	for _, w := range tally.Waits {
		longest = max(longest, w.Length)
	}
	if longest != time.Hour || len(tally.Waits) != maxTallied {
		t.Errorf("the longest is %v of %d", longest, len(tally.Waits))
	}
}

func TestStatementKinds(t *testing.T) {
	for query, want := range map[Text]string{
		"select 1":                           "SELECT",
		" -- x\n with a as (select 1)":       "WITH",
		"create unique index concurrently i": "CREATE UNIQUE INDEX CONCURRENTLY",
		"ALTER TABLE table_with_a_name":      "ALTER TABLE",
		"vacuum (full) t":                    "VACUUM FULL",
		"autovacuum: VACUUM public.t":        "autovacuum: VACUUM",
		"lock t":                             "LOCK",
		"truncate table t":                   "TRUNCATE TABLE",
		"xlog.c:909":                         "xlog.c:909",
		"":                                   "",
	} {
		if got := StatementKind(query); got != want {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
}

package poll

import (
	"fmt"
	"slices"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// queue reads once what autovacuum has to do next.
func queue(t *testing.T, source *Source) *model.Snapshot {
	t.Helper()
	s := source.reader.(*session)
	s.queue, s.settings = queueDue{}, due{}
	var tracker model.Tracker
	sample := source.Beat(t.Context())
	if len(sample.Problems) > 0 {
		t.Fatalf("problems: %+v", sample.Problems)
	}
	return tracker.Step(sample)
}

// queued finds a table of the queue by its name.
func queued(s *model.Snapshot, name model.Text) (model.QueuedTable, bool) {
	tables := s.Queued()
	if i := slices.IndexFunc(tables, func(t model.QueuedTable) bool { return t.Name == name }); i >= 0 {
		return tables[i], true
	}
	return model.QueuedTable{}, false
}

// quiet is a server whose autovacuum is on and does not come by within a test.
var quiet = []string{"autovacuum=on", "autovacuum_naptime=1h", "autovacuum_vacuum_insert_scale_factor=0.2"}

// execAndLeave runs statements in a session that ends: up to 14 one that is idle may
// keep what it counted to itself.
func execAndLeave(t *testing.T, s *pgtest.Server, statements ...string) {
	t.Helper()
	session := s.Conn(t)
	execOn(t, session, statements...)
	session.Close(t.Context())
}

// letAutovacuumCome makes autovacuum of a quiet server come by every second, at once.
func letAutovacuumCome(t *testing.T, s *pgtest.Server) {
	t.Helper()
	s.Exec(t, "alter system set autovacuum_naptime = '1s'", "alter system set autovacuum = off", "select pg_reload_conf()")
	pgtest.Eventually(t, "the launcher has gone, and comes back at once", func() bool {
		var gone bool
		err := s.Conn(t).QueryRow(t.Context(), "select not exists (select from pg_stat_activity where backend_type = 'autovacuum launcher')").Scan(&gone)
		return err == nil && gone
	})
	s.Exec(t, "alter system set autovacuum = on", "select pg_reload_conf()")
}

// What autovacuum does with tables that are past their thresholds, and how it is told
// before: dead rows, inserts, changes, options of the table and of its TOAST relation.
func TestTheQueueIsWhatAutovacuumThenDoes(t *testing.T) {
	for _, major := range pgtest.Majors {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) { queueBeforeAutovacuum(t, major) })
	}
}

func queueBeforeAutovacuum(t *testing.T, major int) {
	s := pgtest.Start(t, major, quiet...)
	conn := s.Conn(t)
	counted := func(column string, want map[string]int) {
		t.Helper()
		pgtest.Eventually(t, column+" is counted", func() bool {
			for table, n := range want {
				var got int
				if err := conn.QueryRow(t.Context(), "select "+column+" from pg_stat_user_tables where relname = $1", table).Scan(&got); err != nil || got != n {
					return false
				}
			}
			return true
		})
	}
	execAndLeave(t, s,
		"create table dead (id int)", "create table inserted (id int)", "create table filled (id int)", "create table calm (id int)",
		"create table own (id int) with (autovacuum_vacuum_threshold = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_analyze_threshold = 1000000)",
		"create table forbidden (id int) with (autovacuum_enabled = off)",
		"create table toasted (id int, t text) with (autovacuum_vacuum_threshold = 10, autovacuum_vacuum_scale_factor = 0)",
		"alter table toasted alter t set storage external",
		"insert into dead select generate_series(1, 500)", "insert into inserted select generate_series(1, 1001)", "insert into filled select generate_series(1, 1500)",
		"insert into calm select generate_series(1, 20)", "insert into own select generate_series(1, 100)", "insert into forbidden select generate_series(1, 2000)",
		"insert into toasted select g, repeat('x', 5000) from generate_series(1, 40) g")
	counted("n_mod_since_analyze", map[string]int{"dead": 500, "inserted": 1001, "filled": 1500, "own": 100, "forbidden": 2000, "toasted": 40})
	execAndLeave(t, s, "vacuum analyze dead", "vacuum analyze own", "vacuum analyze toasted", "analyze inserted", "analyze filled")
	counted("n_mod_since_analyze", map[string]int{"dead": 0, "inserted": 0, "filled": 0, "own": 0, "toasted": 0})
	execAndLeave(t, s, "delete from dead where id <= 151", "delete from own where id <= 11", "delete from toasted where id <= 5")
	counted("n_dead_tup", map[string]int{"dead": 151, "own": 11, "toasted": 5})
	source := open(t, s.ConnString())
	found := queue(t, source)
	type due struct{ vacuum, analyze bool }
	for name, want := range map[model.Text]due{
		"dead": {true, true}, // 50 + 0.2 * 500, 50 + 0.1 * 500
		"own":  {true, false}, "inserted": {false, false}, "filled": {true, false}, "forbidden": {false, false}, "toasted": {false, false},
	} {
		got, ok := queued(found, name)
		if !ok || got.Vacuum != want.vacuum || got.Analyze != want.analyze || got.Wraparound {
			t.Errorf("%s: %v %+v", name, ok, got)
		}
	}
	if got, ok := queued(found, "calm"); ok && got.Due() {
		t.Errorf("calm: %+v", got)
	}
	forbidden, _ := queued(found, "forbidden")
	if why := found.Hindrance(forbidden); why.Or("") != model.HinderedByTable {
		t.Errorf("what keeps autovacuum from forbidden: %v", why)
	}
	tables := found.Queued()
	i := slices.IndexFunc(tables, func(t model.QueuedTable) bool { return t.ToastOf != nil && t.ToastOf.Name == "toasted" })
	if i < 0 || !tables[i].Vacuum || tables[i].Analyze {
		t.Errorf("the TOAST relation goes by its table's options: %+v", tables)
	}
	letAutovacuumCome(t, s)
	pgtest.Eventually(t, "autovacuum has done it", func() bool {
		found = queue(t, source)
		return len(found.Queued()) > 0 && !slices.ContainsFunc(found.Queued(), model.QueuedTable.Due)
	})
	var vacuumed, analyzed []string
	err := conn.QueryRow(t.Context(), `
select coalesce(array_agg(relname::text order by relname) filter (where autovacuum_count > 0), '{}'),
       coalesce(array_agg(relname::text order by relname) filter (where autoanalyze_count > 0), '{}')
from pg_stat_user_tables`).Scan(&vacuumed, &analyzed)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"dead", "filled", "own"}; !slices.Equal(vacuumed, want) || !slices.Contains(analyzed, "dead") || slices.Contains(analyzed, "own") || slices.Contains(analyzed, "forbidden") {
		t.Errorf("vacuumed %v (want %v), analyzed %v", vacuumed, want, analyzed)
	}
}

// A table that is due and that autovacuum passes over, because somebody has a lock on
// it, or waits for one behind a reader: it says who, and goes on saying so.
func TestATableThatAutovacuumPassesOverSaysWhoHasIt(t *testing.T) {
	for _, major := range []int{13, 16, 19} {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) { passedOver(t, major) })
	}
}

func passedOver(t *testing.T, major int) {
	s := pgtest.Start(t, major, append(quiet, "max_prepared_transactions=2")...)
	tables := []model.Text{"held", "awaited", "prepared", "free"}
	for _, table := range tables {
		execAndLeave(t, s, fmt.Sprintf("create table %s (id int)", table), fmt.Sprintf("insert into %s select generate_series(1, 2000)", table))
	}
	holder, reader := s.Conn(t), s.Conn(t)
	execOn(t, holder, "begin", "lock table held in share mode")
	execOn(t, reader, "begin", "select from awaited")
	waiter, _ := s.Statement(t, "truncate awaited")
	awaitWaiters(t, s.Conn(t), 1)
	execOn(t, s.Conn(t), "begin", "lock table prepared in exclusive mode", "prepare transaction 'orphan'")
	letAutovacuumCome(t, s)
	source := open(t, s.ConnString())
	var found *model.Snapshot
	pgtest.Eventually(t, "autovacuum has come by, and passed the others over", func() bool {
		found = queue(t, source)
		free, there := queued(found, "free")
		held, ok := queued(found, "held")
		return ok && held.Due() && !(there && free.Due())
	})
	for table, want := range map[model.Text]model.Blocker{
		"held": {PID: int32(holder.PgConn().PID())}, "awaited": {PID: waiter, Waits: true}, "prepared": {GID: model.Some[model.Text]("orphan")},
	} {
		got, _ := queued(found, table)
		who := found.InTheWay(got)
		if !got.Due() || found.Hindrance(got).Or("") != model.HinderedByLock || len(who) != 1 || who[0].PID != want.PID || who[0].Waits != want.Waits || who[0].GID != want.GID {
			t.Errorf("%s: due %v, %v, by %+v, want %+v", table, got.Due(), found.Hindrance(got), who, want)
		}
	}
}

// A manual VACUUM that runs is who works on its table, and no obstacle to itself.
func TestAVacuumIsNotInItsOwnWay(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "queue_runs")
		source := open(t, s.ConnString())
		var found *model.Snapshot
		var got model.QueuedTable
		pgtest.Eventually(t, "the table is in the queue", func() (listed bool) { // 19: as soon as its rows are counted
			found = queue(t, source)
			got, listed = queued(found, "queue_runs")
			return listed
		})
		if works := found.WorksOn(got); !slices.Equal(works, []int32{v.PID}) || len(found.InTheWay(got)) != 0 || found.Hindrance(got).Known() {
			t.Errorf("works on it: %v, in the way %v, %v", works, found.InTheWay(got), found.Hindrance(got))
		}
	})
}

// Ages past autovacuum_freeze_max_age must be vacuumed, also where autovacuum is off;
// its worker then waits for a lock, as an ordinary one does not.
func TestOldTablesAreDueWhereAutovacuumIsOff(t *testing.T) {
	for _, major := range []int{13, 18, 19} {
		s := pgtest.Start(t, major, "autovacuum_freeze_max_age=100000", "max_connections=20")
		s.Exec(t, "create table old (id int) with (autovacuum_enabled = off)", "create table young (id int)")
		holder := s.Conn(t)
		execOn(t, holder, "begin", "lock table old in share mode")
		s.Exec(t, "do $$ begin for i in 1..100010 loop perform txid_current(); commit; end loop; end $$", "vacuum freeze young")
		found := queue(t, open(t, s.ConnString()))
		old, _ := queued(found, "old")
		if !old.Wraparound || !old.Vacuum || old.Analyze || old.Pressures[0].Of != model.PressureXIDs || found.Queue.Off != "autovacuum" {
			t.Errorf("%d: %+v", major, old)
		}
		if who := found.InTheWay(old); len(who) == 0 || who[0].PID != int32(holder.PgConn().PID()) || found.Hindrance(old).Or("") != model.HinderedByLock {
			t.Errorf("%d: in the way of old: %+v, %v", major, who, found.Hindrance(old))
		}
		if young, listed := queued(found, "young"); listed && young.Due() {
			t.Errorf("%d: young is due: %+v", major, young)
		}
		nearest := slices.IndexFunc(found.OldestEdges(), func(e model.Edge) bool { return e.Of == model.EdgeTable })
		if e := found.OldestEdges()[nearest]; e.LimitOf(model.LimitAutovacuum).Or(model.EdgeLimit{}).Left != 0 {
			t.Errorf("%d: the oldest table is %+v", major, e)
		}
	}
}

// Of 10,000 tables the few that matter are read, whoever asks; none that is due is missed.
func TestTheQueueOfTenThousandTables(t *testing.T) {
	for _, major := range []int{13, 18, 19} {
		s := pgtest.Start(t, major, quiet...)
		makeManyTables(t, s)
		execAndLeave(t, s, "create table due_a (id int)", "create table due_b (id int) with (autovacuum_analyze_threshold = 5, autovacuum_analyze_scale_factor = 0)",
			"insert into due_a select generate_series(1, 60)", "insert into due_b select generate_series(1, 6)")
		s.Exec(t, "create role queue_plain login")
		source := open(t, s.ConnStringFor("queue_plain", "postgres"))
		var found *model.Snapshot
		pgtest.Eventually(t, "both tables are due", func() bool {
			found = queue(t, source)
			a, _ := queued(found, "due_a")
			b, _ := queued(found, "due_b")
			return a.Analyze && b.Analyze
		})
		if n := len(found.Queued()); n > 50 || !found.Queue.Whole {
			t.Errorf("%d: %d tables were read", major, n)
		}
	}
}

// The queue has a pace of its own, and a standby has none.
func TestTheQueueIsReadSeldom(t *testing.T) {
	source := open(t, pgtest.Shared(t, 18).ConnString())
	if read(t, source).Queue == nil {
		t.Error("not read at once")
	}
	if read(t, source).Queue != nil {
		t.Error("read again at once")
	}
	_, standby := pgtest.StartWithStandby(t, 18)
	if read(t, open(t, standby.ConnString())).Queue != nil {
		t.Error("read on a standby")
	}
}

// A table of more than 2^31 pages (16 TB) has them all, though pg_class counts them signed.
func TestTheQueueHasATableOver16TB(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.Exec(t, "create table queue_huge (id int) with (autovacuum_enabled = off)")
	s.AtEnd(t, "drop table queue_huge")
	s.Exec(t, "update pg_class set relpages = (3::int8 * 1024 * 1024 * 1024 - 4294967296)::int4 where relname = 'queue_huge'")
	sample := open(t, s.ConnString()).Beat(t.Context())
	if sample.Poll == nil || sample.Poll.Queue == nil {
		t.Fatalf("the queue was not read: %+v", sample.Problems)
	}
	i := slices.IndexFunc(sample.Poll.Queue.Tables, func(t model.QueueTable) bool { return t.Name == "queue_huge" })
	if i < 0 {
		t.Fatal("the table is not in it")
	}
	if pages := sample.Poll.Queue.Tables[i].RelPages; pages != 3<<30 {
		t.Errorf("it has %d pages", pages)
	}
}

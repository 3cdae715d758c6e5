package poll

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// runUntil runs the source until enough says so, at most a minute.
func runUntil(t *testing.T, s *Source, what string, enough func(model.Sample) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	found := false
	err := s.Run(ctx, func(sample model.Sample) {
		if !found && enough(sample) {
			found = true
			cancel()
		}
	})
	if err != nil || !found {
		t.Fatalf("ran a minute for this: %s (error %v)", what, err)
	}
}

func TestTicksShowLeaderAndWorkersOfOneMoment(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "wide", Indexes: 4})
		v := s.Vacuum(t, "wide", "(parallel 3)", "min_parallel_index_scan_size=0", "max_parallel_maintenance_workers=3",
			"vacuum_cost_delay=20ms", "vacuum_cost_limit=20").Phase(t, "vacuuming indexes")
		var tick model.Tick
		runUntil(t, open(t, s.ConnString()), "a tick with three workers", func(sample model.Sample) bool {
			for _, tick = range sample.Ticks {
				if len(tick.Rows) == 4 {
					return true
				}
			}
			return false
		})
		leader, workers := tick.Rows[0], tick.Rows[1:]
		if leader.PID != v.PID || leader.LeaderPID.Known() || leader.Phase != "vacuuming indexes" || leader.RelID == 0 || !leader.Active ||
			leader.IndexesProcessed.Known() != (s.Major >= 17) || leader.DelayTime.Known() != (s.Major >= 18) {
			t.Errorf("leader %+v", leader)
		}
		for _, w := range workers {
			if w.LeaderPID.Or(0) != v.PID || w.Phase != "" || w.RelID != 0 || w.BackendStart.IsZero() || !w.BackendStart.After(leader.BackendStart) {
				t.Errorf("worker %+v", w)
			}
		}
		if tick.Gap <= 0 || tick.At.IsZero() {
			t.Errorf("tick at %v for %v", tick.At, tick.Gap)
		}
	})
}

// A parallel query's workers have a leader too, and are none of a vacuum's.
func TestWorkersOfAQueryAreNotShown(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.HeldVacuum(t, "held")
	s.MakeTable(t, pgtest.Table{Name: "scanned"})
	pid, _ := s.Statement(t, `set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0;
		select count(*) from scanned where pg_sleep(0.01) is not null`)
	conn := s.Conn(t)
	pgtest.Eventually(t, "a worker of the query", func() bool {
		var n int
		if err := conn.QueryRow(t.Context(), "select count(*) from pg_stat_activity where leader_pid = $1", pid).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n > 0
	})
	source := open(t, s.ConnString())
	tick, err := source.reader.tick(t.Context())
	if err != nil || len(tick.rows) != 1 || len(read(t, source).Processes) != 1 {
		t.Errorf("tick %+v, error %v", tick, err)
	}
}

func TestLockRequestsRideInTheBeatAfter(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "later", Rows: 100})
	release := s.LockHold(t, "later", "share")
	var v *pgtest.Vacuum
	seen, released, over := uint64(0), false, false
	runUntil(t, open(t, s.ConnString()), "lock requests, and none when it is over", func(sample model.Sample) bool {
		if sample.Poll == nil {
			return false
		}
		locks := sample.Poll.Locks
		switch {
		case sample.Seq == 1:
			if locks != nil {
				t.Errorf("locks %v before anyone waits", locks)
			}
			v = s.Vacuum(t, "later", "").Waiting(t, "Lock")
		case sample.Seq == 2:
			if p := mustHave(t, sample.Poll, v.PID); locks != nil || p.BlockedBy == nil {
				t.Errorf("the beat that sees the wait has locks %v, blockers %v", locks, p.BlockedBy)
			}
		case locks == nil && !over:
			// the lock table is dear here, and read in a later beat
		case !released:
			if len(locks) != 1 || locks[0].PID != v.PID {
				t.Errorf("locks %+v", locks)
			}
			released = true
			release()
			if err := <-v.Done; err != nil {
				t.Error(err)
			}
		case !over:
			over = true
			if len(locks) != 0 {
				t.Errorf("after the wait, locks %v", locks)
			}
		case locks == nil:
			seen = sample.Seq
		}
		return seen > 0
	})
}

func TestTheWatcherIsKilledAndComesBack(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "held")
		conn := s.Conn(t)
		source := open(t, s.ConnString())
		var kinds []model.EventKind
		killed := false
		runUntil(t, source, "the vacuum again", func(sample model.Sample) bool {
			for _, e := range sample.Events {
				kinds = append(kinds, e.Kind)
				if e.Kind == model.EventLost && (sample.Poll != nil || e.Text == "" || e.At.IsZero()) {
					t.Errorf("lost: %+v", sample)
				}
			}
			if sample.Poll == nil {
				return false
			}
			if !killed {
				killed = true
				pid := source.reader.(*session).conn.PID()
				if _, err := conn.Exec(t.Context(), "select pg_terminate_backend($1)", int32(pid)); err != nil {
					t.Fatal(err)
				}
				return false
			}
			_, there := process(sample.Poll, v.PID)
			return there && slices.Contains(kinds, model.EventLost)
		})
		if want := []model.EventKind{model.EventConnected, model.EventLost, model.EventConnected}; !slices.Equal(kinds, want) {
			t.Errorf("events %v, want %v", kinds, want)
		}
	})
}

func TestAutovacuumWorkersAreShownWithTheirText(t *testing.T) {
	for _, major := range []int{13, 16, 19} {
		s := pgtest.Start(t, major, "autovacuum=on", "autovacuum_naptime=1s", "autovacuum_vacuum_cost_delay=100ms", "autovacuum_vacuum_cost_limit=1")
		conn := s.Conn(t)
		for _, statement := range []string{
			"create table busy (id int) with (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)",
			"insert into busy select generate_series(1, 100000)", "delete from busy where id % 3 = 0",
		} {
			if _, err := conn.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		// Before 15 an idle session keeps its last statistics to itself until it ends.
		if err := conn.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		source := open(t, s.ConnString())
		var p model.Process
		pgtest.Eventually(t, fmt.Sprintf("an autovacuum of busy on %d", major), func() bool {
			for _, p = range read(t, source).Processes {
				if p.Progress != nil && p.Progress.View == model.ViewVacuum && strings.HasSuffix(string(p.Query.Or("")), "public.busy") {
					return true
				}
			}
			return false
		})
		if !strings.HasPrefix(string(p.Query.Or("")), "autovacuum: VACUUM ") || p.BackendType.Or("") != "autovacuum worker" || p.Role.Known() || p.Progress.StartedBy.Known() != (major >= 19) || p.Progress.Mode.Known() != (major >= 19) {
			t.Errorf("%d: %+v, progress %+v", major, p, p.Progress)
		}
	}
}

func TestAStoppedServerIsTriedAgain(t *testing.T) {
	s := pgtest.Start(t, 18)
	var told []string
	runUntil(t, open(t, s.ConnString()), "an attempt that failed", func(sample model.Sample) bool {
		if sample.Seq == 1 {
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
			return false
		}
		for _, e := range sample.Events {
			told = append(told, string(e.Kind)+" "+string(e.Text))
		}
		return len(told) == 2
	})
	if !strings.HasPrefix(told[0], "lost ") || !strings.HasPrefix(told[1], "retry connect to ") || !strings.HasSuffix(told[1], "no such file or directory") {
		t.Errorf("%q", told)
	}
}

func TestPasswordsAreAskedForOnlyWhenNoneWasGiven(t *testing.T) {
	s := pgtest.Start(t, 18)
	s.Exec(t, "create role secretive login password 'right'",
		`do $$ begin execute format('copy (select unnest(array[''local all postgres trust'', ''local all all scram-sha-256''])) to %L', current_setting('hba_file')); end $$`,
		"select pg_reload_conf()")
	connect := func(password string) error {
		config, err := ParseTarget(Flags{}, s.ConnStringFor("secretive", "postgres"))
		if err != nil {
			t.Fatal(err)
		}
		config.SetPassword(password)
		source, err := Open(t.Context(), config, every(time.Second, 0))
		if err == nil {
			source.Close()
		}
		return err
	}
	pgtest.Eventually(t, "the server asks for passwords", func() bool { return connect("") != nil })
	if err := connect(""); !NeedsPassword(err) {
		t.Errorf("without one: %v", err)
	}
	if err := connect("wrong"); err == nil || NeedsPassword(err) {
		t.Errorf("with a wrong one: %v", err)
	}
	if err := connect("right"); err != nil {
		t.Errorf("with the right one: %v", err)
	}
	dir := home(t)
	write(t, filepath.Join(dir, ".pgpass"), 0o600, "/nowhere:*:*:*:wrong\n"+s.SocketDir+":*:*:secretive:right\n")
	config, err := ParseTarget(Flags{}, "host=/nowhere,"+s.SocketDir+" user=secretive dbname=postgres")
	if err != nil {
		t.Fatal(err)
	}
	source, err := Open(t.Context(), config, every(time.Second, 0))
	if err != nil {
		t.Fatalf("with the second host's own in the password file: %v", err)
	}
	source.Close()
	config.SetPasswordCommand("echo right")
	if source, err = Open(t.Context(), config, every(time.Second, 0)); err != nil {
		t.Fatalf("with the command's: %v", err)
	}
	source.Close()
}

func TestConnectErrorsAreOneLine(t *testing.T) {
	s := pgtest.Shared(t, 18)
	folder := t.TempDir()
	for target, want := range map[string]string{
		s.ConnStringFor("postgres", "nowhere"):         `FATAL: database "nowhere" does not exist (SQLSTATE 3D000)`,
		s.ConnStringFor("nobody\n\x1b[2J", "postgres"): `FATAL: role "nobody\n\x1b[2J" does not exist (SQLSTATE 28000)`,
		"host=127.0.0.1 port=1 user=u":                 "connect to 127.0.0.1:1 as u: connection refused",
		"host=" + folder + " user=u":                   "connect to " + folder + ":5432 as u: no such file or directory",
		"host=no.such.invalid user=u":                  "connect to no.such.invalid:5432 as u: host name no.such.invalid: no such host",
	} {
		config, err := ParseTarget(Flags{}, target)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(t.Context(), config, every(time.Second, 0))
		if err == nil || NeedsPassword(err) {
			t.Errorf("%s: %v", target, err)
			continue
		}
		if got := err.Error(); got != want && got != "connect to "+config.Address()+" as "+model.Text(config.User()).Display()+": "+want {
			t.Errorf("%s: got %q, want %q", target, got, want)
		}
	}
}

func TestASharedCatalogHasItsNameInEveryDatabase(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.Database(t, "elsewhere", "")
	s.LockHold(t, "pg_database", "share")
	v := s.Vacuum(t, "pg_database", "").Waiting(t, "Lock")
	poll := read(t, open(t, s.ConnStringFor("postgres", "elsewhere")))
	mustHave(t, poll, v.PID)
	if r := poll.Relations; len(r) != 1 || r[0].Name != "pg_database" || r[0].DatID != 0 || r[0].RelID != 1262 {
		t.Errorf("%+v", r)
	}
}

func TestWhatLogsStatementsSlowsTheTicks(t *testing.T) {
	for _, setting := range []string{"log_statement=all", "log_duration=on", "log_min_duration_statement=0"} {
		s := pgtest.Start(t, 18, setting)
		source := openWith(t, s.ConnString(), Options{Interval: time.Second, TickRate: 20})
		w := read(t, source).Watch
		if w.TickRate != 1 || !strings.Contains(w.TickRateNote, strings.Replace(setting, "=", " = ", 1)) {
			t.Errorf("%s: %v ticks a second (%q)", setting, w.TickRate, w.TickRateNote)
		}
	}
}

func TestOfSeveralHostsTheOneConnectedToIsNamed(t *testing.T) {
	s := pgtest.Shared(t, 18)
	config, err := ParseTarget(Flags{}, s.ConnString())
	if err != nil {
		t.Fatal(err)
	}
	socket := config.Address()
	folder, _, _ := strings.Cut(socket, ":")
	if got := read(t, open(t, "user=postgres dbname=postgres port=1,5432 host=127.0.0.1,"+folder)).Server.Address; got != socket {
		t.Errorf("%s, want %s", got, socket)
	}
}

// pg_class has blocks in a signed column: of more than 2^31 (16 TB) they are negative.
func TestATableOver16TBHasAllItsBlocks(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Exec(t, "create table huge (id int primary key)")
		s.AtEnd(t, "drop table huge")
		s.Exec(t, "insert into huge select generate_series(1, 100000)",
			"update pg_class set relpages = (3::int8 * 1024 * 1024 * 1024 - 4294967296)::int4 where relname in ('huge', 'huge_pkey')")
		s.Vacuum(t, "huge", "", "vacuum_cost_delay=100ms", "vacuum_cost_limit=1")
		runUntil(t, open(t, s.ConnString()), "the table", func(sample model.Sample) bool {
			if sample.Poll == nil || len(sample.Poll.Relations) == 0 {
				return false
			}
			const pages = 3 << 30
			if rel := sample.Poll.Relations[0]; rel.RelPages != pages || len(rel.Indexes) != 1 || rel.Indexes[0].RelPages != pages {
				t.Errorf("%d pages, indexes %+v", rel.RelPages, rel.Indexes)
			}
			return true
		})
	})
}

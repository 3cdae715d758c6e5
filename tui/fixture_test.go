package tui

import (
	"encoding/json"
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// Snapshots written by hand. The first is the published test of a throttled
// parallel vacuum: 21 indexes, 8 workers asked for, 6 launched.

var (
	fixtureZone = time.FixedZone("", 3600)
	fixtureNow  = time.Date(2026, 3, 2, 12, 14, 43, 0, fixtureZone)
)

func ago(d time.Duration) time.Time { return fixtureNow.Add(-d) }

func server() model.Server {
	return model.Server{
		VersionNum: 180004, Version: "18.4 (Debian 18.4-1.pgdg13+1)", Database: "app", Role: "dba",
		Address: "db1:5432", SeesAll: true, BlockSize: 8192, DatID: 16384, StartedAt: ago(300 * time.Hour),
	}
}

// emptySnapshot is a server on which nothing is being vacuumed.
func emptySnapshot() *model.Snapshot {
	return &model.Snapshot{
		Seq: 700, At: fixtureNow, Now: fixtureNow, Server: server(),
		Watch: model.Watch{Interval: time.Second, TickRate: 20, RoundTrip: 700 * time.Microsecond, ServerTime: model.Some(model.Ratio(0.0006))},
	}
}

var (
	vacuumDelay    = model.Some(model.Wait{Type: "Timeout", Event: "VacuumDelay"})
	walWrite       = model.Some(model.Wait{Type: "LWLock", Event: "WALWrite"})
	walSync        = model.Some(model.Wait{Type: "IO", Event: "WALSync"})
	dataRead       = model.Some(model.Wait{Type: "IO", Event: "DataFileRead"})
	parallelFinish = model.Some(model.Wait{Type: "IPC", Event: "ParallelFinish"})
	onCPU          = model.None[model.Wait]()
)

// profileOf makes a profile at 20 samples a second.
func profileOf(pid int32, counts map[model.Opt[model.Wait]]int) []model.WaitTime {
	var profile []model.WaitTime
	for _, wait := range []model.Opt[model.Wait]{vacuumDelay, walWrite, onCPU, dataRead, parallelFinish, walSync} {
		n := counts[wait]
		if n == 0 {
			continue
		}
		class := model.ClassCPU
		if w, ok := wait.Get(); ok {
			class = w.Class()
		}
		profile = append(profile, model.WaitTime{
			PID: pid, Worker: true, Wait: wait, Class: class, Samples: n, Weight: time.Duration(n) * 50 * time.Millisecond,
		})
	}
	return profile
}

// laneOfSeconds makes the last n seconds of a process that mostly sleeps. What it
// does awake follows from the second and the pid, so that lanes differ and stay.
func laneOfSeconds(pid int32, n int) []model.LaneCell {
	cells := make([]model.LaneCell, n)
	for i := range cells {
		cells[i].Second = fixtureNow.Unix() - int64(n-i)
		x := (uint32(i)*2654435761 + uint32(pid)*40503) >> 13
		awake := uint16(x % 5)
		if x%97 < 7 {
			awake = uint16(x % 21)
		}
		cells[i].Samples[model.ClassDelay] = 20 - awake
		class := [...]model.Class{model.ClassCPU, model.ClassWAL, model.ClassCPU, model.ClassIO}[x>>3%4]
		cells[i].Samples[class] += awake
	}
	return cells
}

func member(pid int32, worker bool, wait model.Opt[model.Wait], counts map[model.Opt[model.Wait]]int, seconds int) model.Member {
	m := model.Member{
		PID: pid, BackendStart: ago(20 * time.Minute), Worker: worker, Alive: true, Active: true, Wait: wait,
		FirstSeen: ago(time.Duration(seconds) * time.Second), LastSeen: fixtureNow,
		Profile: profileOf(pid, counts), PhaseProfile: profileOf(pid, counts),
		Lane: laneOfSeconds(pid, min(seconds, model.LaneCells)),
	}
	if worker {
		m.Pass = 1
	}
	for _, w := range m.Profile {
		m.Samples.Taken += w.Samples
	}
	return m
}

// parallelRun is the vacuum of the published test, 3:31 into its index pass.
func parallelRun() *model.Run {
	start := ago(11*time.Minute + 47*time.Second)
	scanned := start.Add(8*time.Minute + 16*time.Second)
	run := &model.Run{
		Key:     model.RunKey{PID: 452996, BackendStart: ago(20 * time.Minute), StatementStart: start, DatID: 16384, RelID: 16500},
		Command: "VACUUM", State: model.StateRunning, Database: "app",
		Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("large_tbl"),
		StartedBy: model.Some(model.ByManual), Role: model.Some[model.Text]("dba"),
		Statement: model.Some[model.Text]("VACUUM (PARALLEL 8) large_tbl"),
		FirstSeen: start, LastSeen: fixtureNow, Began: start, FromStart: true,
		Parallel: model.Parallel{Asked: model.Some(8), Planned: model.Some(8), Launched: model.Some(6), Reason: "max_worker_processes is 8"},
		Memory: model.Memory{
			Bytes: true, Used: 71 << 20, Max: 1024 << 20, Items: model.Some[int64](12_400_000), Passes: model.Some(1),
		},
		Left: model.Left{
			Range: model.Some(model.Range{Low: 451 * time.Second, High: 520 * time.Second}), Done: model.Some(model.Ratio(9.0 / 21)),
		},
		Samples: model.Count{Taken: 2761, Missed: 12}, HeapBytes: model.Some[model.Bytes](1736 << 20),
		Indexes:  make([]model.Index, 21),
		Progress: &model.Progress{View: model.ViewVacuum, RelID: 16500, HeapBlksTotal: model.Some[model.Blocks](222_222), HeapBlksScanned: model.Some[model.Blocks](222_222)},
	}
	run.Phases = []model.Span{
		{
			Phase: "scanning heap", Pass: 1, Passes: 1, Wall: scanned.Sub(start), From: start, To: scanned, Complete: true,
			ProcessTime: scanned.Sub(start),
			Delay:       model.Delay{Reported: model.Some(444 * time.Second), Sampled: model.Some(446 * time.Second)},
			Moved:       model.Moved{Unit: model.UnitBlocks, To: 222_222, Total: 222_222, Over: 496 * time.Second},
		},
		{
			Phase: "vacuuming indexes", Pass: 1, Passes: 1, Wall: 211 * time.Second, From: scanned, To: fixtureNow,
			ProcessTime: 1477 * time.Second,
			Delay:       model.Delay{Reported: model.Some(1107 * time.Second), Sampled: model.Some(1110 * time.Second)},
			Moved:       model.Moved{Unit: model.UnitIndexes, To: 9, Total: 21, Over: 211 * time.Second},
		},
	}
	run.Delay.SampledError = 8 * time.Second
	run.Processes = append(run.Processes, member(452996, false, vacuumDelay, map[model.Opt[model.Wait]]int{vacuumDelay: 328, walWrite: 35, onCPU: 32}, 707))
	for i := range int32(6) {
		wait := vacuumDelay
		if i == 1 {
			wait = walWrite
		}
		run.Processes = append(run.Processes, member(453221+i, true, wait,
			map[model.Opt[model.Wait]]int{vacuumDelay: 359 - int(i), walWrite: 19 + int(i), onCPU: 16}, 211))
	}
	run.Processes[3].Samples.Missed = 3
	run.Phases[1].Waits = run.Processes[1].Profile
	return withHistory(run, 500)
}

// autovacuumRun is an autovacuum against wraparound that scans.
func autovacuumRun() *model.Run {
	start := ago(42 * time.Minute)
	run := &model.Run{
		Key:     model.RunKey{PID: 451007, BackendStart: start, StatementStart: start, DatID: 16384, RelID: 16600},
		Command: "VACUUM", State: model.StateRunning, Database: "app",
		Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("orders"),
		StartedBy: model.Some(model.ByAutovacuumWraparound),
		FirstSeen: start, LastSeen: fixtureNow, Began: start, FromStart: true,
		Left: model.Left{
			Range: model.Some(model.Range{Low: 1083 * time.Second, High: 1150 * time.Second}), Done: model.Some(model.Ratio(0.21)),
		},
		ProcessTime: 42 * time.Minute,
		Phases: []model.Span{{
			Phase: "scanning heap", Pass: 1, Passes: 1, Wall: 42 * time.Minute, From: start, To: fixtureNow, ProcessTime: 42 * time.Minute,
			Delay: model.Delay{Sampled: model.Some(2369 * time.Second), SampledError: 9 * time.Second},
			Moved: model.Moved{Unit: model.UnitBlocks, To: 21_000, Total: 100_000, Over: 42 * time.Minute},
		}},
		Processes: []model.Member{member(451007, false, vacuumDelay, map[model.Opt[model.Wait]]int{vacuumDelay: 4700, dataRead: 300}, 2520)},
	}
	run.Phases[0].Waits = run.Processes[0].Profile
	run.Delay.SampledError = 9 * time.Second
	return withHistory(run, 400)
}

// parallelSnapshot is the screen that the README shows.
func parallelSnapshot() *model.Snapshot {
	s := emptySnapshot()
	s.Active = []*model.Run{autovacuumRun(), parallelRun()}
	s.Active[0], s.Active[1] = s.Active[1], s.Active[0]
	s.LockWaits = lockWaits()
	return s
}

// manySnapshot has 16 vacuums, one of them with 40 workers, and 30 waiters.
func manySnapshot() *model.Snapshot {
	s := emptySnapshot()
	for i := range int32(16) {
		run := autovacuumRun()
		run.Key.PID, run.Key.RelID = 451007+i, uint32(16600+i)
		run.Table = model.Some(model.Text(fmt.Sprintf("orders_2026_%02d", i+1)))
		run.Left.Done = model.Some(model.Ratio(i) / 16)
		if i%3 > 0 {
			run.StartedBy = model.Some(model.ByAutovacuum)
		}
		s.Active = append(s.Active, run)
	}
	big := s.Active[3]
	for i := range int32(40) {
		big.Processes = append(big.Processes, member(454000+i, true, walSync, map[model.Opt[model.Wait]]int{walSync: 100, vacuumDelay: 200}, 90))
	}
	for i := range int32(30) {
		w := lockWaits()[0]
		w.PID, w.Waited = 470000+i, model.Some(time.Duration(60-i)*time.Second)
		w.BlockedBy, w.Blockers = []int32{451007}, []model.Blocker{vacuumBlocker(451007, "autovacuum worker")}
		w.Around = i%3 != 0
		s.LockWaits = append(s.LockWaits, w)
	}
	return s
}

// hiddenSnapshot is what a role without pg_monitor sees of a vacuum.
func hiddenSnapshot() *model.Snapshot {
	s := emptySnapshot()
	s.Server.Role, s.Server.SeesAll = "app", false
	s.Active = []*model.Run{{
		Key:   model.RunKey{PID: 452996, DatID: 16384},
		State: model.StateHidden, Command: "VACUUM", Database: "app", Role: model.Some[model.Text]("dba"),
		FirstSeen: ago(time.Minute), LastSeen: fixtureNow,
	}}
	return s
}

// waitingSnapshot has a vacuum that waits for its table lock.
func waitingSnapshot() *model.Snapshot {
	s := emptySnapshot()
	run := parallelRun()
	s.Active = []*model.Run{{
		Key: run.Key, Command: "VACUUM FULL", State: model.StateWaiting, Database: "app", Schema: run.Schema, Table: run.Table,
		StartedBy: run.StartedBy, Role: run.Role, FirstSeen: ago(48 * time.Second), LastSeen: fixtureNow, FromStart: true,
		BlockedBy: []int32{460001, 0}, WaitedForLock: model.Some(48 * time.Second),
	}}
	s.LockWaits = []model.LockWait{{
		PID: 452996, BlockedBy: []int32{460001, 0}, Blockers: []model.Blocker{idleBlocker(460001), {}}, Mode: model.Some[model.Text]("AccessExclusiveLock"), RelID: model.Some[uint32](16500),
		Schema: run.Schema, Table: run.Table, SeenFor: 48 * time.Second, Around: true, Query: model.Some[model.Text]("VACUUM FULL large_tbl"),
	}}
	return s
}

// attachedSnapshot is a vacuum first seen in the middle, on a server that does not
// count indexes and reports no delay, in its third index pass.
func attachedSnapshot() *model.Snapshot {
	s := emptySnapshot()
	s.Server.VersionNum, s.Server.Version = 160013, "16.13"
	run := autovacuumRun()
	run.Key.StatementStart = ago(14*time.Hour + 2*time.Minute + 10*time.Second)
	run.FirstSeen, run.FromStart = ago(4*time.Minute), false
	run.StartedBy = model.Some(model.ByAutovacuum)
	run.Left = model.Left{WhyNot: "before 17 the server does not count the indexes"}
	run.Phases = []model.Span{{
		Phase: "vacuuming indexes", Pass: 3, Passes: 1, Wall: 4 * time.Minute, From: run.FirstSeen, To: fixtureNow, ProcessTime: 4 * time.Minute,
		Delay: model.Delay{Sampled: model.Some(200 * time.Second), SampledError: 3 * time.Second}, Waits: run.Phases[0].Waits,
	}}
	run.Progress = &model.Progress{View: model.ViewVacuum, RelID: 16600}
	run.Memory = model.Memory{Used: 178_956_000, Max: 178_956_970, Items: model.Some[int64](178_956_000), Passes: model.Some(5)}
	s.Active = []*model.Run{withHistory(run, 240)}
	return s
}

// lostSnapshot is the parallel vacuum 12 s after the connection went.
func lostSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	s.Now = fixtureNow.Add(12 * time.Second)
	s.Link = model.Link{Lost: true, Since: fixtureNow, NextTry: model.Some(fixtureNow.Add(16 * time.Second)), Reason: "connection refused", Attempts: 3}
	s.Problems = []model.Problem{{Part: "progress and activity", SQLState: "57P01", Message: "terminating connection due to administrator command"}}
	return s
}

// hostileNames are texts that somebody could have put into a name.
func hostileNames() []model.Text {
	return []model.Text{
		"line\nfeed\ttab\r", "\x1b[31mred\x1b[2J\x1b]0;title\a", "漢字テーブル名前漢字テーブル名前漢字テー",
		"caf\xe9", "safe\u202egnp.exe", "e\u0301\u0301\u0301\u0301\u0301\u0301", "👩‍👩‍👧‍👦 family", "\u0301starts with a mark",
		"sixty_three_bytes_is_what_a_name_may_have_and_this_one_has_them", "🇩🇪🇫", "ൎ", "\u1100\u1161", "\u009b31m",
	}
}

func hostileSnapshot() *model.Snapshot {
	s := emptySnapshot()
	names := hostileNames()
	s.Server.Database, s.Server.Role, s.Server.Address = names[0], names[1], string(names[2])
	for i, name := range names {
		run := autovacuumRun()
		run.Key.PID = int32(1000 + i)
		run.Schema, run.Table, run.Database = model.Some(name), model.Some(name), name
		run.StartedBy, run.Role = model.Some(model.ByManual), model.Some(name)
		run.Phases[0].Phase = name
		run.Processes[0].Wait = model.Some(model.Wait{Type: name, Event: name})
		run.Left.WhyNot = string(name)
		s.Active = append(s.Active, run)
		w := lockWaits()[0]
		w.PID, w.Schema, w.Table, w.Query, w.Mode = int32(2000+i), model.Some(name), model.Some(name), model.Some(name), model.Some(name)
		w.Role = model.Some(name)
		w.Blockers = []model.Blocker{{PID: 460112, Role: model.Some(name), State: model.Some(name), Query: model.Some(name)}}
		s.LockWaits, s.PastWaits = append(s.LockWaits, w), append(s.PastWaits, over(w, time.Minute))
	}
	s.Problems = []model.Problem{{Part: string(names[1]), Message: names[0]}}
	s.Notes = []model.Event{{At: fixtureNow, Kind: model.EventNote, Text: names[1]}}
	return s
}

// endedSnapshot is the demo between two runs.
func endedSnapshot() *model.Snapshot {
	s := emptySnapshot()
	run := parallelRun()
	run.State = model.StateEnded
	run.End = &model.End{At: ago(6 * time.Second), How: model.EndNotVisible, Within: time.Second}
	run.LastSeen = ago(7 * time.Second)
	for i := range run.Processes {
		run.Processes[i].Alive = false
	}
	lost := autovacuumRun()
	lost.State, lost.End = model.StateEnded, &model.End{At: ago(time.Hour), How: model.EndLost, Within: 20 * time.Second}
	s.Ended = []*model.Run{run, lost}
	s.Notes = []model.Event{{At: ago(6 * time.Second), Kind: model.EventNote, Text: "next run in 10 s"}}
	return s
}

// rewriteSnapshot has VACUUM FULL, CLUSTER and REPACK at work, and an ANALYZE.
func rewriteSnapshot() *model.Snapshot {
	s := emptySnapshot()
	for i, command := range []string{"VACUUM FULL", "CLUSTER", "REPACK"} {
		run := autovacuumRun()
		start, built := ago(2*time.Minute), ago(12*time.Second)
		run.Key.PID, run.Key.RelID, run.Command = int32(461000+i), uint32(16700+i), command
		run.Key.StatementStart, run.Began, run.FirstSeen = start, start, start
		run.Table = model.Some(model.Text([]string{"large_tbl", "order_lines_of_last_year", "t"}[i]))
		run.StartedBy, run.Role = model.Some(model.ByManual), model.Some[model.Text]("dba")
		run.Left, run.ProcessTime = model.Left{WhyNot: "the server counts nothing in this phase"}, 132*time.Second
		run.Processes = []model.Member{
			member(run.Key.PID, false, dataRead, map[model.Opt[model.Wait]]int{dataRead: 300, onCPU: 2000}, 120),
			member(461100+int32(i), true, onCPU, map[model.Opt[model.Wait]]int{onCPU: 200, dataRead: 40}, 12),
		}
		run.Phases = []model.Span{
			{
				Phase: "seq scanning heap", Pass: 1, Passes: 1, Wall: built.Sub(start), From: start, To: built, Complete: true, ProcessTime: built.Sub(start),
				Moved: model.Moved{Unit: model.UnitBlocks, To: 100_000, Total: 100_000, Over: built.Sub(start)},
			},
			{Phase: "rebuilding index", Pass: 1, Passes: 1, Wall: 12 * time.Second, From: built, To: fixtureNow, ProcessTime: 24 * time.Second, Waits: run.Processes[1].Profile},
		}
		s.Active = append(s.Active, run)
	}
	s.Analyzes = []model.Analyze{{
		PID: 461200, Database: "app", Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("events"),
		Progress: model.Progress{
			View: model.ViewAnalyze, RelID: 16800, Phase: model.Some[model.Text]("acquiring sample rows"),
			Other: map[string]json.RawMessage{"sample_blks_total": json.RawMessage("30000"), "sample_blks_scanned": json.RawMessage("13500")},
		},
	}}
	return s
}

// roundsSnapshot is the demo after some rounds: one vacuum runs, many have ended.
func roundsSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	s.Active = s.Active[:1]
	for i := range 6 {
		run := parallelRun()
		before := -time.Duration(i+1) * 15 * time.Minute
		run.Began = run.Began.Add(before)
		run.Key.StatementStart, run.FirstSeen, run.LastSeen = run.Began, run.Began, run.LastSeen.Add(before)
		run.State, run.End = model.StateEnded, &model.End{At: run.LastSeen, How: model.EndNotVisible, Within: time.Second}
		s.Ended = append(s.Ended, run)
	}
	s.Notes = []model.Event{{At: ago(6 * time.Second), Kind: model.EventNote, Text: "ALTER TABLE comes and waits for the vacuum to end; a reader comes and waits behind it"}}
	return s
}

package report

import (
	"encoding/json"
	"time"

	"example.com/vacscope/model"
)

var start = time.Date(2026, 10, 16, 12, 0, 0, 123456000, time.FixedZone("+01", 3600))

func after(d time.Duration) time.Time { return start.Add(d) }

// parallelRun is a vacuum of 18 in its index phase, with one worker that lives
// and one that has ended.
func parallelRun() *model.Run {
	delay := wait("Timeout", "VacuumDelay")
	return &model.Run{
		Key:       model.RunKey{PID: 4711, BackendStart: start, StatementStart: after(time.Second), DatID: 5, RelID: 16384},
		Command:   "VACUUM",
		State:     model.StateRunning,
		Database:  "app",
		Schema:    model.Some[model.Text]("public"),
		Table:     model.Some[model.Text]("Large Table"),
		StartedBy: model.Some(model.ByManual),
		Role:      model.Some[model.Text]("dba"),
		Statement: model.Some[model.Text](`vacuum (parallel 2, verbose) "Large Table";`),
		FirstSeen: after(2 * time.Second), LastSeen: after(14 * time.Minute),
		Progress: &model.Progress{
			View: model.ViewVacuum, RelID: 16384, Phase: model.Some[model.Text]("vacuuming indexes"),
			HeapBlksTotal: model.Some[model.Blocks](221239), HeapBlksScanned: model.Some[model.Blocks](221239), HeapBlksVacuumed: model.Some[model.Blocks](0),
			IndexVacuumCount: model.Some[int64](0), MaxDeadTupleBytes: model.Some[model.Bytes](1 << 30), DeadTupleBytes: model.Some[model.Bytes](71 << 20),
			NumDeadItemIDs: model.Some[int64](12400000), IndexesTotal: model.Some[int64](21), IndexesProcessed: model.Some[int64](9),
			DelayTime: model.Some(1551123.25), Other: map[string]json.RawMessage{"new_column": json.RawMessage(`"x"`)},
		},
		Phases: []model.Span{
			span("scanning heap", 496*time.Second, 444*time.Second, 496*time.Second),
			span("vacuuming indexes", 211*time.Second, 1107*time.Second, 1477*time.Second),
		},
		Processes: []model.Member{
			{PID: 4711, BackendStart: start, Alive: true, Wait: delay, Profile: []model.WaitTime{
				{PID: 4711, Wait: delay, Samples: 11902}, {PID: 4711, Samples: 1203},
			}},
			{PID: 4720, BackendStart: after(time.Minute), Worker: true, Alive: true, Active: true, Profile: []model.WaitTime{
				{PID: 4720, Worker: true, Wait: delay, Samples: 3320}, {PID: 4720, Worker: true, Wait: wait("LWLock", "WALWrite"), Samples: 41},
			}},
			{PID: 4721, BackendStart: after(time.Minute), Worker: true},
		},
		Parallel: model.Parallel{
			Asked: model.Some(2), Planned: model.Some(2), Launched: model.Some(1),
			Reason: "max_worker_processes is 8",
		},
		Memory:      model.Memory{Bytes: true, Used: 71 << 20, Max: 1 << 30, Items: model.Some[int64](12400000)},
		Delay:       model.Delay{Reported: model.Some(1551 * time.Second), Sampled: model.Some(1548 * time.Second), SampledError: 8 * time.Second},
		ProcessTime: 1973 * time.Second,
		Samples:     model.Count{Taken: 13105, Missed: 12},
		HeapBytes:   model.Some[model.Bytes](221239 * 8192),
	}
}

func span(phase model.Text, wall, slept, processTime time.Duration) model.Span {
	return model.Span{
		Phase: phase, Pass: 1, Passes: 1, Wall: wall, Uncertain: 50 * time.Millisecond, ProcessTime: processTime,
		Delay: model.Delay{Reported: model.Some(slept), Sampled: model.Some(slept - 2*time.Second), SampledError: 3 * time.Second},
	}
}

func wait(class, event model.Text) model.Opt[model.Wait] {
	return model.Some(model.Wait{Type: class, Event: event})
}

// fullSnapshot has at least one of everything, from a server that gives all.
func fullSnapshot() *model.Snapshot {
	return &model.Snapshot{
		Seq: 3, At: after(14 * time.Minute),
		Server: model.Server{
			VersionNum: 180004, Version: "18.4", SystemIdentifier: "7412345678901234567", StartedAt: after(-time.Hour), ConfLoadedAt: after(-time.Hour),
			BlockSize: 8192, DatID: 5, Database: "app", Role: "dba", Address: "db1:5432", SeesAll: true, TrackCostDelayTiming: model.Some(true),
		},
		Watch:  model.Watch{RoundTrip: 612 * time.Microsecond},
		Active: []*model.Run{parallelRun(), waitingRun()},
		Analyzes: []model.Analyze{{
			PID: 4800, Database: "app", Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("orders"), StartedAt: model.Some(after(time.Minute)),
			Progress: model.Progress{
				View: model.ViewAnalyze, RelID: 16500, Phase: model.Some[model.Text]("acquiring sample rows"), DelayTime: model.Some(0.0),
				Other: map[string]json.RawMessage{"sample_blks_total": json.RawMessage("30000"), "sample_blks_scanned": json.RawMessage("12"), "current_child_table_relid": json.RawMessage(`"16501"`), "later": json.RawMessage("1")},
			},
		}},
		LockWaits: []model.LockWait{
			{
				PID: 4900, BlockedBy: []int32{0, 4711}, LockType: model.Some[model.Text]("relation"), Mode: model.Some[model.Text]("ShareUpdateExclusiveLock"),
				RelID: model.Some[uint32](16384), Database: model.Some[model.Text]("app"), Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("Large Table"),
				Waited: model.Some(12400 * time.Millisecond),
			},
			{PID: 4901, BlockedBy: []int32{4900}},
		},
		LastVacuums: []model.LastVacuum{{
			RelID: 16384, Schema: "public", Name: "Large Table",
			Manual: model.VacuumHistory{Last: model.Some(after(-time.Hour)), Count: 3, Total: model.Some(90 * time.Second)},
			Auto:   model.VacuumHistory{Total: model.Some(time.Duration(0))},
		}},
		Queue: fullQueue(), AutovacuumWorkers: model.Some(1),
		Settings: []model.Setting{{Name: "vacuum_cost_delay", Setting: "1", Unit: model.Some("ms"), Source: "session"}, {Name: "autovacuum", Setting: "on", Source: "default"}},
		Problems: []model.Problem{{Part: "relation names", SQLState: "57014", Message: "canceling statement due to statement timeout"}},
	}
}

// waitingRun waits for its table lock: it has no progress row.
func waitingRun() *model.Run {
	return &model.Run{
		Key:     model.RunKey{PID: 4900, BackendStart: start, StatementStart: after(13 * time.Minute), DatID: 5, RelID: 16384},
		Command: "VACUUM", State: model.StateWaiting, Database: "app",
		Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("Large Table"),
		ToastOf:   model.Some(model.RelationName{Schema: "public", Name: "orders"}),
		StartedBy: model.Some(model.ByAutovacuumWraparound), StartedByServer: true,
		FirstSeen: after(13 * time.Minute), LastSeen: after(14 * time.Minute),
		BlockedBy: []int32{0, 4711},
		Processes: []model.Member{{PID: 4900, BackendStart: start, Alive: true, Wait: wait("Lock", "relation")}},
	}
}

// hiddenRun is what a role without pg_read_all_stats sees of another role's vacuum.
func hiddenRun() *model.Run {
	return &model.Run{Key: model.RunKey{PID: 12, DatID: 5}, State: model.StateHidden, Database: "app"}
}

// agedSnapshot is the full one with ages, their limits and what settings allow.
func agedSnapshot() *model.Snapshot {
	s := fullSnapshot()
	s.Horizon = &model.Horizon{ReadAt: s.At, Holders: []model.XminHolder{
		{
			Kind: model.HolderSession, PID: 4800, DatID: 5, Database: model.Some[model.Text]("app"), Age: 12_400_000, Since: model.Some(s.At.Add(-3 * time.Hour)),
			State: model.Some[model.Text]("idle in transaction"), Role: model.Some[model.Text]("app"), BackendType: model.Some[model.Text]("client backend"),
		},
		{Kind: model.HolderSlotCatalog, Slot: "forgotten", Age: 11_000_000},
	}}
	s.Databases = []model.Database{
		{DatID: 5, Name: "app", XIDAge: 180_000_000, MXIDAge: 10, AllowConnections: true},
		{DatID: 4, Name: "old", XIDAge: 190_000_000, MXIDAge: 11},
	}
	s.Settings = append(s.Settings,
		model.Setting{Name: "autovacuum_freeze_max_age", Setting: "200000000"},
		model.Setting{Name: "vacuum_failsafe_age", Setting: "1600000000"})
	s.XIDRate = model.Some(model.IDRate{PerSecond: 1000, Window: time.Minute})
	auto := s.Active[1]
	auto.Relation = &model.Relation{XIDAge: model.Some[int64](170_000_000)}
	auto.Allows = model.Allowance{
		Settings:  model.Some(model.CostSettings{Delay: 500 * time.Microsecond, Limit: 66}),
		DelayFrom: "autovacuum_vacuum_cost_delay", DelayOfTable: true, LimitFrom: "vacuum_cost_limit", Shared: 3, Processes: 1,
		Observed: model.Some[model.PerSecond](450), Cost: model.Some(21.5), PerProcess: model.Some[model.Bytes](450 * 8192),
		Cached: model.Some[model.Bytes](1 << 30), Read: model.Some[model.Bytes](1 << 29), Dirtied: model.Some[model.Bytes](1 << 25),
	}
	s.Active[0].Allows = model.Allowance{WhyNot: "they are that session's own, and not visible", Shared: 1, Processes: 2}
	return s
}

// fullQueue has a table with everything that a table of the queue can have.
func fullQueue() *model.Queue {
	return &model.Queue{ReadAt: after(13 * time.Minute), Whole: true, HoldersRead: true, Tables: []model.QueuedTable{{
		QueueTable: model.QueueTable{
			RelID: 16600, Schema: "pg_toast", Name: "pg_toast_16500", Kind: "t", ToastOf: &model.RelationName{Schema: "public", Name: "orders"},
			XIDAge: 170_000_000, MXIDAge: 10, LastVacuum: model.Some(after(-time.Hour)), Score: &model.QueueScore{Score: 12.5, DoVacuum: true},
		},
		Pressures: []model.Pressure{{Of: model.PressureDead, Have: 625, Threshold: 50}},
		Vacuum:    true,
		Holders:   []model.Holder{{RelID: 16600, PID: 4711, State: model.Some[model.Text]("idle in transaction")}},
	}}}
}

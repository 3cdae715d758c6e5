package tui

import (
	"encoding/json"
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// Snapshots for the page about a run: its catalog entry, settings and ages.

// withSettings gives a snapshot what a server of its version has by default, the
// ages of its databases, and a rate at which ids are used.
func withSettings(s *model.Snapshot) *model.Snapshot {
	add := func(name string, setting model.Text) {
		s.Settings = append(s.Settings, model.Setting{Name: name, Setting: setting, Source: "default"})
	}
	add("autovacuum_freeze_max_age", "200000000")
	add("autovacuum_multixact_freeze_max_age", "400000000")
	add("min_parallel_index_scan_size", "64")
	if s.Server.VersionNum >= 140000 {
		add("vacuum_failsafe_age", "1600000000")
		add("vacuum_multixact_failsafe_age", "1600000000")
	}
	s.Databases = []model.Database{
		{DatID: 16384, Name: "app", XIDAge: 183_402_117, MXIDAge: 10_204, AllowConnections: true},
		{DatID: 5, Name: "postgres", XIDAge: 191_000_442, MXIDAge: 10_204, AllowConnections: true},
	}
	s.XIDRate = model.Some(model.IDRate{PerSecond: 412, Window: 10 * time.Minute})
	s.MXIDRate = model.Some(model.IDRate{PerSecond: 0, Window: 10 * time.Minute})
	return s
}

// largeTable is the catalog's entry of the table of the published test.
func largeTable() *model.Relation {
	rel := &model.Relation{
		DatID: 16384, RelID: 16500, Schema: "public", Name: "large_tbl", Kind: "r", RelPages: 221_900,
		RelTuples: model.Some(61_900_000.0), RelAllVisible: 9_120, RelAllFrozen: model.Some[model.Blocks](8_800),
		XIDAge: model.Some[int64](150_210_900), MXIDAge: model.Some[int64](10_204),
		RelOptions:  []model.Text{"fillfactor=90", "autovacuum_freeze_max_age=180000000"},
		VacuumCount: 3, AutovacuumCount: 12,
		LastVacuum: model.Some(ago(26 * time.Hour)), LastAutovacuum: model.Some(ago(3 * time.Hour)),
		TotalVacuumTime: model.Some(42 * time.Minute), TotalAutovacuumTime: model.Some(9 * time.Hour),
		LiveTuples: 49_500_120, DeadTuples: 12_400_000,
	}
	for i := range uint32(21) {
		ix := model.Index{RelID: 16501 + i, Name: model.Text(fmt.Sprintf("large_tbl_%02d_idx", i+1)), AccessMethod: "btree", RelPages: model.Blocks(30_000 + 500*i)}
		switch i {
		case 4:
			ix.AccessMethod, ix.RelPages = "brin", 12
		case 7:
			ix.RelPages = 9
		}
		rel.Indexes = append(rel.Indexes, ix)
	}
	return rel
}

// pageParallelSnapshot is the throttled parallel vacuum with all that can be known.
func pageParallelSnapshot() *model.Snapshot {
	s := withSettings(parallelSnapshot())
	run := s.Active[0]
	run.ApplicationName, run.ClientAddr = model.Some[model.Text]("psql"), model.Some[model.Text]("10.1.4.27")
	run.Relation = largeTable()
	run.Indexes = run.Relation.Indexes
	run.Allows = model.Allowance{WhyNot: "they are that session's own, and not visible", Shared: 1, Processes: 7}
	p := run.Progress
	p.Phase, p.HeapBlksVacuumed, p.IndexVacuumCount = model.Some[model.Text]("vacuuming indexes"), model.Some[model.Blocks](0), model.Some[int64](0)
	p.MaxDeadTupleBytes, p.DeadTupleBytes, p.NumDeadItemIDs = model.Some[model.Bytes](1<<30), model.Some[model.Bytes](71<<20), model.Some[int64](12_400_000)
	p.IndexesTotal, p.IndexesProcessed, p.DelayTime = model.Some[int64](21), model.Some[int64](9), model.Some(1_551_123.25)
	return s
}

// pageAutovacuumSnapshot is an autovacuum of a table with options of its own.
func pageAutovacuumSnapshot() *model.Snapshot {
	s := withSettings(emptySnapshot())
	run := autovacuumRun()
	run.Statement = model.Some[model.Text]("autovacuum: VACUUM public.orders (to prevent wraparound)")
	run.Relation = largeTable()
	run.Relation.Name, run.Relation.RelID, run.Relation.PartitionOf = "orders", 16600, &model.RelationName{Schema: "public", Name: "all_orders"}
	run.Relation.RelOptions = []model.Text{"autovacuum_vacuum_cost_delay=20", "autovacuum_freeze_max_age=150000000"}
	run.Relation.XIDAge = model.Some[int64](183_402_117)
	run.Allows = model.Allowance{
		Settings:  model.Some(model.CostSettings{Delay: 20 * time.Millisecond, Limit: 200}),
		LimitFrom: "vacuum_cost_limit", DelayFrom: "autovacuum_vacuum_cost_delay", DelayOfTable: true, Shared: 1, Processes: 1,
		Observed: model.Some[model.PerSecond](443), Cost: model.Some(22.6), PerProcess: model.Some[model.Bytes](443 * 8192),
		Cached: model.Some[model.Bytes](10_000 * 8192), Read: model.Some[model.Bytes](5_000 * 8192), Dirtied: model.Some[model.Bytes](476 * 8192),
	}
	s.Active = []*model.Run{run}
	return s
}

// pageOtherSnapshot is a vacuum in a database whose catalog cannot be read.
func pageOtherSnapshot() *model.Snapshot {
	s := withSettings(emptySnapshot())
	run := autovacuumRun()
	run.Key.DatID, run.Database, run.Key.RelID = 5, "postgres", 16458
	run.Schema, run.Table = model.None[model.Text](), model.None[model.Text]()
	run.NameMissing = "permission denied for database"
	run.StartedBy, run.Statement = model.Some(model.ByManual), model.Some[model.Text]("vacuum (freeze, verbose)\n\telsewhere -- nightly")
	run.Allows = model.Allowance{WhyNot: "they are that session's own, and not visible", Shared: 1, Processes: 1,
		Observed: model.Some[model.PerSecond](443), PerProcess: model.Some[model.Bytes](443 * 8192)}
	s.Active, s.XIDRate, s.MXIDRate = []*model.Run{run}, model.None[model.IDRate](), model.None[model.IDRate]()
	return s
}

// page13Snapshot is on the oldest version: no failsafe, pointers for bytes, no counts of indexes.
func page13Snapshot() *model.Snapshot {
	s := pageAutovacuumSnapshot()
	s.Server.VersionNum, s.Server.Version = 130023, "13.23"
	s.Settings = nil
	withSettings(s)
	run := s.Active[0]
	run.Relation.RelAllFrozen = model.None[model.Blocks]()
	run.Relation.TotalVacuumTime, run.Relation.TotalAutovacuumTime = model.None[time.Duration](), model.None[time.Duration]()
	run.Indexes = run.Relation.Indexes[:3]
	run.Memory = model.Memory{Used: 1_200_345, Max: 11_184_810, Items: model.Some[int64](1_200_345)}
	run.Progress = &model.Progress{
		View: model.ViewVacuum, RelID: 16600, Phase: model.Some[model.Text]("scanning heap"), HeapBlksTotal: model.Some[model.Blocks](100_000),
		HeapBlksScanned: model.Some[model.Blocks](21_000), HeapBlksVacuumed: model.Some[model.Blocks](0), IndexVacuumCount: model.Some[int64](0),
		MaxDeadTuples: model.Some[int64](11_184_810), NumDeadTuples: model.Some[int64](1_200_345),
	}
	return s
}

// page19Snapshot is on the newest version, with a column that came after the program.
func page19Snapshot() *model.Snapshot {
	s := pageParallelSnapshot()
	s.Server.VersionNum, s.Server.Version = 190000, "19rc1"
	run := s.Active[0]
	run.StartedByServer = true
	run.Progress.Mode, run.Progress.StartedBy = model.Some[model.Text]("aggressive"), model.Some[model.Text](model.ByManual)
	run.Progress.Other = map[string]json.RawMessage{"eager_pages": json.RawMessage("128"), "tree": json.RawMessage(`"\u001b[31mred"`), "none_yet": json.RawMessage("null")}
	run.Notices = []model.Event{{At: ago(11 * time.Minute), Kind: model.EventNotice, PID: run.Key.PID, Text: "launched 6 parallel vacuum workers for index vacuuming (planned: 8)"}}
	return s
}

// pageEndedSnapshot is the parallel vacuum after its end.
func pageEndedSnapshot() *model.Snapshot {
	s := pageParallelSnapshot()
	run := s.Active[0]
	run.State, run.LastSeen = model.StateEnded, ago(7*time.Second)
	run.Progress.IndexVacuumCount = model.Some[int64](1)
	for i := range run.Processes {
		run.Processes[i].Alive = false
	}
	run.End = &model.End{At: ago(6 * time.Second), How: model.EndCompleted, Within: time.Second}
	s.Active, s.Ended = nil, []*model.Run{run}
	return s
}

func pageHiddenSnapshot() *model.Snapshot { return withSettings(hiddenSnapshot()) }

// pageStates are the screens on which the page is drawn.
func pageStates() map[string]*model.Snapshot {
	return map[string]*model.Snapshot{
		"page_parallel":   pageParallelSnapshot(),
		"page_autovacuum": pageAutovacuumSnapshot(),
		"page_other":      pageOtherSnapshot(),
		"page_13":         page13Snapshot(),
		"page_19":         page19Snapshot(),
		"page_ended":      pageEndedSnapshot(),
		"page_shared":     pageSharedSnapshot(),
		"page_hidden":     pageHiddenSnapshot(),
		"page_horizon":    horizonSnapshot(pageParallelSnapshot()),
	}
}

// pageSharedSnapshot is one of three autovacuums that divide the limit.
func pageSharedSnapshot() *model.Snapshot {
	s := autovacuumSnapshot()
	s.Active[0].Allows.Shared = 3
	s.Active[0].Allows.Settings = model.Some(model.CostSettings{Delay: 2 * time.Millisecond, Limit: 66})
	s.Active[0].Allows.DelayOfTable = false
	s.Active[0].Allows.Share = &model.LimitShare{Base: 200, From: "vacuum_cost_limit", Sharing: []int32{451007, 451020, 451033}, Exempt: []int32{451044}, Unread: 1}
	return s
}

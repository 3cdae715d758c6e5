package tui

import (
	"time"

	"example.com/vacscope/model"
)

// rareStates are screens of what happens seldom, or only to some tables.
func rareStates() map[string]*model.Snapshot {
	return map[string]*model.Snapshot{
		"failsafe":    failsafeSnapshot(),
		"failsafe_18": inferredFailsafeSnapshot(),
		"streak":      streakSnapshot(),
		"skipped":     skippedSnapshot(),
		"full":        fullSnapshot(),
		"repack":      repackSnapshot(),
		"cluster":     clusterSnapshot(),
		"joined":      joinedSnapshot(),
		"busy":        busySnapshot(),
		"vacuumdb":    vacuumdbSnapshot(),
	}
}

// plainAutovacuumSnapshot has an autovacuum that is not against wraparound.
func plainAutovacuumSnapshot() *model.Snapshot {
	s := emptySnapshot()
	run := autovacuumRun()
	run.StartedBy = model.Some(model.ByAutovacuum)
	s.Active = []*model.Run{run}
	return s
}

// failsafeSnapshot is an autovacuum on 19 that the server says is in failsafe mode.
func failsafeSnapshot() *model.Snapshot {
	s := emptySnapshot()
	s.Server.VersionNum, s.Server.Version = 190000, "19.0"
	run := autovacuumRun()
	run.Failsafe = &model.Failsafe{}
	run.Processes = []model.Member{member(451007, false, dataRead, map[model.Opt[model.Wait]]int{dataRead: 4100, onCPU: 900}, 2520)}
	run.Phases[0].Waits, run.Phases[0].Delay = run.Processes[0].Profile, model.Delay{Sampled: model.Some(time.Duration(0))}
	run.Allows = model.Allowance{
		Settings: model.Some(model.CostSettings{Delay: 2 * time.Millisecond, Limit: 200}), LimitFrom: "vacuum_cost_limit", DelayFrom: "autovacuum_vacuum_cost_delay",
		Shared: 1, Processes: 1, Free: "it is in failsafe mode, which does not sleep",
	}
	s.Active = []*model.Run{run}
	return s
}

// inferredFailsafeSnapshot is the same before the server says so.
func inferredFailsafeSnapshot() *model.Snapshot {
	s := failsafeSnapshot()
	s.Server = server()
	s.Active[0].Failsafe = &model.Failsafe{Inferred: true, Reason: "the table's age 1,612,000,345 is over vacuum_failsafe_age 1,600,000,000"}
	return s
}

// streakSnapshot is an autovacuum whose table has seen three give way before it.
func streakSnapshot() *model.Snapshot {
	s := plainAutovacuumSnapshot()
	run := s.Active[0]
	run.Relation = largeTable()
	run.Relation.LastVacuum, run.Relation.LastAutovacuum = model.None[time.Time](), model.Some(ago(9*24*time.Hour))
	for i, how := range []model.Ending{model.EndGaveWay, model.EndGaveWay, model.EndNotCompleted} {
		before := autovacuumRun()
		shift := -time.Duration(i+1) * time.Hour
		before.Key.StatementStart, before.Began, before.FirstSeen = before.Key.StatementStart.Add(shift), before.Began.Add(shift), before.FirstSeen.Add(shift)
		before.StartedBy, before.State, before.LastSeen = run.StartedBy, model.StateEnded, fixtureNow.Add(shift)
		before.End = &model.End{At: fixtureNow.Add(shift), How: how, Within: time.Second}
		s.Ended = append(s.Ended, before)
	}
	return s
}

// skippedSnapshot is a vacuum that has completed and left the indexes as they are.
func skippedSnapshot() *model.Snapshot {
	s := pageEndedSnapshot()
	run := s.Ended[0]
	run.Progress.IndexVacuumCount, run.Progress.IndexesTotal, run.Progress.IndexesProcessed = model.Some[int64](0), model.Some[int64](21), model.Some[int64](21)
	run.Phases[1].Phase, run.Phases[1].Moved.To = "cleaning up indexes", 21
	run.Statement, run.Parallel = model.Some[model.Text]("VACUUM large_tbl"), model.Parallel{}
	run.Memory = model.Memory{Bytes: true, Used: 256 << 10, Max: 1024 << 20, Items: model.Some[int64](3_000)}
	return s
}

// fullSnapshot is a vacuum whose memory for dead rows is over its end in the third of
// an expected eight passes, still scanning.
func fullSnapshot() *model.Snapshot {
	s := plainAutovacuumSnapshot()
	run := s.Active[0]
	run.StartedBy, run.Role = model.Some(model.ByManual), model.Some[model.Text]("dba")
	scan := run.Phases[0]
	span := func(phase model.Text, pass int, from, to time.Duration) model.Span {
		p := scan
		p.Phase, p.Pass, p.From, p.To, p.Wall, p.ProcessTime, p.Complete = phase, pass, ago(from), ago(to), from-to, from-to, to > 0
		p.Delay = model.Delay{Sampled: model.Some((from - to) / 10 * 9)}
		return p
	}
	run.Phases = nil
	for pass := range 2 {
		at := 42*time.Minute - time.Duration(pass)*18*time.Minute
		run.Phases = append(run.Phases, span("scanning heap", pass+1, at, at-6*time.Minute),
			span("vacuuming indexes", pass+1, at-6*time.Minute, at-15*time.Minute), span("vacuuming heap", pass+1, at-15*time.Minute, at-18*time.Minute))
	}
	run.Phases = append(run.Phases, span("scanning heap", 3, 6*time.Minute, 0))
	run.Phases[6].Moved = model.Moved{Unit: model.UnitBlocks, From: 25_000, To: 37_500, Total: 100_000, Over: 6 * time.Minute}
	run.Left = model.Left{Done: model.Some(model.Ratio(0.375)), WhyNot: "the memory for dead rows is full"}
	run.Memory = model.Memory{Bytes: true, Used: 1_310_720, Max: 1 << 20, Items: model.Some[int64](201_400), Projected: model.Some(model.Ratio(6.25)), Passes: model.Some(8), Needed: model.Some[model.Bytes](8 << 20)}
	run.Progress = &model.Progress{
		View: model.ViewVacuum, RelID: 16600, Phase: model.Some[model.Text]("scanning heap"), HeapBlksTotal: model.Some[model.Blocks](100_000),
		HeapBlksScanned: model.Some[model.Blocks](37_500), IndexVacuumCount: model.Some[int64](2),
	}
	return s
}

// repackSnapshot is a REPACK (CONCURRENTLY) on 19 with its decoding worker.
func repackSnapshot() *model.Snapshot {
	s := rewriteSnapshot()
	s.Server.VersionNum, s.Server.Version, s.Analyzes = 190000, "19.0", nil
	run := s.Active[2]
	run.Statement = model.Some[model.Text]("REPACK (CONCURRENTLY) t")
	run.Phases[1].Phase = "catch-up"
	run.Processes[1].Worker, run.Processes[1].Helper, run.Processes[1].Wait = false, "REPACK decoding worker", model.Some(model.Wait{Type: "Activity", Event: "LogicalApplyMain"})
	s.Active = []*model.Run{run}
	return s
}

// clusterSnapshot is a CLUSTER in an index's order, which counts rows.
func clusterSnapshot() *model.Snapshot {
	s := rewriteSnapshot()
	s.Analyzes = nil
	run := s.Active[1]
	run.Phases = run.Phases[:1]
	run.Phases[0].Phase, run.Phases[0].Complete, run.Phases[0].To = "index scanning heap", false, fixtureNow
	run.Phases[0].Moved = model.Moved{Unit: model.UnitRows, To: 4_812_300, Over: 108 * time.Second}
	run.Left.WhyNot = "rows are counted, and how many there are is not known"
	run.Processes = run.Processes[:1]
	s.Active = []*model.Run{run}
	return s
}

// joinedSnapshot is an autovacuum that goes on at a third of its rate since two more
// divide the limit with it.
func joinedSnapshot() *model.Snapshot {
	s := plainAutovacuumSnapshot()
	run := s.Active[0]
	share := func(pids ...int32) model.LimitShare {
		return model.LimitShare{Base: 200, From: "vacuum_cost_limit", Sharing: pids}
	}
	one, two, three := share(451007), share(451007, 451020), share(451007, 451020, 451033)
	run.Allows = model.Allowance{
		Settings:  model.Some(model.CostSettings{Delay: 2 * time.Millisecond, Limit: 66}),
		LimitFrom: "vacuum_cost_limit", DelayFrom: "autovacuum_vacuum_cost_delay", Shared: 3, Share: &three, Processes: 1,
		Observed: model.Some[model.PerSecond](147), Cost: model.Some(21.5), PerProcess: model.Some[model.Bytes](147 * 8192),
	}
	rates := func(before, after model.PerSecond) model.Around {
		return model.Around{Before: model.Some(before), After: model.Some(after), Unit: model.UnitBlocks}
	}
	run.LimitChanges = []model.LimitChange{
		{At: ago(20 * time.Minute), Old: one, New: two, Around: rates(441, 220)},
		{At: ago(12 * time.Minute), Old: two, New: one, Around: rates(220, 441)},
		{At: ago(50 * time.Second), Old: one, New: two, Around: rates(441, 220)},
		{At: ago(36 * time.Second), Old: two, New: three, Around: rates(220, 147)},
	}
	return s
}

// busySnapshot is a server at its worst: a vacuum with 64 workers, 16 autovacuums, and
// 500 that wait.
func busySnapshot() *model.Snapshot {
	s := workersSnapshot()
	s.Active = append(s.Active[:1], manySnapshot().Active...)
	s.LockWaits, s.PastWaits = crowdSnapshot().LockWaits, crowdSnapshot().PastWaits
	return s
}

// vacuumdbSnapshot has two connections of vacuumdb, and one that is over.
func vacuumdbSnapshot() *model.Snapshot {
	s := emptySnapshot()
	for i := range 3 {
		g := group(uint64(i+1), int32(471000+i), model.GroupSession, time.Duration(5+i)*time.Minute)
		g.Number, g.AtLeast, g.Seen, g.Completed = model.Some(12+i), true, 12+i, 11+i
		run := partOf(g, model.Text([]string{"orders", "customers", "events"}[i]), uint32(17_000+i), time.Minute, 0)
		s.Groups, s.Active = append(s.Groups, g), append(s.Active, run)
	}
	over := s.Active[2]
	over.State, over.End = model.StateEnded, &model.End{At: ago(10 * time.Second), How: model.EndCompleted}
	s.Groups[2].End = over.End
	s.Active, s.Ended = s.Active[:2], []*model.Run{over}
	return s
}

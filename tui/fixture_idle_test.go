package tui

import (
	"time"

	"example.com/vacscope/model"
)

// idleSnapshot is a server on which nothing runs now, and what ran.
func idleSnapshot() *model.Snapshot {
	s := emptySnapshot()
	kind := func(ago_ time.Duration, count int64, total time.Duration) model.VacuumHistory {
		h := model.VacuumHistory{Count: count, Total: model.Some(total)}
		if count > 0 {
			h.Last = model.Some(ago(ago_))
		}
		return h
	}
	none := kind(0, 0, 0)
	s.LastVacuums = []model.LastVacuum{
		{RelID: 16600, Schema: "public", Name: "orders", Manual: none, Auto: kind(3*time.Minute+12*time.Second, 1204, 1204*41*time.Second)},
		{RelID: 16500, Schema: "public", Name: "large_tbl", Manual: kind(4*time.Hour, 3, 71*time.Minute), Auto: kind(90*24*time.Hour, 2, time.Hour)},
		{RelID: 16700, Schema: "Mixed Case", Name: "order lines", Manual: none, Auto: kind(26*time.Hour, 17, 20*time.Minute)},
		{RelID: 1259, Schema: "pg_catalog", Name: "pg_class", Manual: none, Auto: kind(9*24*time.Hour, 31, 4*time.Second)},
	}
	return s
}

// idleOn16Snapshot is the same where the server does not keep how long vacuums took.
func idleOn16Snapshot() *model.Snapshot {
	s := idleSnapshot()
	s.Server.VersionNum, s.Server.Version = 160013, "16.13"
	for i := range s.LastVacuums {
		v := &s.LastVacuums[i]
		v.Manual.Total, v.Auto.Total = model.None[time.Duration](), model.None[time.Duration]()
	}
	return s
}

// standbySnapshot is a standby, which has no statistics of the primary's vacuums.
func standbySnapshot() *model.Snapshot {
	s := emptySnapshot()
	s.Server.InRecovery = true
	s.LastVacuums = []model.LastVacuum{}
	return s
}

// blindSnapshot is a server that answers, and what it vacuums cannot be read.
func blindSnapshot() *model.Snapshot {
	s := emptySnapshot()
	s.Blind = true
	s.Problems = []model.Problem{{Part: "progress and activity", SQLState: "42501", Message: "permission denied for view pg_stat_progress_vacuum"}}
	return s
}

// workersSnapshot is a vacuum with 64 workers.
func workersSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	run := s.Active[0]
	run.Parallel = model.Parallel{Asked: model.Some(64), Planned: model.Some(64), Launched: model.Some(64)}
	run.Processes = run.Processes[:1]
	for i := range int32(64) {
		wait := []model.Opt[model.Wait]{vacuumDelay, walWrite, dataRead, onCPU}[i%4]
		run.Processes = append(run.Processes, member(454000+i, true, wait, map[model.Opt[model.Wait]]int{vacuumDelay: 359 - int(i), walWrite: 19 + int(i), onCPU: 16}, 211))
	}
	s.LockWaits = nil
	return s
}

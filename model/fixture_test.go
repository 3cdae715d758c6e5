package model

import (
	"testing"
	"time"
)

// The scenes of these tests: one session (pid 100, since 10 s) vacuums relation
// 16384 of database 5, statement start at t0.
var t0 = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }

// vacuumer is the leader's row with a progress row; columns are set by the test.
func vacuumer(progress Progress) Process {
	progress.View = ViewVacuum
	if progress.RelID == 0 {
		progress.RelID = 16384
	}
	return Process{
		PID: 100, DatID: Some[uint32](5), Database: Some[Text]("app"), Role: Some[Text]("dba"),
		BackendType: Some[Text]("client backend"), State: Some[Text]("active"),
		BackendStart: Some(at(-10000)), StatementStart: Some(at(0)),
		Query: Some[Text]("vacuum (parallel 2) t"), Progress: &progress,
	}
}

func scanning(scanned, total Blocks) Progress {
	return Progress{Phase: Some[Text]("scanning heap"), HeapBlksScanned: Some(scanned), HeapBlksTotal: Some(total),
		HeapBlksVacuumed: Some[Blocks](0), IndexVacuumCount: Some[int64](0)}
}

func inPhase(phase Text) Progress {
	p := scanning(1000, 1000)
	p.Phase = Some(phase)
	return p
}

// beat is a sample with one poll; rate 20 says that ticks are on.
func beat(seq uint64, ms int, processes ...Process) Sample {
	return Sample{Seq: seq, At: at(ms), Poll: &Poll{
		Server:    Server{VersionNum: 180004, DatID: 5, Database: "app", Role: "dba", BlockSize: 8192, StartedAt: at(-1000000)},
		Watch:     Watch{Interval: time.Second, TickRate: 20},
		Processes: append([]Process{}, processes...),
	}}
}

// tickAt is a tick of the leader, with delay_time in ms, standing for 50 ms.
func tickAt(ms int, phase Text, delay float64, wait Opt[Wait], workers ...TickRow) Tick {
	leader := TickRow{PID: 100, BackendStart: at(-10000), StatementStart: Some(at(0)), Active: true, RelID: 16384, Phase: phase, DelayTime: Some(delay), Wait: wait}
	if phase != "scanning heap" && phase != "vacuuming indexes" {
		leader.IndexVacuumCount = 1
	}
	return Tick{At: at(ms), Gap: 50 * time.Millisecond, Rows: append([]TickRow{leader}, workers...)}
}

func workerRow(pid int32, startMS int, wait Opt[Wait]) TickRow {
	return TickRow{PID: pid, BackendStart: at(startMS), StatementStart: Some(at(0)), LeaderPID: Some[int32](100), Active: true, Wait: wait}
}

var (
	asleep = Some(Wait{"Timeout", "VacuumDelay"})
	onCPU  = None[Wait]()
)

func last(snaps []*Snapshot) *Snapshot { return snaps[len(snaps)-1] }

func onlyRun(t *testing.T, s *Snapshot) *Run {
	t.Helper()
	if len(s.Active) != 1 {
		t.Fatalf("%d active runs, want 1", len(s.Active))
	}
	return s.Active[0]
}

func parallelProcess(pid int32, startMS int) Process {
	return Process{PID: pid, LeaderPID: Some[int32](100), BackendType: Some[Text]("parallel worker"), State: Some[Text]("active"),
		BackendStart: Some(at(startMS)), StatementStart: Some(at(0)), Wait: asleep}
}

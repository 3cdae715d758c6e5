package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// storedPoll is one poll of a file in testdata: raw rows of the activity joined
// with the progress view, as a server gave them.
type storedPoll struct {
	Seq        uint64      `json:"seq"`
	ServerTime string      `json:"server_time"`
	Rows       []storedRow `json:"rows"`
}

type storedRow struct {
	PID          int32                      `json:"pid"`
	LeaderPID    Opt[int32]                 `json:"leader_pid"`
	DatID        Opt[uint32]                `json:"datid"`
	Datname      Opt[Text]                  `json:"datname"`
	Usename      Opt[Text]                  `json:"usename"`
	BackendType  Opt[Text]                  `json:"backend_type"`
	State        Opt[Text]                  `json:"state"`
	WaitType     Opt[Text]                  `json:"wait_event_type"`
	WaitEvent    Opt[Text]                  `json:"wait_event"`
	BackendStart Opt[string]                `json:"backend_start"`
	QueryStart   Opt[string]                `json:"query_start"`
	Query        Opt[Text]                  `json:"query"`
	RelID        Opt[uint32]                `json:"relid"`
	Progress     map[string]json.RawMessage `json:"progress"`
	BlockedBy    []int32                    `json:"blocked_by"`
}

// storedStream reads a file of testdata as a stream without ticks.
func storedStream(t *testing.T, name string) []Sample {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Meta struct {
			ServerVersionNum int `json:"server_version_num"`
		}
		Polls []storedPoll
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	var out []Sample
	for _, p := range file.Polls {
		poll := &Poll{Server: Server{VersionNum: file.Meta.ServerVersionNum, DatID: 5, BlockSize: 8192, StartedAt: time.Unix(1, 0)}, Processes: []Process{}}
		poll.Watch.Interval = time.Second
		for _, row := range p.Rows {
			poll.Processes = append(poll.Processes, row.process(t))
		}
		out = append(out, Sample{Seq: p.Seq, At: serverTime(t, p.ServerTime), Poll: poll})
	}
	return out
}

func serverTime(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04:05.999999-07:00", s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func (row storedRow) process(t *testing.T) Process {
	t.Helper()
	p := Process{
		PID: row.PID, LeaderPID: row.LeaderPID, DatID: row.DatID, Database: row.Datname, Role: row.Usename,
		BackendType: row.BackendType, State: row.State, Query: row.Query, BlockedBy: row.BlockedBy,
	}
	if typ, ok := row.WaitType.Get(); ok {
		p.Wait = Some(Wait{typ, row.WaitEvent.Or("")})
	}
	if s, ok := row.BackendStart.Get(); ok {
		p.BackendStart = Some(serverTime(t, s))
	}
	if s, ok := row.QueryStart.Get(); ok {
		p.StatementStart = Some(serverTime(t, s))
	}
	if row.Progress != nil {
		p.Progress = storedProgress(t, row.RelID.Or(0), row.Progress)
	}
	return p
}

// storedProgress decodes a row of the progress view.
func storedProgress(t *testing.T, relid uint32, columns map[string]json.RawMessage) *Progress {
	t.Helper()
	raw, err := json.Marshal(columns)
	if err != nil {
		t.Fatal(err)
	}
	p := &Progress{}
	if err := json.Unmarshal(raw, p); err != nil {
		t.Fatal(err)
	}
	p.View, p.RelID = ViewVacuum, relid
	return p
}

// fold runs a stream through a tracker and returns the snapshots.
func fold(stream []Sample) []*Snapshot {
	var tracker Tracker
	var out []*Snapshot
	for _, s := range stream {
		out = append(out, tracker.Step(s))
	}
	return out
}

// What real servers said, folded. The numbers were added up by hand from the
// rows: samples are rows of the leader and its workers; the delay reported for a
// phase is the last reading in it plus, before an edge that workers do not cross,
// half of the gap to the next.
func TestStoredPolls(t *testing.T) {
	type phase struct {
		name     Text
		samples  int
		reported string // "" where the server gives none
	}
	for name, want := range map[string]struct {
		startedBy string
		byServer  bool
		launched  Opt[int]
		most      Class // of all samples
		phases    []phase
	}{
		"pg13-manual-parallel4.json": {ByManual, false, Some(4), ClassDelay,
			[]phase{{"scanning heap", 2, ""}, {"vacuuming indexes", 39, ""}, {"vacuuming heap", 2, ""}}},
		"pg15-autovacuum.json": {ByAutovacuum, false, Some(0), ClassDelay,
			[]phase{{"scanning heap", 2, ""}, {"vacuuming indexes", 25, ""}, {"vacuuming heap", 1, ""}}},
		"pg17-manual-parallel4.json": {ByManual, false, Some(4), ClassDelay,
			[]phase{{"scanning heap", 2, ""}, {"vacuuming indexes", 25, ""}, {"vacuuming heap", 2, ""}}},
		"pg18-manual-parallel4.json": {ByManual, false, Some(4), ClassDelay,
			[]phase{{"scanning heap", 3, "691.224ms"}, {"vacuuming indexes", 40, "14.22149s"}, {"vacuuming heap", 3, "655.891ms"}}},
		"pg18-vacuum-waits-for-lock.json": {ByManual, false, None[int](), ClassCPU,
			[]phase{{"scanning heap", 1, ""}}},
		"pg19-parallel-autovacuum.json": {ByAutovacuum, true, Some(4), ClassDelay,
			[]phase{{"scanning heap", 2, "585.477ms"}, {"vacuuming indexes", 46, "17.267247s"}, {"vacuuming heap", 4, "1.151301s"}}},
		"pg19-vacuum-waits-for-cleanup-lock.json": {ByManual, true, None[int](), ClassLock,
			[]phase{{"scanning heap", 5, ""}}},
	} {
		t.Run(name, func(t *testing.T) {
			snaps := fold(storedStream(t, name))
			run := last(snaps).Ended[0]
			if run.StartedBy != Some(want.startedBy) || run.StartedByServer != want.byServer || run.Parallel.Launched != want.launched {
				t.Errorf("started by %v (server: %v), launched %v", run.StartedBy, run.StartedByServer, run.Parallel.Launched)
			}
			var classes [Classes]int
			for i, span := range run.Phases {
				if i >= len(want.phases) {
					t.Fatalf("one phase too many: %s", span.Phase)
				}
				got := phase{name: span.Phase}
				for _, w := range span.Waits {
					got.samples += w.Samples
					classes[w.Class] += w.Samples
				}
				if d, ok := span.Delay.Reported.Get(); ok {
					got.reported = d.Round(time.Microsecond).String()
				}
				if got != want.phases[i] {
					t.Errorf("phase %d: %+v, want %+v", i, got, want.phases[i])
				}
			}
			for class, n := range classes {
				if n > classes[want.most] {
					t.Errorf("class %s has most samples (%v), want %s", Class(class), classes, want.most)
				}
			}
		})
	}
}

// The vacuum of this file waited 0.7 s for a lock held by an ALTER-like session,
// with an UPDATE queued beside it.
func TestStoredLockWait(t *testing.T) {
	snaps := fold(storedStream(t, "pg18-vacuum-waits-for-lock.json"))
	waiting := snaps[1].Active[0]
	if waiting.State != StateWaiting || len(waiting.BlockedBy) != 1 {
		t.Fatalf("first poll: %+v", waiting)
	}
	wait := waitOf(snaps[1], waiting.Key.PID)
	if !wait.Around || wait.Waited.Known() {
		t.Errorf("its lock wait: %+v", wait)
	}
	if ended := last(snaps).Ended[0]; ended.WaitedForLock.Or(0) < 700*time.Millisecond {
		t.Errorf("waited %v", ended.WaitedForLock)
	}
}

package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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

// storedProgress decodes by field name: a column is its field in snake case.
func storedProgress(t *testing.T, relid uint32, columns map[string]json.RawMessage) *Progress {
	t.Helper()
	byField := map[string]json.RawMessage{}
	for column, value := range columns {
		field := strings.ReplaceAll(column, "_", "")
		byField[field] = value
	}
	raw, err := json.Marshal(byField)
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

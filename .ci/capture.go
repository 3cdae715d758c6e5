//go:build ignore

// Command capture runs VACUUMs of known kinds on a server and writes what watching
// them gave, as gzipped JSON Lines of samples: the ground truth of the estimates of
// the time left (model/testdata/runs).
//
//	go run .ci/capture.go CONNINFO FOLDER KIND...
//
// It makes a database for each run and drops it again: give it a throwaway server,
// with autovacuum off.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"github.com/jackc/pgx/v5"
)

// kind is one run: the table, what is done to it, and how it is vacuumed.
type kind struct {
	name     string
	rows     int      // 600,000
	indexes  int      // columns with an index each
	more     []string // statements after the table is filled
	settings []string // of the vacuum's session
	options  string
	interval time.Duration // 1 s
}

var deadFifth = []string{"delete from t where id % 5 = 0"}

// frozen makes all pages but a part all-visible.
func frozen(kill string) []string {
	return []string{"vacuum (freeze) t", "delete from t where " + kill}
}

var kinds = []kind{
	{name: "throttled-a", indexes: 4, more: deadFifth, settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=200"}},
	{name: "throttled-b", rows: 400_000, indexes: 7, more: []string{"delete from t where id % 3 = 0"}, settings: []string{"vacuum_cost_delay=5", "vacuum_cost_limit=100"}},
	{name: "throttled-c", rows: 800_000, indexes: 2, more: []string{"delete from t where id % 40 = 0"}, settings: []string{"vacuum_cost_delay=20", "vacuum_cost_limit=500"}},
	{name: "parallel-a", indexes: 8, more: deadFifth, options: "(parallel 3)", settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=200", "max_parallel_maintenance_workers=3"}},
	{name: "parallel-b", rows: 400_000, indexes: 6, more: deadFifth, options: "(parallel 2)", settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=150", "max_parallel_maintenance_workers=2"}},
	{name: "passes-a", rows: 1_500_000, indexes: 3, more: []string{"delete from t where id % 3 = 0"}, options: "(parallel 0)", settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=1000", "maintenance_work_mem=1MB"}},
	{name: "passes-b", rows: 1_000_000, indexes: 2, more: []string{"delete from t where id % 2 = 0"}, options: "(parallel 0)", settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=600", "maintenance_work_mem=1MB"}},
	{name: "visible-a", rows: 1_500_000, indexes: 3, more: frozen("id between 300000 and 420000 or id between 900000 and 1000000"), settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=100"}},
	{name: "visible-b", rows: 1_000_000, indexes: 2, more: frozen("id between 800000 and 900000"), settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=100"}},
	{name: "huge-a", rows: 600_000, indexes: 3, more: append([]string{"create index on t ((pad || a1 || pad))"}, deadFifth...), settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=250"}},
	{name: "huge-b", rows: 400_000, indexes: 4, more: append([]string{"create index on t ((a2 || pad || pad || id))"}, deadFifth...), options: "(parallel 2)", settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=200", "max_parallel_maintenance_workers=2"}},
	{name: "bare-a", rows: 1_000_000, more: deadFifth, settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=200"}},
	{name: "bypass-a", rows: 1_000_000, indexes: 3, more: []string{"delete from t where id % 6000 = 0"}, settings: []string{"vacuum_cost_delay=10", "vacuum_cost_limit=100"}},
	{name: "free-a", rows: 3_000_000, indexes: 6, more: deadFifth, settings: []string{"vacuum_cost_delay=0", "maintenance_work_mem=256MB"}, options: "(parallel 0)", interval: 500 * time.Millisecond},
	{name: "free-b", rows: 4_000_000, indexes: 3, more: []string{"delete from t where id % 3 = 0"}, settings: []string{"vacuum_cost_delay=0", "maintenance_work_mem=256MB"}, options: "(parallel 0)", interval: 500 * time.Millisecond},
	whatIf("base", 10, 100), whatIf("w1", 5, 100), whatIf("w2", 10, 250), whatIf("w3", 20, 125), whatIf("w4", 2, 80), whatIf("w5", 0, 100),
}

// whatIf is the same table under other cost settings.
func whatIf(name string, delay, limit int) kind {
	return kind{name: "same-" + name, rows: 600_000, indexes: 3, more: []string{"delete from t where id % 4 = 0"},
		settings: []string{fmt.Sprintf("vacuum_cost_delay=%d", delay), fmt.Sprintf("vacuum_cost_limit=%d", limit)}}
}

func main() {
	log.SetFlags(log.Ltime)
	for _, name := range os.Args[3:] {
		for _, k := range kinds {
			if k.name == name {
				if err := k.capture(context.Background(), os.Args[1], os.Args[2]); err != nil {
					log.Fatalf("%s: %v", name, err)
				}
			}
		}
	}
}

// capture makes the table, vacuums it, and writes what was seen.
func (k kind) capture(ctx context.Context, server, folder string) error {
	admin, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer admin.Close(ctx)
	database := "capture_" + strings.ReplaceAll(k.name, "-", "_")
	if _, err := admin.Exec(ctx, "create database "+database); err != nil {
		return err
	}
	defer admin.Exec(ctx, "drop database "+database+" with (force)")
	to := server + " dbname=" + database
	conn, err := pgx.Connect(ctx, to)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var major int
	if err := conn.QueryRow(ctx, "select current_setting('server_version_num')::int / 10000").Scan(&major); err != nil {
		return err
	}
	for _, sql := range k.statements(major) {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	samples, err := watched(ctx, to, cmp.Or(k.interval, time.Second), func() error {
		_, err := conn.Exec(ctx, "vacuum "+k.options+" t")
		return err
	})
	if err != nil {
		return err
	}
	name := filepath.Join(folder, fmt.Sprintf("%s-%d.jsonl.gz", k.name, major))
	log.Printf("%s: %d samples", name, len(samples))
	return write(name, samples)
}

func (k kind) statements(major int) []string {
	rows := cmp.Or(k.rows, 600_000)
	columns, values := "", ""
	out := []string{}
	for i := range k.indexes {
		columns += fmt.Sprintf(", a%d int", i)
		values += fmt.Sprintf(", (g * %d::bigint %% %d)::int", 104729+2*i, rows)
	}
	out = append(out, "create table t (id int"+columns+", pad text) with (autovacuum_enabled = off)",
		fmt.Sprintf("insert into t select g%s, repeat('x', 100) from generate_series(1, %d) g", values, rows))
	for i := range k.indexes {
		out = append(out, fmt.Sprintf("create index on t (a%d)", i))
	}
	out = append(out, k.more...)
	out = append(out, "checkpoint")
	for _, s := range k.settings {
		name, value, _ := strings.Cut(s, "=")
		out = append(out, fmt.Sprintf("set %s = '%s'", name, value))
	}
	if major >= 18 && !strings.HasSuffix(k.name, "b") {
		out = append(out, "set track_cost_delay_timing = on")
	}
	return out
}

// watched returns the samples from a little before the statement to a little after.
func watched(ctx context.Context, server string, interval time.Duration, statement func() error) ([]model.Sample, error) {
	config, err := poll.ParseTarget(poll.Flags{}, server)
	if err != nil {
		return nil, err
	}
	source, err := poll.Open(ctx, config, poll.Options{Interval: interval, TickRate: 5, TickRateGiven: true, NoOtherDatabases: true})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	var samples []model.Sample
	var failed error
	begun, after := false, 0
	err = source.Run(ctx, func(s model.Sample) {
		samples = append(samples, s)
		if !begun && len(samples) == 2 {
			begun = true
			go func() { done <- statement() }()
		}
		select {
		case failed = <-done:
			after = 1
		default:
			if after > 0 {
				after++
			}
		}
		if after > 7 { // the counts are read every 5 s
			cancel()
		}
	})
	return samples, cmp.Or(err, failed)
}

// write leaves out settings that are as they were.
func write(name string, samples []model.Sample) error {
	var buffer bytes.Buffer
	z, _ := gzip.NewWriterLevel(&buffer, gzip.BestCompression)
	out := json.NewEncoder(z)
	var last []byte
	for _, s := range samples {
		if s.Poll != nil {
			p := *s.Poll
			s.Poll = &p
			if settings, _ := json.Marshal(p.Settings); bytes.Equal(settings, last) {
				p.Settings = nil
			} else if p.Settings != nil {
				last = settings
			}
			p.Server.Address, p.Server.SystemIdentifier, p.Databases, p.LastVacuums = "", "", nil, nil
		}
		if err := out.Encode(s); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, buffer.Bytes(), 0o644)
}

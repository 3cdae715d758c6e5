package main

import (
	"context"
	"fmt"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/server"
	"github.com/jackc/pgx/v5"
)

func connect(ctx context.Context, s *server.Server) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(s.ConnString())
	if err != nil {
		return nil, err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	return pgx.ConnectConfig(ctx, config)
}

func execute(ctx context.Context, conn *pgx.Conn, statements []string) error {
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// vacuum lets the table be vacuumed, with what others do in the middle, to its end.
func (k kind) vacuum(ctx context.Context, s *server.Server, conn *pgx.Conn) error {
	failed := make(chan error, 1)
	go func() { failed <- k.disturb(ctx, s) }()
	start := k.auto
	if start == nil {
		start = []string{"vacuum " + k.options + " t"}
	}
	if err := execute(ctx, conn, start); err != nil {
		return err
	}
	if k.auto != nil {
		const done = "select exists (select from pg_stat_all_tables where relname = 't' and autovacuum_count > 0) and not exists (select from pg_stat_progress_analyze)"
		if err := await(ctx, conn, done); err != nil {
			return err
		}
	}
	return <-failed
}

// await asks until the answer is true.
func await(ctx context.Context, conn *pgx.Conn, question string) error {
	for {
		var yes bool
		if err := conn.QueryRow(ctx, question).Scan(&yes); err != nil || yes {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// disturb does what others do in the middle.
func (k kind) disturb(ctx context.Context, s *server.Server) error {
	if k.middle == nil {
		return nil
	}
	conn, err := connect(ctx, s)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if err := await(ctx, conn, "select exists (select from pg_stat_progress_vacuum where relid = 't'::regclass)"); err != nil {
		return err
	}
	time.Sleep(k.after)
	return execute(ctx, conn, k.middle)
}

// watched returns the samples from a little before the vacuum to a little after.
func (k kind) watched(ctx context.Context, s *server.Server, vacuum func() error) ([]model.Sample, error) {
	config, err := poll.ParseTarget(poll.Flags{}, s.ConnString())
	if err != nil {
		return nil, err
	}
	source, err := poll.Open(ctx, config, poll.Options{Interval: k.interval, TickRate: 5, TickRateGiven: true, NoOtherDatabases: true})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const before, after = 2, 7 // beats; the counts are read every 5 s
	done := make(chan error, 1)
	var samples []model.Sample
	var failed error
	end := 0
	err = source.Run(ctx, func(s model.Sample) {
		samples = append(samples, s)
		if len(samples) == before {
			go func() { done <- vacuum() }()
		}
		select {
		case failed = <-done:
			end = len(samples)
		default:
		}
		if failed != nil || end > 0 && len(samples) >= end+after {
			cancel()
		}
	})
	if failed != nil {
		return nil, failed
	}
	return samples, err
}

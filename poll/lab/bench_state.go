package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/poll/server"
	"github.com/jackc/pgx/v5"
)

// settings are those of a side's server; those of no side, nil, of the one on which the
// state is made.
func (b Bench) settings(major int, side []string) []string {
	return slices.Concat(MeasuredSettings(), meterSettings(major), b.Workload.settings(major, b.Params), b.Settings, side)
}

func (w Workload) settings(major int, p Params) []string {
	if w.Settings == nil {
		return nil
	}
	return w.Settings(major, p)
}

// lastOfEach are settings without those that others overrule.
func lastOfEach(settings []string) []string {
	var out []string
	for _, setting := range settings {
		name, _, _ := strings.Cut(setting, "=")
		out = slices.DeleteFunc(out, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		out = append(out, setting)
	}
	return out
}

// prepare makes the state on a server of its own, and halts that. Nothing is vacuumed
// meanwhile but by the workload itself.
func (b Bench) prepare(ctx context.Context, programs server.Programs) (*server.Server, error) {
	s, err := server.Start(ctx, server.Config{Programs: programs, Settings: append(b.settings(programs.Major, nil), "autovacuum=off", "fsync=off")})
	if err != nil {
		return nil, err
	}
	err = b.load(ctx, s)
	if err == nil {
		err = s.Halt()
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (b Bench) load(ctx context.Context, s *server.Server) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	for _, side := range b.Sides {
		if side.Programs.BinDir != s.BinDir {
			continue
		}
		if err := checkSettings(ctx, conn, side.Settings); err != nil {
			return fmt.Errorf("%s: %w", side.Name, err)
		}
	}
	if b.Workload.Load == nil {
		return nil
	}
	began := time.Now()
	b.Params.Note(fmt.Sprintf("making the state that every run begins with, on PostgreSQL %s", s.Version))
	if err := b.Workload.Load(ctx, s, b.Params); err != nil {
		return err
	}
	b.Params.Note(fmt.Sprintf("made in %.1f s", time.Since(began).Seconds()))
	return nil
}

// checkSettings lets the server say what is wrong with settings before anything is done.
func checkSettings(ctx context.Context, conn *server.Conn, settings []string) error {
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		quoted := pgx.Identifier(strings.Split(strings.TrimSpace(name), ".")).Sanitize()
		if err := execAll(ctx, conn, "alter system set "+quoted+" = '"+strings.ReplaceAll(strings.TrimSpace(value), "'", "''")+"'"); err != nil {
			return err
		}
	}
	return execAll(ctx, conn, "alter system reset all")
}

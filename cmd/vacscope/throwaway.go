package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"example.com/vacscope/poll/server"
	"github.com/spf13/pflag"
)

// throwawayFlags say what throwaway server a command starts, and what becomes of it.
type throwawayFlags struct {
	programs programFlags
	settings []string
	keep     bool
}

func (f *throwawayFlags) add(flags *pflag.FlagSet) {
	f.programs.add(flags)
	flags.StringArrayVarP(&f.settings, "config", "c", nil, "`NAME=VALUE` for the server's postgresql.conf; can be repeated")
	flags.BoolVar(&f.keep, "keep", false, "let the server go on, and say how to connect and how to end it")
}

func (f *throwawayFlags) check() error {
	if err := checkSettings(f.settings); err != nil {
		return err
	}
	return f.programs.check()
}

// checkSettings refuses what is no setting of postgresql.conf, or none that can be chosen.
func checkSettings(settings []string) error {
	for _, setting := range settings {
		if err := server.CheckSetting(setting); err != nil {
			return usageErrorf("-c: %w", err)
		}
	}
	return nil
}

// start starts the server with settings of the command and then those of -c.
func (f *throwawayFlags) start(ctx context.Context, programs server.Programs, settings []string) (*server.Server, error) {
	return server.Start(ctx, server.Config{Programs: programs, Settings: slices.Concat(settings, f.settings), Outlive: f.keep})
}

// stop ends the server or, where it is kept, says how to connect and how to end it.
func (f *throwawayFlags) stop(s *server.Server, messages io.Writer) error {
	if !f.keep || s.Err() != nil {
		return s.Stop()
	}
	fmt.Fprintf(messages, "vacscope: the server goes on: psql -h %s -U %s; to end it and remove its files: kill %d\n",
		s.SocketDir, server.Superuser, s.Helper())
	return nil
}

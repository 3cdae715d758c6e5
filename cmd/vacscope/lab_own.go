package main

import (
	"context"
	"io"

	"example.com/vacscope/poll"
	"example.com/vacscope/poll/server"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/pflag"
)

// ownServerFlags let an experiment work on a server that vacscope did not start.
type ownServerFlags struct {
	connect     connectFlags
	allowCreate bool
	connection  *pflag.FlagSet
}

func (f *ownServerFlags) add(flags *pflag.FlagSet) {
	f.connection = pflag.NewFlagSet("", pflag.ContinueOnError)
	f.connect.add(f.connection)
	f.connection.VisitAll(func(flag *pflag.Flag) {
		flag.Hidden = flag.Name != "dbname"
		onlyWritten(f.connection, flag.Name) // what is written for watching lets nothing be created
	})
	flags.AddFlagSet(f.connection)
	flags.BoolVar(&f.allowCreate, "allow-create", false, "with -d: work on that server, in a schema of its own that is dropped at the end")
	onlyWritten(flags, "allow-create")
}

// check refuses another server unless it is asked for twice, and what goes with a
// throwaway one only.
func (f *ownServerFlags) check(flags *pflag.FlagSet) (err error) {
	if f.given(flags) {
		for _, name := range []string{"pg", "pg-bindir", "fetch", "programs", "config", "keep"} {
			if flags.Changed(name) {
				return usageErrorf("--%s is for a server that vacscope starts, and -d names another one", name)
			}
		}
		return nil
	}
	if f.allowCreate {
		return usageErrorf("--allow-create is for the database that -d names")
	}
	flags.Visit(func(flag *pflag.Flag) {
		if f.connection.Lookup(flag.Name) == flag {
			err = usageErrorf("--%s names a server that vacscope did not start: -d together with --allow-create lets it make a schema there, work in it and drop it", flag.Name)
		}
	})
	return err
}

// given tells whether another server is to be used.
func (f *ownServerFlags) given(flags *pflag.FlagSet) bool {
	return f.allowCreate && flags.Changed("dbname")
}

// schema makes the schema to work in.
func (f *ownServerFlags) schema(ctx context.Context, messages io.Writer) (*server.Schema, error) {
	return connect(ctx, &f.connect, nil, messages, func(ctx context.Context, config *poll.Config) (*server.Schema, error) {
		server.ClearEnvironment() // config has what is needed of it
		return server.CreateSchema(ctx, func(ctx context.Context) (*pgconn.Config, error) { return config.Driver(ctx) })
	})
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/pflag"
)

// connectFlags are psql's connection flags.
type connectFlags struct {
	poll.Flags
	passwordCommand string
	noOthers        bool
}

func (f *connectFlags) add(flags *pflag.FlagSet) {
	flags.StringVarP(&f.Host, "host", "h", "", "`HOST` of the server, or the directory of its socket")
	flags.StringVarP(&f.Port, "port", "p", "", "`PORT` of the server")
	flags.StringVarP(&f.User, "username", "U", "", "`ROLE` to connect as")
	flags.StringVarP(&f.Database, "dbname", "d", "", "database `NAME`, URI, or keywords and values")
	flags.BoolVarP(&f.NoPassword, "no-password", "w", false, "never ask for a password")
	flags.BoolVarP(&f.ForcePassword, "password", "W", false, "ask for a password before connecting")
	flags.StringVar(&f.passwordCommand, "password-command", "", "shell `COMMAND` whose first line is the password, run at each connect")
	flags.BoolVar(&f.noOthers, "no-other-databases", false, "never connect to another database to read the names of its tables")
}

// open connects to the target, the first argument if there is one, to watch it.
func (f *connectFlags) open(ctx context.Context, args []string, options poll.Options, warnings io.Writer) (*poll.Source, error) {
	_, source, err := f.openWith(ctx, args, options, warnings)
	return source, err
}

// openWith is open, with how to connect as it was found out.
func (f *connectFlags) openWith(ctx context.Context, args []string, options poll.Options, warnings io.Writer) (to *poll.Config, source *poll.Source, err error) {
	options.NoOtherDatabases = f.noOthers
	source, err = connect(ctx, f, args, warnings, func(ctx context.Context, config *poll.Config) (*poll.Source, error) {
		to = config
		return poll.Open(ctx, config, options)
	})
	return to, source, err
}

// connect dials the target, the first argument if there is one. A password that is
// needed and not known is asked for on the terminal.
func connect[T any](ctx context.Context, f *connectFlags, args []string, warnings io.Writer, dial func(context.Context, *poll.Config) (T, error)) (connection T, err error) {
	target := ""
	if len(args) > 0 {
		target = args[0]
	}
	config, err := poll.ParseTarget(f.Flags, target)
	if poll.Misused(err) {
		return connection, usageErrorf("%w", err)
	}
	if err != nil {
		return connection, err
	}
	for _, w := range config.Warnings {
		fmt.Fprintf(warnings, "vacscope: %s\n", oneLine(w))
	}
	if f.passwordCommand != "" && f.ForcePassword {
		return connection, usageErrorf("-W asks for a password, and --password-command gives one")
	}
	config.SetPasswordCommand(f.passwordCommand)
	if f.ForcePassword {
		if err := askPassword(ctx, config); err != nil {
			return connection, err
		}
	}
	connection, err = dial(ctx, config)
	if poll.NeedsPassword(err) && !f.NoPassword {
		if err := askPassword(ctx, config); err != nil {
			return connection, err
		}
		connection, err = dial(ctx, config)
	}
	if err != nil {
		return connection, withAdvice(err, target)
	}
	return connection, nil
}

// askPassword asks for the password on the terminal.
func askPassword(ctx context.Context, config *poll.Config) error {
	prompt := fmt.Sprintf("Password for %s at %s: ", model.Text(config.User()).Display(), config.Address())
	password, err := readPassword(ctx, prompt)
	if err != nil {
		return fmt.Errorf("ask for the password: %w", err)
	}
	config.SetPassword(password)
	return nil
}

// withAdvice adds to a failure to connect what the person can do about it.
func withAdvice(err error, target string) error {
	return fmt.Errorf("%w%s", err, adviceFor(err, target))
}

func adviceFor(err error, target string) string {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return "; see vacscope help connecting"
	}
	switch refused.Code {
	case "3D000": // invalid_catalog_name
		if similar := similarCommand(target); similar != "" {
			return fmt.Sprintf(" (did you mean the command %s?)", similar)
		}
		return "; -d or the first argument names the database"
	case "28000", "28P01": // invalid_authorization_specification, invalid_password
		return "; -U names the role, -W asks for its password"
	case "53300": // too_many_connections
		return "; vacscope needs one connection slot"
	}
	return ""
}

// similarCommand is the command whose name was probably meant by a target: a
// misspelt command is taken for a database.
func similarCommand(target string) string {
	root := newRootCommand()
	root.SuggestionsMinimumDistance = 2
	suggestions := root.SuggestionsFor(target)
	if target == "" || len(suggestions) == 0 {
		return ""
	}
	return suggestions[0]
}

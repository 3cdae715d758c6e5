package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// run carries out one command line and returns the exit status.
func run(args []string, stderr io.Writer) int {
	ctx, stop := withSignals(context.Background())
	defer stop()
	root := newRootCommand()
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	// A command that was signalled may have an answer of its own.
	answered := errors.As(err, new(*panicError)) || errors.As(err, new(*exitError))
	if signalled := context.Cause(ctx); signalled != nil && !answered {
		err = signalled
	}
	printError(stderr, err, command.CommandPath())
	return exitStatus(err)
}

// helpWidth is how wide help is, in columns.
const helpWidth = 80

// newRootCommand is the whole command line. Without a command's name it watches.
func newRootCommand() *cobra.Command {
	root := asWatch(&cobra.Command{
		Use:               "vacscope [flags] [TARGET]",
		Short:             "Watch a PostgreSQL VACUUM while it runs",
		Long:              rootHelp(),
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: prepare,
	})
	addHelpFlags(root.PersistentFlags())
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", helpWidth)))
	root.Flags().BoolP("version", "V", false, "print the version, as vacscope version does")
	root.SetVersionTemplate(versionLine())
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageErrorf("%w", plainly(err)) })
	root.SetHelpCommand(newHelpCommand())
	root.AddCommand(newWatchCommand(), newVacuumCommand(), newReplayCommand(), newSnapshotCommand(), newRecordCommand(), newCheckCommand(), newReportCommand(), newDemoCommand(), newLabCommand(), newFetchServersCommand(), newVersionCommand())
	completeValues(root)
	return root
}

// allCommands are the root, its commands and theirs.
func allCommands(root *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{root}
	for _, c := range root.Commands() {
		all = append(all, allCommands(c)...)
	}
	return all
}

// rootHelp is what --help says first.
func rootHelp() string {
	return `Watch a PostgreSQL VACUUM while it runs.

TARGET is a database's name, a connection URI, or keywords and values, as for
psql. Write -- before a name that is also a command.

Topics (vacscope help TOPIC):
` + strings.TrimRight(topicList(), "\n")
}

// addHelpFlags defines --help without its usual -h, which is psql's host, and
// psql's -?.
func addHelpFlags(flags *pflag.FlagSet) {
	flags.Bool("help", false, "show this help")
	flags.BoolP("usage", "?", false, "show this help")
	_ = flags.MarkHidden("usage") // fails only for a flag that is not defined
}

// prepare runs before every command: it answers -? and reads the variables and the
// configuration file.
func prepare(cmd *cobra.Command, args []string) error {
	if asked, _ := cmd.Flags().GetBool("usage"); asked {
		return pflag.ErrHelp
	}
	return settleFlags(cmd, args)
}

// atMostOneTarget accepts the database to connect to.
func atMostOneTarget(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageErrorf("one target is watched, and %d are given: %s", len(args), strings.Join(args, " "))
	}
	return nil
}

// noArguments is for commands that take flags only.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageErrorf("%s takes no argument, and is given %q", cmd.CommandPath(), args[0])
	}
	return nil
}

package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// run carries out one command line and returns the exit status.
func run(args []string, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	err := root.Execute()
	printError(stderr, err)
	return exitStatus(err)
}

// newRootCommand is the whole command line. Without a command's name it watches.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:               "vacscope [flags] [TARGET]",
		Short:             "Watch a PostgreSQL VACUUM while it runs",
		Args:              atMostOneTarget,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return settleFlags(cmd.Flags()) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	addHelpFlags(root.PersistentFlags())
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageErrorf("%w", err) })
	root.AddCommand(newVersionCommand())
	return root
}

// addHelpFlags defines --help without its usual -h, which is psql's host.
func addHelpFlags(flags *pflag.FlagSet) {
	flags.Bool("help", false, "show this help")
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

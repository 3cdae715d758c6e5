package main

import "github.com/spf13/cobra"

// valuesOf are the values of flags that have a few only.
var valuesOf = map[string][]string{
	"format": {formatText, formatJSON},
	"theme":  themes,
}

// completeValues lets the shell complete what flags of the commands can be. No flag
// or argument of theirs is a file, but those that say so.
func completeValues(root *cobra.Command) {
	for _, cmd := range allCommands(root) {
		for name, values := range valuesOf {
			if cmd.Flags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not defined
			}
		}
		if cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

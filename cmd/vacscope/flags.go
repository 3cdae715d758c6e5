package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// envPrefix begins the variables that stand in for flags: VACSCOPE_TICK_RATE for
// --tick-rate.
const envPrefix = "VACSCOPE_"

// neverSettled are the flags that neither a variable nor the configuration file can
// give: they make sense for one call only, or stand for another flag (--json). Of
// --password a variable would be taken for the password itself.
var neverSettled = []string{"help", "usage", "version", "password", "no-password", "json", "no-descriptions"}

// Annotations of flags for which the rule is another.
const (
	writtenOnly  = "only written"
	thoughHidden = "though it is hidden"
)

// onlyWritten makes flags of one command such that neither a variable nor the
// configuration file can give.
func onlyWritten(flags *pflag.FlagSet, names ...string) { annotate(flags, writtenOnly, names) }

// allowHidden lets variables and the configuration file give hidden flags.
func allowHidden(flags *pflag.FlagSet, names ...string) { annotate(flags, thoughHidden, names) }

func annotate(flags *pflag.FlagSet, with string, names []string) {
	for _, name := range names {
		_ = flags.SetAnnotation(name, with, nil) // fails only for a flag that is not defined
	}
}

// canBeSettled tells whether a variable or the configuration file can give a flag.
func canBeSettled(f *pflag.Flag) bool {
	_, only := f.Annotations[writtenOnly]
	_, allowed := f.Annotations[thoughHidden]
	return (!f.Hidden || allowed) && !only && !slices.Contains(neverSettled, f.Name)
}

// variableOf is the name of a flag's variable.
func variableOf(f *pflag.Flag) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// settleFlags gives the flags that were not written their values from elsewhere: a
// flag goes before its variable, that before the configuration file, and that
// before the default. A database named by TARGET goes before all of them.
func settleFlags(cmd *cobra.Command, args []string) error {
	var missing []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		named := f.Name == "dbname" && len(args) > 0 && strings.Contains(cmd.Use, "[TARGET]")
		if canBeSettled(f) && !f.Changed && !named {
			missing = append(missing, f)
		}
	})
	if len(missing) == 0 {
		return nil
	}
	lines, err := readConfig(knownNames(cmd.Root()))
	if err != nil {
		return err
	}
	for _, f := range missing {
		if err := settle(cmd.Flags(), f, lines); err != nil {
			return err
		}
	}
	return nil
}

// settle gives one flag its value from its variable, else from the configuration
// file, where a flag that can be repeated stands on several lines.
func settle(flags *pflag.FlagSet, f *pflag.Flag, lines []configLine) error {
	if value := os.Getenv(variableOf(f)); value != "" {
		if err := flags.Set(f.Name, value); err != nil {
			return usageErrorf("environment variable %s: %w", variableOf(f), plainly(err))
		}
		return nil
	}
	for _, l := range lines {
		if l.name != f.Name {
			continue
		}
		if err := flags.Set(f.Name, l.value); err != nil {
			return usageErrorf("%s: %w", l.place, plainly(err))
		}
	}
	return nil
}

// plainly is the error of a flag's value without the name of the function that read it.
func plainly(err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &invalid) && errors.As(err, &number) {
		return fmt.Errorf("--%s is given %q: %w", invalid.GetFlag().Name, invalid.GetValue(), number.Err)
	}
	return err
}

// knownNames are the flags of all commands that the configuration file can give.
func knownNames(root *cobra.Command) map[string]bool {
	names := map[string]bool{}
	for _, c := range allCommands(root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if canBeSettled(f) {
				names[f.Name] = true
			}
		})
	}
	return names
}

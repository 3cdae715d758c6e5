package main

import (
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// envPrefix begins the variables that stand in for flags: VACSCOPE_TICK_RATE for
// --tick-rate.
const envPrefix = "VACSCOPE_"

// fromEnvironment marks a flag that a variable can give.
const fromEnvironment = "environment"

// allowEnvironment lets variables give the named flags.
func allowEnvironment(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		_ = flags.SetAnnotation(name, fromEnvironment, nil) // fails only for a flag that is not defined
	}
}

// settleFlags gives the flags that were not written their variables' values:
// a flag goes before its variable, and that before the default.
func settleFlags(flags *pflag.FlagSet) error {
	var first error
	flags.VisitAll(func(f *pflag.Flag) {
		if _, ok := f.Annotations[fromEnvironment]; !ok || f.Changed || first != nil {
			return
		}
		name := envPrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := os.Getenv(name)
		if value == "" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			first = usageErrorf("environment variable %s: %w", name, err)
		}
	})
	return first
}

package main

import (
	"fmt"

	"example.com/vacscope/model"
	"github.com/spf13/pflag"
)

// vacuumFlags are the flags of vacscope vacuum: vacuumdb's long options that are
// options of one VACUUM, and this run's settings.
type vacuumFlags struct {
	connect connectFlags
	rates   rateFlags
	record  recordFlags
	history historyFlags
	plan    model.VacuumPlan

	parallel                         int
	forceIndexCleanup, noIndexClean  bool
	noProcessMain, noProcessToast    bool
	noTruncate, readOnly, showNotice bool
}

func (f *vacuumFlags) add(flags *pflag.FlagSet) {
	f.connect.add(flags)
	f.rates.addInterval(flags)
	f.rates.addTickRate(flags)
	f.record.add(flags)
	f.history.add(flags)
	p := &f.plan
	flags.BoolVar(&p.Analyze, "analyze", false, "analyze the table as well")
	flags.StringVar(&p.BufferUsageLimit, "buffer-usage-limit", "", "`SIZE` of the ring of buffers (16+)")
	flags.BoolVar(&p.DisablePageSkipping, "disable-page-skipping", false, "visit every page")
	flags.BoolVar(&f.forceIndexCleanup, "force-index-cleanup", false, "always remove index entries that point to dead rows")
	flags.BoolVar(&p.Freeze, "freeze", false, "freeze all rows that can be")
	flags.BoolVar(&p.Full, "full", false, "rewrite the table, which locks it for everybody")
	flags.BoolVar(&f.noIndexClean, "no-index-cleanup", false, "leave index entries that point to dead rows")
	flags.BoolVar(&f.noProcessMain, "no-process-main", false, "leave the table itself (16+)")
	flags.BoolVar(&f.noProcessToast, "no-process-toast", false, "leave its TOAST table (14+)")
	flags.BoolVar(&f.noTruncate, "no-truncate", false, "leave empty pages at the table's end")
	flags.IntVar(&f.parallel, "parallel", 0, "at most `N` parallel workers for the indexes (0: none)")
	flags.BoolVar(&p.SkipLocked, "skip-locked", false, "leave a table that is locked")
	flags.BoolVar(&f.showNotice, "verbose", false, "print what the server says meanwhile")
	flags.StringVar(&p.CostDelay, "cost-delay", "", "vacuum_cost_delay of this run: a nap's `TIME`, as 2ms")
	flags.StringVar(&p.CostLimit, "cost-limit", "", "vacuum_cost_limit of this run: the cost `N` that a nap is for")
	flags.StringVar(&p.MaintenanceWorkMem, "maintenance-work-mem", "", "`SIZE` of the memory for dead rows, as 1GB")
	flags.StringVar(&p.LockTimeout, "lock-timeout", "",
		"wait at most `TIME` for the table in the server's queue (0: for ever), which cancels an autovacuum of it")
	flags.BoolVar(&f.readOnly, "read-only", false, "change nothing: refuse to run")
	_ = flags.MarkHidden("read-only") // it is every command's, and here it only refuses
	allowHidden(flags, "read-only")
	onlyWritten(flags, "analyze", "disable-page-skipping", "force-index-cleanup", "freeze", "full", "no-index-cleanup",
		"no-process-main", "no-process-toast", "no-truncate", "skip-locked", "lock-timeout") // what one VACUUM does is no habit
	f.refuse(flags)
}

// vacuumdbOnly are vacuumdb's options that are not of one VACUUM, and what to use.
var vacuumdbOnly = map[string]string{
	"all":                "one table is vacuumed, in one database: name them with -d and TABLE",
	"table":              "the table is the argument: vacscope vacuum TABLE",
	"schema":             "one table is vacuumed: name it as SCHEMA.TABLE",
	"exclude-schema":     "one table is vacuumed: name it as SCHEMA.TABLE",
	"analyze-only":       "it runs no VACUUM: use vacuumdb, or ANALYZE in psql",
	"analyze-in-stages":  "it runs no VACUUM: use vacuumdb",
	"missing-stats-only": "it runs no VACUUM: use vacuumdb",
	"jobs":               "one table is vacuumed; --parallel N is for its indexes",
	"min-xid-age":        "one table is vacuumed, whatever its age",
	"min-mxid-age":       "one table is vacuumed, whatever its age",
	"dry-run":            "v on the screen shows a statement before it is sent",
	"echo":               "the statement is always shown before it runs",
	"quiet":              "send standard error to /dev/null",
	"maintenance-db":     "one table is vacuumed: name its database with -d",
}

// refuse makes vacuumdb's other options known, to say what to use in their place.
func (f *vacuumFlags) refuse(flags *pflag.FlagSet) {
	for name := range vacuumdbOnly {
		flags.String(name, "", "")
		flags.Lookup(name).NoOptDefVal = "true"
		_ = flags.MarkHidden(name) // fails only for a flag that is not defined
	}
}

// refused says what to use in place of one of vacuumdb's other options that was given.
// It comes before the arguments are counted: the value of such an option is one.
func refused(flags *pflag.FlagSet) error {
	for name, use := range vacuumdbOnly {
		if flags.Changed(name) {
			return usageErrorf("--%s is vacuumdb's: %s", name, use)
		}
	}
	return nil
}

// settle turns the flags into the plan for a table.
func (f *vacuumFlags) settle(flags *pflag.FlagSet, table string) error {
	if f.forceIndexCleanup && f.noIndexClean {
		return usageErrorf("--force-index-cleanup and --no-index-cleanup exclude each other")
	}
	err := f.record.check()
	if err != nil {
		return err
	}
	p := &f.plan
	if p.Schema, p.Table, err = model.ParseRelationName(table); err != nil {
		return usageErrorf("TABLE is %s: %w", fmt.Sprintf("%q", table), err)
	}
	p.Verbose = true // --verbose is whether its messages are printed
	switch {
	case f.forceIndexCleanup:
		p.IndexCleanup = "on"
	case f.noIndexClean:
		p.IndexCleanup = "off"
	}
	off := func(given bool) model.Opt[bool] {
		if given {
			return model.Some(false)
		}
		return model.None[bool]()
	}
	p.ProcessMain, p.ProcessToast, p.Truncate = off(f.noProcessMain), off(f.noProcessToast), off(f.noTruncate)
	if flags.Changed("parallel") {
		p.Parallel = model.Some(f.parallel)
	}
	return f.rates.check()
}

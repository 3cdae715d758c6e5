package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/lab"
	"github.com/spf13/pflag"
)

// sweepFlags are the flags of vacscope lab sweep.
type sweepFlags struct {
	labFlags
	own ownServerFlags

	indexes, parallel, size, dirty string
	costDelay, costLimit           string
	resume                         string
}

func (f *sweepFlags) add(flags *pflag.FlagSet) {
	f.labFlags.add(flags, 1)
	f.own.add(flags)
	flags.StringVar(&f.indexes, "indexes", "0,1,2,4", "measure with each `NUMBER,...` of indexes")
	flags.StringVar(&f.parallel, "parallel", "0,1,2,4", "measure each degree `N,...` of VACUUM (PARALLEL n)")
	flags.StringVar(&f.size, "size", "50MB", "`SIZE,...` of the table, without indexes")
	flags.StringVar(&f.dirty, "dirty", "10%", "`SHARE` of the rows that is dead")
	flags.StringVar(&f.costDelay, "cost-delay", "", "vacuum_cost_delay of every VACUUM, baseline too: a nap's `TIME`, as 2ms")
	flags.StringVar(&f.costLimit, "cost-limit", "", "vacuum_cost_limit of every VACUUM: the cost `N` that a nap is for")
	flags.StringVar(&f.resume, "resume", "", "note each run in `FILE`, and go on with what is in it")
	onlyWritten(flags, "indexes", "parallel", "size", "dirty", "cost-delay", "cost-limit", "resume")
}

// Bounds of what can be asked for. A server takes longer to plan than to vacuum beyond.
const (
	mostIndexes   = 256
	leastSize     = 1 << 20
	mostPrograms  = 2
	sweepSizeHint = "a size such as 50MB or 1GB, of at least 1MB"
)

// plan checks the flags and makes the plan of them.
func (f *sweepFlags) plan(flags *pflag.FlagSet) (p experiment.SweepPlan, err error) {
	if err := f.labFlags.check(flags); err != nil {
		return p, err
	}
	if err := f.own.check(flags); err != nil {
		return p, err
	}
	if len(f.programs) > mostPrograms {
		return p, usageErrorf("--programs names %d programs, and a sweep compares two: what is measured, and its baseline", len(f.programs))
	}
	if err := f.checkCosts(); err != nil {
		return p, err
	}
	if err := checkSweepFile(f.resume); err != nil {
		return p, err
	}
	p = experiment.SweepPlan{Runs: f.runs, CostDelay: f.costDelay, CostLimit: f.costLimit, Settings: append([]string{}, f.throwaway.settings...)}
	if p.Indexes, err = numberList("indexes", f.indexes, mostIndexes); err != nil {
		return p, err
	}
	if p.Degrees, err = numberList("parallel", f.parallel, lab.MostDegree); err != nil {
		return p, err
	}
	if p.Dirty, err = parseShare(f.dirty); err != nil {
		return p, err
	}
	p.Sizes, err = listOf("size", f.size, sweepSizeHint, func(text string) (model.Bytes, bool) {
		size, ok := parseSize(text)
		return size, ok && size >= leastSize
	})
	return p, err
}

// checkCosts checks the cost settings that are given.
func (f *sweepFlags) checkCosts() error {
	for _, given := range []struct {
		flag, value string
		check       func(string) error
	}{{"cost-delay", f.costDelay, lab.CheckCostDelay}, {"cost-limit", f.costLimit, lab.CheckCostLimit}} {
		if given.value == "" {
			continue
		}
		if err := given.check(given.value); err != nil {
			return usageErrorf("--%s: %w", given.flag, err)
		}
	}
	return nil
}

// numberList reads numbers from 0 to most.
func numberList(flag, text string, most int) ([]int, error) {
	return listOf(flag, text, fmt.Sprintf("a number from 0 to %d", most), func(part string) (int, bool) {
		n, err := strconv.Atoi(part)
		return n, err == nil && n >= 0 && n <= most
	})
}

// listOf reads values that are separated by commas, in ascending order and each once.
func listOf[T int | model.Bytes](flag, text, what string, parse func(string) (T, bool)) ([]T, error) {
	var all []T
	for part := range strings.SplitSeq(text, ",") {
		value, ok := parse(strings.TrimSpace(part))
		if !ok {
			return nil, usageErrorf("--%s is given %q, which is not %s", flag, part, what)
		}
		all = append(all, value)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// parseShare reads a share as "10%" or "10".
func parseShare(text string) (model.Ratio, error) {
	percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
	if err != nil || !(percent >= 0.1 && percent <= 100) {
		return 0, usageErrorf("--dirty is %q, and can be 0.1%% to 100%%", text)
	}
	return model.Ratio(percent / 100), nil
}

// sizeUnits are PostgreSQL's.
var sizeUnits = map[string]float64{"B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}

// parseSize reads a size in PostgreSQL's syntax, with a unit.
func parseSize(text string) (model.Bytes, bool) {
	digits := strings.TrimRight(text, "kMGTB")
	unit, known := sizeUnits[text[len(digits):]]
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if !known || err != nil || !(n > 0 && n*unit < 1<<50) {
		return 0, false
	}
	return model.Bytes(n * unit), true
}

package model

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// FormatCost writes cost settings as people say them: "cost limit 10 at 1 ms".
func (a Allowance) FormatCost() string {
	c, ok := a.Settings.Get()
	if !ok {
		return Absent
	}
	limit := strconv.Itoa(c.Limit)
	if a.Shared > 1 {
		limit = fmt.Sprintf("≈%d (its part of %s among %d workers)", c.Limit, a.LimitFrom, a.Shared)
	}
	return fmt.Sprintf("cost limit %s at %s", limit, FormatDelay(c.Delay))
}

// FormatDelay writes a cost delay, which can be a part of a millisecond.
func FormatDelay(d time.Duration) string {
	return strconv.FormatFloat(InMilliseconds(d), 'g', 4, 64) + " ms"
}

// allowSentence explains a run that is mostly asleep: what its settings allow.
func allowSentence(r *Run) string {
	phase, a := r.Phase(), r.Allows
	share, _ := phase.Delay.Share(phase.ProcessTime, phase.Wall)
	if share.Or(0) < mostlyShare {
		return ""
	}
	rate, seen := a.PerProcess.Get()
	cost, costs := a.Cost.Get()
	switch {
	case !a.Settings.Known() && seen:
		return fmt.Sprintf("The cost settings of its session, not visible from here, allow ≈%s/s.", FormatBytes(rate))
	case !a.Settings.Known() || a.Free != "":
		return ""
	case seen && costs:
		return fmt.Sprintf("%s allows ≈%s/s per process at the ≈%s cost units that a page takes here.",
			sentenceCase(a.FormatCost()), FormatBytes(rate), FormatUnits(cost))
	}
	return cornerSentence(a)
}

// cornerSentence is what the settings allow where the cost of a page is not known.
func cornerSentence(a Allowance) string {
	var kinds []string
	for _, k := range []struct {
		rate Opt[Bytes]
		what string
	}{{a.Cached, "of cached pages"}, {a.Read, "of read ones"}, {a.Dirtied, "of those that become dirty"}} {
		if rate, ok := k.rate.Get(); ok {
			kinds = append(kinds, FormatBytes(rate)+"/s "+k.what)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return sentenceCase(a.FormatCost()) + " allows per process " + strings.Join(kinds, ", ") + "."
}

// FormatUnits writes cost units: whole ones, or with one digit below ten.
func FormatUnits(cost float64) string {
	if cost < 9.95 {
		return strconv.FormatFloat(cost, 'f', 1, 64)
	}
	return strconv.FormatFloat(cost, 'f', 0, 64)
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

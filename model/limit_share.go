package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// LimitShare is how autovacuum's cost limit is divided among its workers, as far as they
// are visible.
type LimitShare struct {
	// Base is the limit that is divided, and From the setting that has it.
	Base int
	From string
	// Sharing are the workers that have a part of it, by pid; an ANALYZE has one as well.
	Sharing []int32
	// Exempt are those at work on a table with cost options of its own, which take no
	// part in it.
	Exempt []int32
	// Unread is how many of Sharing work on a table whose options cannot be read from
	// here: they may be exempt.
	Unread int
	// StartedWith tells that a running worker never gets more than the limit it started
	// with, which is not visible (before 16).
	StartedWith bool
}

// Each is the part of every sharing worker: the base by their number, rounded down,
// and never less than 1. On 13 to 15 the server balances limit by delay, which is the
// same where they share one delay.
func (b LimitShare) Each() int { return b.among(len(b.Sharing)) }

func (b LimitShare) among(n int) int { return max(1, b.Base/max(1, n)) }

// part is Each as it is written: an estimate where it is divided, as not all that a
// worker goes by is visible.
func (b LimitShare) part() string { return mark(len(b.Sharing) > 1, strconv.Itoa(b.Each())) }

// Sentences are the arithmetic, who takes part, and what other settings would give.
func (b LimitShare) Sentences() []string {
	n := len(b.Sharing)
	out := []string{fmt.Sprintf("%s %d / %s (%s) = %d each", b.From, b.Base, FormatCounted(n, "worker", "workers"), pidList(b.Sharing), b.Each())}
	if b.Unread > 0 {
		out[0] = "≈ " + out[0] + fmt.Sprintf(", or more: the options of %s cannot be read from here", FormatCounted(b.Unread, "table", "tables"))
	}
	if len(b.Exempt) > 0 {
		out = append(out, "not in it: "+pidList(b.Exempt)+", whose tables have cost options of their own")
	}
	if b.StartedWith {
		out = append(out, "a running worker never gets more than it started with (before 16)")
	}
	return append(out, fmt.Sprintf("with another worker: %d each, and together no more; with twice the limit: %d each", b.among(n+1), max(1, 2*b.Base/max(1, n))))
}

func pidList(pids []int32) string {
	const most = 8
	var out []string
	for _, pid := range pids[:min(len(pids), most)] {
		out = append(out, fmt.Sprint(pid))
	}
	if len(pids) > most {
		out = append(out, fmt.Sprintf("%d more", len(pids)-most))
	}
	return "pid " + strings.Join(out, ", ")
}

// limitShare finds the workers of autovacuum among which a limit is divided.
func (t *Tracker) limitShare(base int, from string) *LimitShare {
	b := &LimitShare{Base: base, From: from, StartedWith: t.server.VersionNum < 160000}
	for pid, proc := range t.sessions {
		if proc.BackendType.Or("") != autovacuumWorker || proc.Progress == nil {
			continue
		}
		rel, known := t.relation(proc.DatID.Or(0), proc.Progress.RelID)
		if !known {
			b.Unread++
		}
		if known && ownCosts(rel.autovacuumOptions()) {
			b.Exempt = append(b.Exempt, pid)
			continue
		}
		b.Sharing = append(b.Sharing, pid)
	}
	slices.Sort(b.Sharing)
	slices.Sort(b.Exempt)
	return b
}

// ownCosts tells whether a table has cost options of its own: its worker takes no part
// in the division.
func ownCosts(options []Text) bool {
	_, delay := optionNumber(options, "autovacuum_vacuum_cost_delay")
	_, limit := optionNumber(options, "autovacuum_vacuum_cost_limit")
	return delay || limit
}

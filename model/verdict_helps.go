package model

import (
	"fmt"
	"strings"
	"time"
)

// mostLimit is the largest value of the settings of the cost limit.
const mostLimit = 10000

// judgeDelay finds a run that is mostly asleep on purpose.
func judgeDelay(s *Snapshot, r *Run) (Finding, bool) {
	t, ofRun, ok := r.judged()
	asleep := t.Of[ClassDelay]
	if !ok || asleep < mostlyShare {
		return Finding{}, false
	}
	f := Finding{Sentence: fmt.Sprintf("It is asleep %s of its time.", mark(t.DelayEstimated, FormatPercent(asleep)))}
	if ofRun {
		f.Sentence = fmt.Sprintf("It was asleep %s of all its time.", mark(t.DelayEstimated, FormatPercent(asleep)))
	}
	change, name := r.lessSleep()
	if r.Allows.LimitOfTable || r.Allows.DelayOfTable {
		change = "The table's " + change
	}
	f.Helps = fmt.Sprintf("%s would let the same work take ≈%s of the time.", change, FormatPercent(1-(1-tenth)*asleep))
	if r.End == nil {
		f.Helps = strings.TrimSuffix(f.Helps, ".") + r.takesEffect(name, s.Server.VersionNum) + "."
	} else {
		f.Sentence = "" // the sentence on its end says it
	}
	return f, true
}

// takesEffect says in brackets whether this run takes a cost setting of the server or
// of its table over; "" where who started it is not visible.
func (r *Run) takesEffect(name string, versionNum int) string {
	scope := ScopeServer
	if r.Allows.LimitOfTable || r.Allows.DelayOfTable {
		scope = ScopeTable
	}
	follows, known := Follows(Change{Scope: scope, Name: name, Table: r.TableName()}, r, versionNum).Follows.Get()
	switch {
	case !r.StartedBy.Known():
		return ""
	case !known:
		return " (before 16 only its next run follows)"
	case follows:
		return " (this run follows a reload)"
	case scope == ScopeTable:
		return " (its next run: the table's own are read when it begins)"
	}
	return " (a new run: this one keeps its settings)"
}

// lessSleep is the change that leaves a tenth of the sleep, and its setting: of the
// limit, or where that goes no higher, or says little as naps are cut, of the delay.
// Where the value in force is visible the change is the new one.
func (r *Run) lessSleep() (change, setting string) {
	prefix := "autovacuum_vacuum_cost_"
	if r.StartedBy.Or(ByManual) == ByManual {
		prefix = "vacuum_cost_"
	}
	c, known := r.Allows.Settings.Get()
	limit := c.Limit * max(1, r.Allows.Shared) // as it stands in the configuration
	naps := r.Allows.Observed.Known() && !r.Allows.Cost.Known()
	switch {
	case !known:
		return "Ten times " + prefix + "limit", prefix + "limit"
	case limit > mostLimit*tenth || naps:
		return prefix + "delay = " + strings.ReplaceAll(FormatDelay(time.Duration(float64(c.Delay)*tenth)), " ", ""), prefix + "delay"
	}
	return fmt.Sprintf("%slimit = %d", prefix, int(float64(limit)/tenth)), prefix + "limit"
}

// judgeBalance finds a parallel pass over the indexes in which processes have nothing
// to do for a large part of it.
func judgeBalance(_ *Snapshot, r *Run) (Finding, bool) {
	b, ok := r.Balance().Get()
	if !ok || b.Wall < leastJudged || b.Busy() >= leastBusy {
		return Finding{}, false
	}
	f := Finding{Sentence: fmt.Sprintf("Workers unbalanced: leader and %s are at work for ≈%s of the index pass, on average.",
		workers(b.Workers), FormatPercent(b.Busy()))}
	f.Helps = r.moreWorkers(b.Workers)
	return f, true
}

func workers(n int) string { return FormatCounted(n, "worker", "workers") }

// moreWorkers says what more workers than those launched would bring; "" where the
// indexes are not known.
func (r *Run) moreWorkers(launched int) string {
	var all, largest float64
	var name Text
	for _, ix := range r.Indexes {
		pages := float64(ix.RelPages)
		if all += pages; pages > largest {
			largest, name = pages, ix.Name
		}
	}
	n := len(r.Indexes)
	if all == 0 || r.temporary() {
		return ""
	}
	// An index that is more than one process's even part bounds the pass.
	if share := Ratio(largest / all); float64(share) > 1/float64(1+launched) && share >= mostlyShare {
		return fmt.Sprintf("Index %s is ≈%s of all and one process's work: more workers would not shorten the pass.", name.Display(), FormatPercent(share))
	}
	now := Rounds(n, launched)
	enough, ok := workersFor(n, launched).Get()
	if !ok {
		return fmt.Sprintf("More workers would not shorten it: the busiest process has %d of %d indexes.", now, n)
	}
	then := Rounds(n, enough)
	return fmt.Sprintf("With %s the busiest process has %d of %d indexes, not %d: ≈%s of the time of a pass, in its next run.",
		workers(enough), then, n, now, FormatPercent(Ratio(then)/Ratio(now)))
}

// judgeWorkers finds a run with fewer workers than were asked for or planned.
func judgeWorkers(_ *Snapshot, r *Run) (Finding, bool) {
	sentence := parallelSentence(r)
	launched, seen := r.Parallel.Launched.Get()
	if sentence == "" || !seen || r.Watched() < leastJudged {
		return Finding{}, false
	}
	return Finding{Sentence: sentence, Helps: r.moreWorkers(launched)}, true
}

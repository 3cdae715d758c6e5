package model

import (
	"fmt"
	"slices"
	"time"
)

// The thresholds of the verdict.
const (
	// mostlyShare of the process-time is most of it; from partlyShare on, the largest
	// part is named as that.
	mostlyShare = 0.5
	partlyShare = 0.2
	// leastBusy is the part of a parallel pass that its processes are at work in it, on
	// average, below which they are unbalanced. That indexes do not divide evenly is
	// usual: 4 of a size among 3 processes keep them busy for 2/3.
	leastBusy = 0.6
	// leastJudged is for how long a phase, pass or run must have been seen before it is
	// judged: at 20 samples a second a share is then known to about a tenth.
	leastJudged = 5 * time.Second
	// tenth is how much of the sleep the change leaves that is proposed against it.
	tenth = 0.1
)

// Rule is one line of the table by which a verdict is given.
type Rule struct {
	Name   string // what the rule finds
	When   string // from when on it is found
	Helps  string // what helps against it, and how the effect is predicted
	Source string // where the threshold and the effect come from
	judge  func(*Snapshot, *Run) (Finding, bool)
}

// Finding is what a rule found of a run. Its sentences are safe to print, and what
// is an estimate in them is marked ≈.
type Finding struct {
	Rule     string // Rule.Name
	Sentence string // what it is, with its figures
	Helps    string // the change that would help, with its predicted effect; "" where none is known
}

// Rules are all that can be found of a run, what a person should act on first at
// the top. It is the order in which Verdict says them.
func Rules() []Rule {
	mostly, partly := FormatPercent(mostlyShare), FormatPercent(partlyShare)
	fromSamples := "share of the samples, each weighed by the time since the one before; of the phase, and where that was not seen for " + FormatDuration(leastJudged) + " of the run"
	bound := "at most the share is saved: without these waits the same work takes 1 - share of the time"
	return []Rule{
		{"held by a pin", "a process waits for a page that another session uses, for " + FormatDuration(leastHeldUp) + " or longer at one place",
			"the end of that session's transaction; the server names nobody, so there are suspects only", "wait events BufferPin (to 18) and Buffer/BufferCleanup (19)", judgeHeld(HeldCleanup)},
		{"truncation waits", "the empty end of the table is to be cut off while others use the table",
			"nothing: it gives up after " + FormatDuration(truncateGivesUp) + ", and the next vacuum tries again", "vacuumlazy.c, 13 to 19", judgeHeld(HeldTruncate)},
		{"passes repeated", "the memory for dead rows does not hold them all, so that the indexes are passed more than once",
			"memory that holds them in one pass: it spares the passes after the first, at their mean length so far", "fill of the memory projected to the scan's end, from 10 % of the scan on (to 16 the memory ends at 1 GB)", judgePasses},
		{classRule[ClassDelay], "asleep on purpose for " + mostly + " of the process-time or more",
			"ten times the cost limit: asleep share / 10, the work stays; a tenth of the delay where the limit is at its end (10,000) or naps are cut at 4 delays", "delay_time (18 and newer) or samples of VacuumDelay; a nap is delay x balance / limit (vacuum.c)", judgeDelay},
		{classRule[ClassLock], "it waits for locks and pages in use for " + partly + " of the process-time or more, without standing still",
			"what the lock waits show; " + bound, fromSamples, judgeClass(ClassLock)},
		{"workers unbalanced", "the processes of a parallel pass over the indexes are at work for less than " + FormatPercent(leastBusy) + " of it, on average (life of the workers, and the leader's time outside of ParallelFinish)",
			"more workers, where the busiest process has fewer indexes then: ceil(indexes / (1 + workers)). One index is one process's work", "life of the workers within the pass; parallel vacuum gives a whole index to a process (vacuumparallel.c)", judgeBalance},
		{fewerWorkers, "fewer workers launched than asked for or planned",
			"the setting named, where the busiest process has fewer indexes then: ceil(indexes / (1 + workers))", "the statement, the settings, the sizes of the indexes, the workers seen", judgeWorkers},
		{classRule[ClassWAL], "it writes or waits for WAL for " + mostly + " of the process-time or more",
			"faster storage for WAL, larger max_wal_size (fewer full pages), wal_compression; " + bound, fromSamples, judgeClass(ClassWAL)},
		{classRule[ClassIO], "it waits for reads and writes of data for " + mostly + " of the process-time or more",
			"faster storage, vacuum_buffer_usage_limit (16), maintenance_io_concurrency (18); " + bound, fromSamples, judgeClass(ClassIO)},
		{classRule[ClassLWLock], "it waits for lightweight locks for " + partly + " of the process-time or more",
			"fewer processes at the same; " + bound, fromSamples, judgeClass(ClassLWLock)},
	}
}

// Findings are what the rules find of a run, in their order. None of a run that is
// healthy, or that was seen too briefly to judge.
func Findings(s *Snapshot, r *Run) []Finding {
	if r.State == StateHidden || r.State == StateWaiting || r.Phase() == nil {
		return nil
	}
	var found []Finding
	for _, rule := range Rules() {
		if f, ok := rule.judge(s, r); ok {
			f.Rule = rule.Name
			found = append(found, f)
		}
	}
	return found
}

// judged is the division that a verdict goes by: that of the phase, or of the whole
// run where it has ended or the phase was not seen for long enough; false where
// the run was not either.
func (r *Run) judged() (t TimeShares, ofRun, ok bool) {
	if r.End == nil {
		if t, ok = r.Phase().Shares().Get(); ok && t.Wall >= leastJudged {
			return t, false, true
		}
	}
	t, ok = r.Shares().Get()
	return t, true, ok && t.Wall >= leastJudged
}

func judgeHeld(kind HeldKind) func(*Snapshot, *Run) (Finding, bool) {
	return func(s *Snapshot, r *Run) (Finding, bool) {
		sentences := heldSentences(s, s.NameOf(r), r)
		if sentences == nil || r.HeldUp.Kind != kind || r.End != nil {
			return Finding{}, false
		}
		return Finding{Sentence: sentences[0], Helps: sentences[1]}, true
	}
}

// judgeClass finds a run that spends a large part of its time in one class of waits.
func judgeClass(class Class) func(*Snapshot, *Run) (Finding, bool) {
	return func(s *Snapshot, r *Run) (Finding, bool) {
		t, ofRun, ok := r.judged()
		if !ok || t.Of[class] < classLeast[class] || class == ClassLock && r.HeldUp != nil {
			return Finding{}, false
		}
		share := "≈" + FormatPercent(t.Of[class])
		sentence := fmt.Sprintf("%s of its time it %s.", share, classVerb[class])
		if ofRun {
			sentence = fmt.Sprintf("%s of all its time went by as it %s.", share, classPast[class])
		}
		return Finding{Sentence: sentence, Helps: fmt.Sprintf(classHelp(class, s.Server.VersionNum), FormatPercent(t.Of[class]))}, true
	}
}

// inTimeSentence tells that a finding is what timeSentence says of a run.
func inTimeSentence(f Finding, r *Run) bool {
	if r.End != nil || r.Phase() == nil || heldLong(r, r.LastSeen) {
		return false
	}
	shares, seen := r.Phase().Shares().Get()
	top, share := shares.Top()
	return seen && share >= partlyShare && f.Rule == classRule[top]
}

// ofTime tells that the finding says where the time goes.
func (f Finding) ofTime() bool { return slices.Contains(classRule[:], f.Rule) }

// fewerWorkers is the rule on workers that were not launched.
const fewerWorkers = "fewer workers"

// classRule are the rules on a class of samples.
var classRule = [Classes]string{
	ClassDelay: "delay-bound", ClassLock: "lock waits", ClassWAL: "WAL-bound", ClassIO: "I/O-bound", ClassLWLock: "lightweight locks",
}

// classLeast is from which share on a class of waits is found.
var classLeast = [Classes]Ratio{ClassLock: partlyShare, ClassWAL: mostlyShare, ClassIO: mostlyShare, ClassLWLock: partlyShare}

// classVerb says what a process does in a class of samples, classPast what it did.
var classVerb = [Classes]string{
	ClassDelay:  "is asleep",
	ClassLock:   "waits for others to let go of a lock or a page",
	ClassWAL:    "writes or waits for WAL",
	ClassIO:     "reads and writes data",
	ClassLWLock: "waits for lightweight locks",
	ClassLeader: "waits for its workers",
	ClassCPU:    "runs on a CPU",
	ClassOther:  "waits for something else",
}

var classPast = [Classes]string{
	ClassLock:   "waited for others to let go of a lock or a page",
	ClassWAL:    "wrote or waited for WAL",
	ClassIO:     "read and wrote data",
	ClassLWLock: "waited for lightweight locks",
}

// classHelp is what helps against a class of waits, with the place for how much of the
// time it saves at most.
func classHelp(class Class, versionNum int) string {
	switch class {
	case ClassLock:
		return "The sessions in its way stand among the lock waits: without them ≈%s of the time would be saved."
	case ClassWAL:
		return "Faster storage for WAL, a larger max_wal_size or wal_compression would save at most ≈%s of the time."
	case ClassLWLock:
		return "Fewer processes at work at the same time would save at most ≈%s of the time."
	case ClassIO:
		if versionNum >= firstWithRing {
			return "Faster storage, or in its next run a larger vacuum_buffer_usage_limit, would save at most ≈%s of the time."
		}
	}
	return "Faster storage would save at most ≈%s of the time."
}

// firstWithRing is the first version with vacuum_buffer_usage_limit.
const firstWithRing = 160000

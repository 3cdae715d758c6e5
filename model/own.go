package model

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Own is what is known of a run only because this program started it.
type Own struct {
	// Settings are those that govern its work, as its session has them; the Source
	// of those that were set for it is "session".
	Settings []Setting
	// Result is how its statement ended; nil while it runs.
	Result *Result
}

// OwnApplication is the application_name of the sessions in which this program runs a
// VACUUM, by which a later start finds one again.
const OwnApplication = "vacscope vacuum"

// earlierSentence says of a run that an earlier start of this program, or another one,
// sent it.
func earlierSentence(r *Run) string {
	if r.Own != nil || r.ApplicationName.Or("") != OwnApplication {
		return ""
	}
	return "vacscope sent it, in an earlier start or another one."
}

// Result is how a statement ended that this program sent.
type Result struct {
	// How is EndCompleted, EndCancelled, EndFailed, or EndNotVisible when the
	// connection was lost before the server answered.
	How      Ending `json:"how,omitzero"`
	SQLState string `json:"sqlstate,omitzero"` // "" when it completed
	Message  Text   `json:"message,omitzero"`  // the server's, or why there is none; "" when it completed
}

// Launch is how many workers an index phase planned and launched, by the server's
// own notice.
type Launch struct {
	Planned  int `json:"planned"`
	Launched int `json:"launched"`
}

// ReadLaunch reads how many workers an index phase launched of how many planned from
// what the server says: the two numbers of the one message that has them. Severity and
// routine are as in the source; the message's words are translated.
func ReadLaunch(severity, routine, message string) (Launch, bool) {
	if !strings.Contains(routine, "parallel") || severity != "INFO" {
		return Launch{}, false
	}
	var numbers []int
	for word := range strings.FieldsFuncSeq(message, func(r rune) bool { return r < '0' || r > '9' }) {
		if v, err := strconv.Atoi(word); err == nil {
			numbers = append(numbers, v)
		}
	}
	if len(numbers) != 2 {
		return Launch{}, false
	}
	return Launch{Planned: max(numbers[0], numbers[1]), Launched: min(numbers[0], numbers[1])}, true
}

// ownStatement is a statement that this program sent, from its start until a while
// after its end. Its process cannot be another one's meanwhile: the connection is ours.
type ownStatement struct {
	Own
	since  time.Time
	ended  time.Time // zero while it runs
	launch Opt[Launch]
	// notices are what the server said meanwhile, at most maxNotices.
	notices []Event
}

// ownKept is how long a statement's end is remembered: its runs go out of sight
// within a beat or two.
const ownKept = 10 * time.Second

// ownEvent takes what happened to a statement of this program.
func (t *Tracker) ownEvent(e Event) {
	own := make(map[int32]ownStatement, len(t.own)+1) // a clone shares the old one
	for pid, o := range t.own {
		if o.ended.IsZero() || e.At.Sub(o.ended) < ownKept {
			own[pid] = o
		}
	}
	t.own = own
	if e.Kind == EventStarted {
		own[e.PID] = ownStatement{Own: Own{Settings: e.Settings}, since: e.At}
		return
	}
	if o, ok := own[e.PID]; ok {
		own[e.PID] = o.with(e)
	}
}

// with is the statement after something happened to it.
func (o ownStatement) with(e Event) ownStatement {
	switch e.Kind {
	case EventLaunched:
		if e.Launch != nil {
			o.launch = Some(*e.Launch)
		}
	case EventNotice:
		notices := append(slices.Clone(o.notices), e)
		o.notices = notices[max(0, len(notices)-maxNotices):]
	case EventEnded:
		o.Result, o.ended = e.Result, e.At
	}
	return o
}

// ownOf finds what this program knows of a run that it started.
func (t *Tracker) ownOf(r *Run) (ownStatement, bool) {
	o, ok := t.own[r.Key.PID]
	if !ok || r.LastSeen.Before(o.since.Add(-t.watch.Interval)) {
		return ownStatement{}, false
	}
	return o, true
}

// describeOwn adds to an active run what is known because this program started it.
func (t *Tracker) describeOwn(r *runState) {
	o, mine := t.ownOf(&r.run)
	if !mine {
		return
	}
	own := o.Own
	r.run.Own, r.run.Notices = &own, o.notices
	launch, said := o.launch.Get()
	if !said || !r.run.indexPhaseSeen() {
		return
	}
	p := &r.run.Parallel
	p.Planned, p.PlannedExact, p.Launched = Some(launch.Planned), true, Some(launch.Launched)
}

// ownResult is how the server said that a run of this program ended; absent for
// others, and until the answer is there. A statement that failed had completed the
// relations before the last one: of those the counts tell.
func (t *Tracker) ownResult(run *Run) (Result, bool) {
	o, mine := t.ownOf(run)
	if !mine || o.Result == nil {
		return Result{}, false
	}
	if o.Result.How != EndCompleted && t.laterRun(run) {
		return Result{}, false
	}
	return *o.Result, true
}

// laterRun tells whether the run's statement went on to another relation.
func (t *Tracker) laterRun(run *Run) bool {
	for _, o := range t.ended {
		if o == run {
			return false
		}
		if o.Key.PID == run.Key.PID && o.Key.StatementStart.Equal(run.Key.StatementStart) {
			return true
		}
	}
	return false
}

// CostsOf are the cost settings of a VACUUM's session, by its settings; absent where
// they are not all there.
func CostsOf(settings []Setting) Opt[CostSettings] {
	delay, ok := settingNumber(settings, "vacuum_cost_delay")
	limit, both := settingNumber(settings, "vacuum_cost_limit")
	if !ok || !both {
		return None[CostSettings]()
	}
	return Some(CostSettings{Delay: Milliseconds(delay), Limit: max(1, int(limit))})
}

// costs takes the cost settings of the session that this program opened for a run.
func (o *Own) costs(a *Allowance) bool {
	costs, known := CostsOf(o.Settings).Get()
	if !known {
		return false
	}
	a.DelayFrom, a.LimitFrom = "vacuum_cost_delay", "vacuum_cost_limit"
	if costs.Delay == 0 {
		a.Free = "vacuum_cost_delay is 0"
	}
	a.Settings = Some(costs)
	return true
}

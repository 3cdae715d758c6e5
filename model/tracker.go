package model

import (
	"slices"
	"time"
)

// Bounds of what a Tracker keeps.
const (
	maxEndedFull  = 200  // ended runs kept whole
	maxEndedLines = 2000 // ended runs kept as a line (no spans, no processes)
	maxParts      = 1000 // of them, runs of one command
	maxSpans      = 64   // spans of a run; older ones are merged by phase
	maxUnnamed    = 500  // how many of the last ended runs may still get their name
	maxNotes      = 20
	maxNotices    = 200 // messages of a run; the latest
	noteAge       = time.Minute
	maxCommands   = 500 // statements of this program
)

// Tracker folds samples into snapshots. The zero Tracker is ready. It is a value:
// Clone makes an independent one, at the cost of the active runs only.
type Tracker struct {
	seq         uint64
	at          time.Time // server clock of the last poll that succeeded
	previous    time.Time // of the one before it; zero for none or after a gap
	server      Server
	watch       Watch
	link        Link
	settings    []Setting       // by name
	settingsAt  time.Time       // when they were read
	changes     []SettingChange // the last one first
	databases   []Database
	lastVacuums []LastVacuum
	wal         Opt[uint64] // position of the last poll
	walBefore   Opt[uint64] // of the one before it; absent for none or after a gap
	horizon     *Horizon    // as last read
	queueRead   *QueueRead  // as last read, at queueAt
	queueAt     time.Time
	queue       *Queue      // what queueRead means with settings
	ids         []idReading // the next ids over the last minutes
	databasesAt idReading   // the next ids when databases was read
	relations   map[relationKey]knownRelation
	priors      map[relationKey]*Prior
	counted     Opt[LockTotals] // since the watching began
	countedTo   Opt[LockTotals] // as last read
	// nameMissing is why relations of a database have no name; of those in sight.
	nameMissing map[uint32]string
	active      []*runState
	ended       []*Run
	analyzes    []Analyze
	groups      []*groupState
	pastGroups  []*Group // the last one first
	lastGroup   uint64   // ID
	waits       []LockWait
	pastWaits   []LockWait
	sessions    map[int32]Process      // the processes of this poll, by pid
	departed    map[int32]Process      // those of the poll before it
	own         map[int32]ownStatement // by pid; at most one a connection of ours, see ownKept
	commands    []Event                // what this program sent, the last one first
	io          *readIO                // the last reading of what the server counted of reads and writes
	ioBefore    *readIO                // the one before it
	cached      []CachedRead           // the first reading of shared buffers, and the last
	notes       []Event
	caption     *Caption // what a demonstration shows; nil: there is none
	problems    []Problem
	gap         bool // watching was interrupted since the last poll
	blind       bool // the last poll could not read the activity
}

// Clone returns an independent tracker in the same state.
func (t *Tracker) Clone() *Tracker {
	c := *t
	c.active = make([]*runState, len(t.active))
	for i, r := range t.active {
		c.active[i] = r.clone()
	}
	c.groups = make([]*groupState, len(t.groups))
	for i, g := range t.groups {
		group := *g
		c.groups[i] = &group
	}
	return &c
}

// Step folds one sample and returns what all samples so far mean. The sample's
// slices may be kept.
func (t *Tracker) Step(s Sample) *Snapshot {
	t.seq = s.Seq
	if s.Poll != nil || len(s.Problems) > 0 { // else nothing was read
		t.problems = s.Problems
	}
	for _, e := range s.Events {
		t.event(e)
	}
	t.link.AskedAt = s.AskedAt
	if p := s.Poll; p != nil {
		t.begin(s.At, p)
		for _, tick := range s.Ticks {
			t.tick(tick)
		}
		if t.blind = p.Processes == nil; !t.blind {
			t.poll(s, p)
		}
	}
	for _, r := range t.active {
		r.missed(s.TicksMissed)
	}
	t.forgetNotes(s.At)
	return t.snapshot(s)
}

// event takes what did not come from a poll.
func (t *Tracker) event(e Event) {
	switch e.Kind {
	case EventLost:
		t.link = Link{Lost: true, Since: e.At, Reason: e.Text}
		t.gap = true
	case EventRetry:
		t.link.Lost, t.gap = true, true
		t.link.Attempts++
		t.link.NextTry, t.link.Reason = e.Until, e.Text
	case EventConnected:
		t.link = Link{}
	case EventStarted, EventLaunched, EventNotice, EventEnded:
		t.ownEvent(e)
	case EventPrior:
		if e.Prior != nil {
			t.learnPrior(*e.Prior)
		}
	case EventCommand:
		t.commands = append([]Event{e}, t.commands[:min(len(t.commands), maxCommands-1)]...)
	case EventCached:
		t.readCached(e)
	case EventCaption:
		t.caption = e.Caption
	case EventNote:
		t.notes = append(slices.Clone(t.notes), e)
		if len(t.notes) > maxNotes {
			t.notes = t.notes[1:]
		}
	}
}

func (t *Tracker) forgetNotes(now time.Time) {
	for len(t.notes) > 0 && now.Sub(t.notes[0].At) > noteAge {
		t.notes = t.notes[1:]
	}
}

// begin takes the parts of a poll that the ticks before it need as well.
func (t *Tracker) begin(at time.Time, p *Poll) {
	before, now := t.server.StartedAt, p.Server.StartedAt // zero where the role may not know
	another := t.server.SystemIdentifier != p.Server.SystemIdentifier
	restarted := !before.IsZero() && !now.IsZero() && !now.Equal(before)
	if restarted || t.gap {
		t.previous = time.Time{}
	}
	t.server, t.watch = p.Server, p.Watch
	t.walBefore, t.wal = t.wal, p.WALPosition
	if t.previous.IsZero() {
		t.walBefore = None[uint64]()
	}
	if p.Settings != nil {
		t.settingsRead(at, p.Settings)
	}
	if p.Relations != nil {
		t.learn(at, p.Relations)
	}
	t.countWaits(p.LockTotals)
	t.countIO(at, p.IO)
	t.nameMissing = nil
	for _, d := range p.Unreadable {
		if t.nameMissing == nil {
			t.nameMissing = map[uint32]string{}
		}
		t.nameMissing[d.DatID] = d.Reason.Display()
	}
	if p.LastVacuums != nil {
		t.lastVacuums = p.LastVacuums
	}
	if p.Horizon != nil {
		t.horizon = newHorizon(at, p.Horizon)
	}
	t.readQueue(at, p)
	if p.Databases != nil {
		t.databases = p.Databases
	}
	t.countIDs(at, p)
	if n := len(t.ids); p.Databases != nil && n > 0 {
		t.databasesAt = t.ids[n-1]
	}
	if p.Processes != nil {
		t.departed, t.sessions = t.sessions, make(map[int32]Process, len(p.Processes))
	}
	for _, proc := range p.Processes {
		t.sessions[proc.PID] = proc
	}
	if restarted {
		t.endAll(p.Server.StartedAt, another)
	}
}

// poll takes the rest of a poll.
func (t *Tracker) poll(s Sample, p *Poll) {
	t.analyzes = nil
	for _, proc := range p.Processes {
		t.process(s.At, proc, p)
	}
	t.nameActive()
	t.groupRuns(s.At, p)
	t.endMissing(s.At)
	t.closeGroups(s.At)
	t.present(s.At, p)
	t.holdUp(s.At, p)
	t.describe(s.At)
	t.lockWaits(s.At, p)
	t.judge(s.At)
	t.rememberAfter(s.At)
	t.rememberKeepers(s.At)
	t.remember()
	t.previous, t.at, t.gap = s.At, s.At, false
}

func (t *Tracker) previousOr(def time.Time) time.Time {
	if t.previous.IsZero() {
		return def
	}
	return t.previous
}

// analyze describes one row of pg_stat_progress_analyze.
func (t *Tracker) analyze(proc Process) Analyze {
	a := Analyze{Half: isHalf(proc), PID: proc.PID, DatID: proc.DatID.Or(0), Database: proc.Database.Or(""), Progress: *proc.Progress, StartedAt: proc.StatementStart}
	if rel, ok := t.relation(a.DatID, proc.Progress.RelID); ok {
		a.Schema, a.Table = Some(rel.Schema), Some(rel.Name)
	} else if name, ok := AutovacuumTarget(proc.Query.Or("")); ok {
		a.Schema, a.Table = Some(name.Schema), Some(name.Name)
	}
	return a
}

// nameActive names the runs in sight.
func (t *Tracker) nameActive() {
	for _, r := range t.active {
		t.name(&r.run)
	}
}

// describe fills in what the catalog and the settings say of the active runs.
func (t *Tracker) describe(at time.Time) {
	for _, r := range t.active {
		if rel, known := t.name(&r.run); known {
			r.run.rememberCount(rel)
			r.rememberBefore(rel)
		}
		r.run.rememberKeeper(t.horizon, at)
		r.run.Watch = t.watch
		r.countWAL(t.wal)
		r.run.Parallel = parallelOf(&r.run, r.launched, t.settings)
		before := r.run.Failsafe
		if r.run.Failsafe = t.failsafe(r); r.run.Failsafe != nil && before == nil {
			r.sleepsNoMore()
		}
		t.describeOwn(r)
		t.allow(r)
		if r.run.LastSeen.Equal(at) {
			r.shareRead(at, r.run.Allows.Share)
		}
		r.followChanges()
		r.standStill(at)
		r.run.Whole = t.whole(r)
	}
}

func bySettingName(a, b Setting) int {
	switch {
	case a.Name < b.Name:
		return -1
	case a.Name > b.Name:
		return 1
	}
	return 0
}

// snapshot publishes the state. Nothing in it is written again.
func (t *Tracker) snapshot(s Sample) *Snapshot {
	snap := &Snapshot{
		Seq: s.Seq, At: t.at, Server: t.server, Watch: t.watch, Link: t.link,
		Settings: t.settings, Ended: t.ended, Groups: t.publishGroups(), Analyzes: t.analyzes, LockWaits: t.waits, PastWaits: t.pastWaits,
		CountedWaits: t.counted, Problems: t.problems, Blind: t.blind, Notes: t.notes, Caption: t.caption, Commands: t.commands, Cached: t.cached, SettingChanges: t.changes, Now: s.At, Databases: t.databases, LastVacuums: t.lastVacuums, Horizon: t.horizon, Queue: t.queue, AutovacuumWorkers: t.autovacuumWorkers(),
	}
	snap.XIDRate, snap.MXIDRate = idRates(t.ids)
	snap.XIDsSince, snap.MXIDsSince = idsSince(t.databasesAt, t.ids)
	for _, r := range t.active {
		snap.Active = append(snap.Active, r.publish())
	}
	snap.age()
	slices.SortStableFunc(snap.Active, byStart)
	return snap
}

// byStart orders runs: oldest statement first, then pid, then first sight. Masked
// runs have no start and come last.
func byStart(a, b *Run) int {
	x, y := a.Key.StatementStart, b.Key.StatementStart
	switch {
	case x.IsZero() != y.IsZero():
		if x.IsZero() {
			return 1
		}
		return -1
	case !x.Equal(y):
		return x.Compare(y)
	case a.Key.PID != b.Key.PID:
		return int(a.Key.PID) - int(b.Key.PID)
	}
	return a.FirstSeen.Compare(b.FirstSeen)
}

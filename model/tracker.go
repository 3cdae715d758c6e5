package model

import (
	"slices"
	"time"
)

// Bounds of what a Tracker keeps.
const (
	maxEndedFull  = 200  // ended runs kept whole
	maxEndedLines = 2000 // ended runs kept as a line (no spans, no processes)
	maxSpans      = 64   // spans of a run; older ones are merged by phase
	maxUnnamed    = 500  // how many of the last ended runs may still get their name
	maxNotes      = 20
	noteAge       = time.Minute
)

// Tracker folds samples into snapshots. The zero Tracker is ready. It is a value:
// Clone makes an independent one, at the cost of the active runs only.
type Tracker struct {
	seq       uint64
	at        time.Time // server clock of the last poll that succeeded
	previous  time.Time // of the one before it; zero for none or after a gap
	server    Server
	watch     Watch
	link      Link
	settings  []Setting // by name
	relations map[uint32]knownRelation
	active    []*runState
	ended     []*Run
	analyzes  []Analyze
	waits     []LockWait
	pastWaits []LockWait
	sessions  map[int32]Process // the processes of this poll, by pid
	departed  map[int32]Process // those of the poll before it
	notes     []Event
	problems  []Problem
	gap       bool // watching was interrupted since the last poll
	blind     bool // the last poll could not read the activity
}

// Clone returns an independent tracker in the same state.
func (t *Tracker) Clone() *Tracker {
	c := *t
	c.active = make([]*runState, len(t.active))
	for i, r := range t.active {
		c.active[i] = r.clone()
	}
	return &c
}

// Step folds one sample and returns what all samples so far mean. The sample's
// slices may be kept.
func (t *Tracker) Step(s Sample) *Snapshot {
	t.seq = s.Seq
	t.problems = s.Problems
	for _, e := range s.Events {
		t.event(e)
	}
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
	restarted := !t.server.StartedAt.IsZero() && !p.Server.StartedAt.Equal(t.server.StartedAt)
	if restarted || t.gap {
		t.previous = time.Time{}
	}
	t.server, t.watch = p.Server, p.Watch
	if p.Settings != nil {
		t.settings = slices.Clone(p.Settings)
		slices.SortFunc(t.settings, bySettingName)
	}
	if p.Relations != nil {
		t.learn(at, p.Relations)
	}
	if p.Processes != nil {
		t.departed, t.sessions = t.sessions, make(map[int32]Process, len(p.Processes))
	}
	for _, proc := range p.Processes {
		t.sessions[proc.PID] = proc
	}
	if restarted {
		t.endAll(p.Server.StartedAt)
	}
}

// knownRelation is a catalog entry and when it was read.
type knownRelation struct {
	Relation
	at time.Time
}

// learn takes catalog entries; of the earlier ones those of relations in sight stay.
func (t *Tracker) learn(at time.Time, relations []Relation) {
	known := make(map[uint32]knownRelation, len(relations))
	for _, r := range t.active {
		if rel, ok := t.relations[r.run.Key.RelID]; ok {
			known[rel.RelID] = rel
		}
	}
	for _, w := range t.waits {
		if rel, ok := t.relations[w.RelID.Or(0)]; ok {
			known[rel.RelID] = rel
		}
	}
	for _, rel := range relations {
		known[rel.RelID] = knownRelation{rel, at}
	}
	t.relations = known
	t.nameEnded()
}

// nameEnded names the runs that were over before their relation had been read.
// Names come a beat after a relation is first seen, so only the latest can lack one.
func (t *Tracker) nameEnded() {
	for i, run := range t.ended[:min(len(t.ended), maxUnnamed)] {
		rel, ok := t.relation(run.Key.DatID, run.Key.RelID)
		if !ok || run.Table.Known() {
			continue
		}
		named := *run
		named.name(rel.Relation)
		t.ended = slices.Clone(t.ended)
		t.ended[i] = &named
	}
}

// relation finds a catalog entry: only of the connected database, or of a shared
// catalog. A relation of another database may have the same number as a local one.
func (t *Tracker) relation(datid, relid uint32) (knownRelation, bool) {
	rel, ok := t.relations[relid]
	if !ok || (datid != t.server.DatID && rel.DatID != 0) {
		return knownRelation{}, false
	}
	return rel, true
}

// poll takes the rest of a poll.
func (t *Tracker) poll(s Sample, p *Poll) {
	t.analyzes = nil
	for _, proc := range p.Processes {
		t.process(s.At, proc, p)
	}
	t.endMissing(s.At)
	t.present(s.At, p)
	t.lockWaits(s.At, p)
	t.describe()
	t.judge(s.At)
	t.previous, t.at, t.gap = s.At, s.At, false
}

func (t *Tracker) previousOr(def time.Time) time.Time {
	if t.previous.IsZero() {
		return def
	}
	return t.previous
}

// process takes one row of pg_stat_activity with its progress.
func (t *Tracker) process(at time.Time, proc Process, p *Poll) {
	progress := proc.Progress
	switch {
	case progress != nil && progress.View == ViewAnalyze:
		t.analyzes = append(t.analyzes, t.analyze(proc))
	case progress != nil:
		t.running(at, proc)
	case t.waitsToBegin(proc, p.Locks):
		t.waiting(at, proc, p)
	}
}

// waitsToVacuum tells a VACUUM (FULL), CLUSTER or REPACK that waits for its lock
// and therefore has no progress row.
func waitsToVacuum(proc Process) bool {
	if !proc.Active() || proc.LeaderPID.Known() || proc.BackendType.Or("") == autovacuumWorker {
		return false
	}
	if (proc.Wait.Or(Wait{}) != Wait{"Lock", "relation"}) {
		return false
	}
	command := ParseStatement(proc.Query.Or("")).Command
	return command != "" && command != "ANALYZE"
}

// waitsToBegin tells whether the lock that a vacuum waits for is its table's. A
// vacuum waits for others too: for the catalog when it is done, between tables.
// Until the lock table has been read, the first relation lock of a statement counts.
func (t *Tracker) waitsToBegin(proc Process, locks []Lock) bool {
	if !waitsToVacuum(proc) {
		return false
	}
	first := !t.knows(proc)
	for _, lock := range locks {
		if lock.PID != proc.PID {
			continue
		}
		switch lock.Mode {
		case "ShareUpdateExclusiveLock", "AccessExclusiveLock":
			return lock.LockType == "relation"
		case "AccessShareLock": // to look up the table's name
			return lock.LockType == "relation" && first
		}
		return false
	}
	return first || t.find(keyOf(proc)) != nil
}

// knows tells whether the statement of a process has vacuumed a relation already.
func (t *Tracker) knows(proc Process) bool {
	key := keyOf(proc)
	same := func(run *Run) bool {
		return run.Key.PID == key.PID && run.Key.StatementStart.Equal(key.StatementStart)
	}
	worked := func(r *runState) bool { return same(&r.run) && r.run.State == StateRunning }
	return slices.ContainsFunc(t.active, worked) || slices.ContainsFunc(t.ended[:min(len(t.ended), maxUnnamed)], same)
}

// running takes a process that has a vacuum, cluster or repack progress row.
func (t *Tracker) running(at time.Time, proc Process) {
	key := keyOf(proc)
	r := t.find(key)
	if r == nil {
		r = t.enter(at, key)
	}
	r.become(proc, t.server)
	r.progress(at, *proc.Progress, t.server.BlockSize)
}

// waiting takes a process that waits to vacuum. Its relation is known from the
// lock table, once that has been read.
func (t *Tracker) waiting(at time.Time, proc Process, p *Poll) {
	key := keyOf(proc)
	for _, lock := range p.Locks {
		if lock.PID == proc.PID && lock.RelID != 0 {
			key.RelID = lock.RelID
		}
	}
	r := t.find(key)
	if r == nil {
		r = t.enter(at, key)
	}
	r.become(proc, t.server)
	r.waits(at, key.RelID, proc.BlockedBy)
}

func keyOf(proc Process) RunKey {
	key := RunKey{
		PID:            proc.PID,
		BackendStart:   proc.BackendStart.Or(time.Time{}),
		StatementStart: proc.StatementStart.Or(time.Time{}),
		DatID:          proc.DatID.Or(0),
	}
	if proc.Progress != nil {
		key.RelID = proc.Progress.RelID
	}
	return key
}

// find returns the active run of the key. A process waiting for its lock is the
// run that begins once the lock is there; its relation may not be known before.
func (t *Tracker) find(key RunKey) *runState {
	for _, r := range t.active {
		if r.is(key) {
			return r
		}
	}
	return nil
}

// enter begins a run. It is seen from its start when the poll before did not see
// it, or when its statement is younger than the time since then.
func (t *Tracker) enter(at time.Time, key RunKey) *runState {
	r := &runState{run: Run{Key: key, FirstSeen: at, LastSeen: at}}
	before := t.previous
	r.run.FromStart = !before.IsZero() || (!key.StatementStart.IsZero() && at.Sub(key.StatementStart) < t.watch.Interval)
	if r.run.FromStart {
		r.run.Began = latest(before, key.StatementStart, key.BackendStart, t.lastReadOf(key.PID))
	}
	for _, seen := range []map[int32]Process{t.departed, t.sessions} {
		if proc, ok := seen[key.PID]; ok && proc.BackendStart.Or(time.Time{}).Equal(key.BackendStart) {
			r.become(proc, t.server)
		}
	}
	t.active = append(t.active, r)
	return r
}

// lastReadOf is when the process was last seen at work on another relation.
func (t *Tracker) lastReadOf(pid int32) time.Time {
	var out time.Time
	for _, r := range t.active {
		if r.run.Key.PID == pid {
			out = latest(out, r.lastRead)
		}
	}
	return out
}

func latest(times ...time.Time) time.Time {
	out := times[0]
	for _, tm := range times[1:] {
		if tm.After(out) {
			out = tm
		}
	}
	return out
}

// endMissing ends the runs that this poll does not show.
func (t *Tracker) endMissing(at time.Time) {
	how := EndNotVisible
	if t.gap {
		how = EndLost
	}
	keep := t.active[:0:0]
	for _, r := range t.active {
		if r.run.LastSeen.Equal(at) {
			keep = append(keep, r)
			continue
		}
		t.end(r, at, how)
	}
	t.active = keep
}

// endAll ends every run at the latest when the server was started again.
func (t *Tracker) endAll(at time.Time) {
	for _, r := range t.active {
		t.end(r, at, EndLost)
	}
	t.active = nil
}

func (t *Tracker) end(r *runState, at time.Time, how Ending) {
	gone := at
	switch {
	case how == EndLost && r.run.LastSeen.Before(at):
		gone = r.run.LastSeen
	case !r.goneAt.IsZero():
		gone = r.goneAt
	}
	r.run.State = StateEnded
	r.run.End = &End{At: gone, How: how, Within: gone.Sub(r.run.LastSeen), Open: how == EndNotVisible && r.run.counted.Known()}
	for i := range r.run.Processes {
		r.run.Processes[i].Alive = false
	}
	ended := append([]*Run{r.publish()}, t.ended...)
	if len(ended) > maxEndedFull {
		ended[maxEndedFull] = lineOf(ended[maxEndedFull])
	}
	t.ended = ended[:min(len(ended), maxEndedLines)]
}

// lineOf keeps of an ended run what one line shows.
func lineOf(r *Run) *Run {
	line := *r
	line.Phases, line.Processes, line.Earlier, line.Indexes = nil, nil, nil, nil
	return &line
}

// analyze describes one row of pg_stat_progress_analyze.
func (t *Tracker) analyze(proc Process) Analyze {
	a := Analyze{PID: proc.PID, Database: proc.Database.Or(""), Progress: *proc.Progress, StartedAt: proc.StatementStart}
	if rel, ok := t.relation(proc.DatID.Or(0), proc.Progress.RelID); ok {
		a.Schema, a.Table = Some(rel.Schema), Some(rel.Name)
	}
	return a
}

// describe fills in what the catalog and the settings say of the active runs.
func (t *Tracker) describe() {
	for _, r := range t.active {
		rel, known := t.relation(r.run.Key.DatID, r.run.Key.RelID)
		r.name(rel.Relation, known)
		if known {
			r.run.rememberCount(rel)
		}
		r.run.Parallel = parallelOf(&r.run, r.launched, t.settings)
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
		Settings: t.settings, Ended: t.ended, Analyzes: t.analyzes, LockWaits: t.waits, PastWaits: t.pastWaits,
		Problems: t.problems, Blind: t.blind, Notes: t.notes, Now: s.At,
	}
	for _, r := range t.active {
		snap.Active = append(snap.Active, r.publish())
	}
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

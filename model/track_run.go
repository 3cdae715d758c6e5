package model

import (
	"maps"
	"slices"
	"time"
)

// runState is a run being folded: the run as it is published, and what is needed
// to go on. Only the tracker that owns it writes to it.
type runState struct {
	run      Run
	lastRead time.Time // last reading (tick or poll) that showed the run
	goneAt   time.Time // first tick without it; zero while it is there
	heldFrom time.Time // since when every sample saw a process wait for a page, at this position; zero: none does
	heldPID  int32     // that process
	pulse    pulse     // how often its samples differ
	paceSeen bool      // enough of the scan's pace was seen
	awake    int       // samples of its processes since one was asleep on purpose
	even     bool      // the first scan passed all pages at one pace
	jumped   bool      // it passed some of them much faster
	readPace float64   // seconds for each page that it read, where it skipped some; 0: not known
	stillAt  time.Time // up to when the time that it is held up is counted
	lockFrom time.Time // since when it has been seen waiting for its lock
	delay    Opt[float64]
	history  history            // of process-time and delay
	minutes  minutes            // of samples
	walFrom  Opt[uint64]        // WAL position before it began, or when it was first seen
	columns  map[string]float64 // unknown columns of the progress view, as last read
	points   []point            // readings of the current phase's counter, since its pace last changed
	readings []point            // all of them
	counted  time.Time          // since when that counts: the phase, or the index pass, began
	indexes  indexesDone        // of the current index pass
	launched int                // distinct workers of the current, else last, pass over the indexes
	placed   bool               // counted among the tables of its command
	more     Blocks             // counted among the pages that its command found beyond the catalog's
	counting bool               // the workers of the current index phase are those of launched
	launches int                // index phases entered
	// scanned and vacuumed are the last positions read; where a phase begins.
	scanned, vacuumed Opt[Blocks]

	sharing sharing           // of autovacuum's cost limit
	costs   Opt[CostSettings] // in force, where known
	// startPace is the milliseconds asked for, for each unit of cost, before the settings
	// changed first; 0 while they have not.
	startPace float64
	before    steady    // what was seen of a phase before they changed in it,
	beforeIn  time.Time // the phase that began then
}

func (r *runState) clone() *runState {
	c := *r
	c.run = r.copied()
	c.points, c.readings = slices.Clone(r.points), slices.Clone(r.readings)
	c.indexes.ends = slices.Clone(r.indexes.ends)
	c.history, c.minutes = r.history.clone(), r.minutes.clone()
	c.columns = maps.Clone(r.columns)
	c.run.LockWaits = r.run.LockWaits.clip()
	return &c
}

// copied returns a copy of the run that later steps do not write to.
func (r *runState) copied() Run {
	run := r.run
	run.Phases = slices.Clone(run.Phases)
	if p := run.Phase(); p != nil {
		p.Waits, p.Lives = slices.Clone(p.Waits), slices.Clone(p.Lives)
	}
	run.Streaks = slices.Clone(run.Streaks)
	run.Processes = slices.Clone(run.Processes)
	for i := range run.Processes {
		m := &run.Processes[i]
		m.Profile, m.Lane = slices.Clone(m.Profile), slices.Clone(m.Lane)
	}
	run.Earlier = slices.Clone(run.Earlier)
	return run
}

// publish returns a copy of the run as a snapshot has it.
func (r *runState) publish() *Run {
	run := r.copied()
	for i := range run.Processes {
		m := &run.Processes[i]
		slices.SortStableFunc(m.Profile, mostSamples)
		m.PhaseProfile = profileOf(run.Phase(), m.PID, m.BackendStart)
	}
	run.History = r.history.points
	run.minutes, run.minute = r.minutes.over, r.minutes.current
	run.minute.Waits = slices.Clone(run.minute.Waits)
	r.total(&run)
	return &run
}

// total sums the spans up into the run.
func (r *runState) total(run *Run) {
	run.ProcessTime = 0
	run.Delay.Sampled, run.Delay.SampledError = None[time.Duration](), 0
	run.Delay.Unreported = r.unreported()
	if p := run.Phase(); p != nil {
		p.Delay.Unreported = run.Delay.Unreported
	}
	var squares float64
	for i := range run.Phases {
		span := &run.Phases[i]
		if !run.Delay.Reported.Known() {
			span.Delay.Reported = None[time.Duration]()
		}
		run.ProcessTime += span.ProcessTime
		if d, ok := span.Delay.Sampled.Get(); ok {
			run.Delay.Sampled = Some(run.Delay.Sampled.Or(0) + d)
			e := span.Delay.SampledError.Seconds()
			squares += e * e
		}
	}
	run.Delay.SampledError = rootSeconds(squares)
}

// unreported is what the run's live workers have slept and not yet reported, on
// average.
func (r *runState) unreported() time.Duration {
	var d time.Duration
	for _, m := range r.run.Processes {
		if m.Worker && m.Alive && r.run.Delay.Reported.Known() {
			d += reportLag
		}
	}
	return d
}

// profileOf picks the samples of one process out of a span, most first.
func profileOf(span *Span, pid int32, backendStart time.Time) []WaitTime {
	if span == nil {
		return nil
	}
	var out []WaitTime
	for _, w := range span.Waits {
		if w.PID == pid && w.BackendStart.Equal(backendStart) {
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, mostSamples)
	return out
}

func mostSamples(a, b WaitTime) int { return b.Samples - a.Samples }

// is tells whether the key means this run.
func (r *runState) is(key RunKey) bool {
	k := r.run.Key
	if k.Analyze != key.Analyze || k.PID != key.PID || !k.BackendStart.Equal(key.BackendStart) || !k.StatementStart.Equal(key.StatementStart) {
		return false
	}
	return k.RelID == key.RelID || r.run.State == StateWaiting && (k.RelID == 0 || key.RelID == 0)
}

// become takes who runs it. Of a row of another statement only what does not
// change within a session counts.
func (r *runState) become(proc Process) {
	run := &r.run
	run.Key.DatID = proc.DatID.Or(run.Key.DatID)
	run.Database = proc.Database.Or(run.Database)
	run.Role, run.ApplicationName, run.ClientAddr = proc.Role, proc.ApplicationName, proc.ClientAddr
	if !proc.StatementStart.Or(time.Time{}).Equal(run.Key.StatementStart) {
		return
	}
	run.Statement = proc.Query
	if p := proc.Progress; p != nil && (p.View == ViewAnalyze) != run.Key.Analyze {
		proc.Progress = nil // the row of the command's other half
	}
	run.Command = commandOf(proc)
	run.StartedBy, run.StartedByServer = startedBy(proc)
}

func commandOf(proc Process) string {
	if p := proc.Progress; p != nil {
		switch p.View {
		case ViewVacuum:
			return "VACUUM"
		case ViewAnalyze:
			return "ANALYZE"
		}
		if c, ok := p.Command.Get(); ok {
			return string(c)
		}
	}
	if c := parseStatement(proc.Query.Or("")).Command; c != "" {
		return c
	}
	return "VACUUM"
}

// startedBy is what the server says (19), else what the process and its text tell.
func startedBy(proc Process) (Opt[string], bool) {
	if proc.Progress != nil {
		if by, ok := proc.Progress.StartedBy.Get(); ok {
			return Some(string(by)), true
		}
	}
	switch {
	case proc.Masked:
		return None[string](), false
	case proc.BackendType.Or("") != autovacuumWorker:
		return Some(ByManual), false
	case PreventsWraparound(proc.Query.Or("")):
		return Some(ByAutovacuumWraparound), false
	}
	return Some(ByAutovacuum), false
}

// waits takes a poll that shows the run waiting for its table lock.
func (r *runState) waits(at time.Time, relid uint32, blockedBy []int32) {
	if r.lockFrom.IsZero() {
		r.lockFrom = at
	}
	r.run.State, r.run.LastSeen = StateWaiting, at
	r.run.Began, r.run.FromStart, r.lastRead = at, true, at // its first phase begins after this
	r.run.BlockedBy = blockedBy
	r.run.WaitedForLock = Some(at.Sub(r.lockFrom))
	if relid != 0 {
		r.run.Key.RelID = relid
	}
}

// progress takes a poll's progress row.
func (r *runState) progress(at time.Time, p Progress, blockSize Bytes) {
	run := &r.run
	if before := run.Progress; before != nil && !r.heldFrom.IsZero() && position(before) != position(&p) {
		r.heldFrom = at // it has moved in between
	}
	run.LastSeen, run.Key.RelID = at, p.RelID
	run.BlockedBy = nil
	run.Progress = &p
	phase, visible := p.Phase.Get()
	if !visible {
		run.State = StateHidden
		return
	}
	run.State = StateRunning
	r.observe(at, phase, p.IndexVacuumCount.Or(0), p.DelayTime)
	r.readIndexes(at, p.IndexesProcessed)
	r.followColumns(&p)
	r.count(at, &p)
	if total := p.HeapBlksTotal.Or(0); total > 0 && blockSize > 0 {
		run.HeapBytes = Some(Bytes(total) * blockSize)
	}
	before := max(0, run.Memory.Items.Or(0))
	run.Memory = memoryOf(&p, r.scanFrom(phase))
	if items, ok := run.Memory.Items.Get(); ok { // fewer than before: those of another pass
		run.DeadItems = Some(run.DeadItems.Or(0) + grown(before, max(0, items)))
	}
	r.estimate(&p)
}

// grown is by how much a count rose that begins at 0 again and again.
func grown(before, now int64) int64 {
	if now >= before {
		return now - before
	}
	return now
}

// observe takes phase, pass count and delay as read at one moment, and opens a
// new span when the phase is another one.
func (r *runState) observe(at time.Time, phase Text, passes int64, delay Opt[float64]) {
	span := r.run.Phase()
	r.pulse.sampled(at, max(maxUnseen, 2*r.run.Watch.Interval))
	if span == nil || span.Phase != phase || delay != r.delay {
		r.pulse.beats(at)
	}
	switch {
	case span == nil:
		r.enterPhase(at, phase, passes)
		r.addDelay(r.run.Phase(), delay)
	case span.Phase != phase:
		r.crossEdge(at, phase, passes, delay)
	default:
		r.addDelay(span, delay)
		r.extend(span, at, passes)
	}
	r.lastRead, r.run.LastSeen, r.goneAt = at, at, time.Time{}
}

// crossEdge divides the delay that came since the reading before between the two
// phases. What workers slept is added when they exit, just before their phase
// ends: all of it belongs to an index phase that is over. Before any other edge
// only the leader slept, so at most the time up to the edge is the old phase's.
func (r *runState) crossEdge(at time.Time, phase Text, passes int64, delay Opt[float64]) {
	old := r.run.Phase()
	grown := r.delayGrown(delay)
	r.enterPhase(at, phase, passes)
	current := r.run.Phase()
	mine := grown
	if !isIndexPhase(old.Phase) {
		mine = min(grown, current.Uncertain)
	}
	// enterPhase may have moved the spans: the old one is the last but one.
	if n := len(r.run.Phases); n > 1 && delay.Known() {
		r.run.Phases[n-2].addReported(mine)
		current.addReported(grown - mine)
	}
}

// extend prolongs the current span. Passes that were over between two readings
// show only in the count. It rises a moment before the index phase ends, too, so
// that the last pass can be one too many until then.
func (r *runState) extend(span *Span, at time.Time, passes int64) {
	span.Wall += max(0, at.Sub(span.To))
	span.To = at
	seen := passOf(span.Phase, passes) - span.Pass + 1
	if seen <= span.Passes {
		return
	}
	span.Passes = seen
	if isIndexPhase(span.Phase) { // its workers are others, and its indexes are counted anew
		r.newLaunch(span.Phase)
		span.Moved = Moved{}
		r.passBegins(at, span)
	}
}

// enterPhase ends the current span and opens the next, half-way between the two
// readings, which is as well as the edge is known.
func (r *runState) enterPhase(at time.Time, phase Text, passes int64) {
	span := Span{Phase: phase, Pass: passOf(phase, passes), Passes: 1, From: at, To: at}
	before := r.run.Phase()
	switch {
	case before != nil:
		span.Uncertain = at.Sub(r.lastRead) / 2
		span.From = r.lastRead.Add(span.Uncertain)
		before.Wall += span.From.Sub(before.To)
		before.To = span.From
		before.Uncertain = max(before.Uncertain, span.Uncertain)
		seen := int(passes) - before.Pass + 1
		if before.Phase != phaseVacuumingIndexes {
			seen = max(before.Passes, seen)
		}
		before.Passes = max(1, seen)
		before.Complete = len(r.run.Phases) > 1 || r.run.FromStart
	case r.run.FromStart && r.run.Began.Before(at): // else it began while the reading was made
		span.From = r.run.Began
		span.Uncertain = at.Sub(r.run.Began)
	}
	span.Wall = at.Sub(span.From)
	span.Moved = r.movedFrom(phase)
	if isIndexPhase(phase) {
		r.newLaunch(phase)
	}
	r.passBegins(span.From, &span)
	r.run.Phases = mergeOld(append(r.run.Phases, span))
}

// addDelay credits what delay_time grew by since the last reading to one phase.
func (r *runState) addDelay(span *Span, delay Opt[float64]) {
	if grown := r.delayGrown(delay); delay.Known() {
		span.addReported(grown)
	}
}

func (s *Span) addReported(d time.Duration) {
	s.Delay.Reported = Some(s.Delay.Reported.Or(0) + d)
}

// delayGrown takes a reading of delay_time and returns what it grew by. What was
// slept before the watching began belongs to no phase that was seen.
func (r *runState) delayGrown(delay Opt[float64]) time.Duration {
	now, ok := delay.Get()
	if !ok {
		return 0
	}
	before, known := r.delay.Get()
	if !known && !r.run.FromStart {
		before = now
		if now > 0 {
			r.run.DelayBefore = Some(Milliseconds(now))
		}
	}
	r.delay = delay
	grown := Milliseconds(max(0, now-before))
	if now > 0 {
		r.run.Delay.Reported = Some(r.run.Delay.Reported.Or(0) + grown)
	}
	return grown
}

// The phases that the fold treats in a way of their own (1.2 names them all).
const (
	phaseScanningHeap     = "scanning heap"
	phaseVacuumingIndexes = "vacuuming indexes"
	phaseVacuumingHeap    = "vacuuming heap"
	phaseCleaningUp       = "cleaning up indexes"
	phaseInitializing     = "initializing"
)

func isIndexPhase(phase Text) bool {
	return phase == phaseVacuumingIndexes || phase == phaseCleaningUp
}

// passOf is the index pass a phase belongs to, from the passes completed.
func passOf(phase Text, completed int64) int {
	switch phase {
	case phaseInitializing, phaseScanningHeap, phaseVacuumingIndexes:
		return int(completed) + 1
	}
	return max(1, int(completed))
}

// mergeOld keeps the spans within maxSpans by adding the oldest to an earlier
// span of the same phase.
func mergeOld(spans []Span) []Span {
	for len(spans) > maxSpans {
		merged := false
		for i := 1; i < len(spans)-maxSpans/2 && !merged; i++ {
			for j := range i {
				if spans[j].Phase == spans[i].Phase {
					spans[j] = spans[j].with(spans[i])
					spans = slices.Delete(slices.Clone(spans), i, i+1)
					merged = true
					break
				}
			}
		}
		if !merged {
			return spans // more kinds of phases than any server has
		}
	}
	return spans
}

// with adds a later span of the same phase.
func (s Span) with(o Span) Span {
	s.To = o.To
	s.Passes += o.Passes
	s.Wall += o.Wall
	s.Uncertain += o.Uncertain
	s.ProcessTime += o.ProcessTime
	s.Moved.To, s.Moved.Total = o.Moved.To, o.Moved.Total
	s.Moved.Over += o.Moved.Over
	s.idle += o.idle
	s.stood += o.stood
	s.stretch += o.stretch
	s.unseen += o.unseen
	s.Delay = s.Delay.plus(o.Delay)
	s.sampled = s.sampled.plus(o.sampled)
	waits := slices.Clone(s.Waits)
	for _, w := range o.Waits {
		if w.Worker { // those of merged passes have no pid
			w.PID, w.BackendStart = 0, time.Time{}
		}
		waits = addWait(waits, w)
	}
	s.Waits = waits
	s.Lives = slices.Clone(s.Lives)
	for _, l := range o.Lives {
		if l.Worker {
			l.PID, l.BackendStart = 0, time.Time{}
		}
		s.Lives = addLife(s.Lives, l)
	}
	s.Columns = slices.Clone(s.Columns)
	for _, c := range o.Columns {
		s.Columns = addColumn(s.Columns, c)
	}
	return s
}

// plus adds the delay of another span.
func (d Delay) plus(o Delay) Delay {
	if v, ok := o.Reported.Get(); ok {
		d.Reported = Some(d.Reported.Or(0) + v)
	}
	if v, ok := o.Sampled.Get(); ok {
		d.Sampled = Some(d.Sampled.Or(0) + v)
	}
	a, b := d.SampledError.Seconds(), o.SampledError.Seconds()
	d.SampledError = rootSeconds(a*a + b*b)
	return d
}

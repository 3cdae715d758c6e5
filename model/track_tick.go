package model

import (
	"math"
	"slices"
	"time"
)

// pollRows are the processes of the poll's runs, as a tick would have read them:
// leaders, and their parallel workers.
func pollRows(p *Poll) []TickRow {
	leaders := map[int32]bool{}
	for _, proc := range p.Processes {
		if proc.Progress != nil && (proc.Progress.View != ViewAnalyze || isHalf(proc)) || waitsToVacuum(proc) {
			leaders[proc.PID] = true
		}
	}
	var rows []TickRow
	for _, proc := range p.Processes {
		kind := proc.BackendType.Or(parallelWorker)
		worker := leaders[proc.LeaderPID.Or(0)] && (kind == parallelWorker || kind == decodingWorker)
		if leaders[proc.PID] || worker {
			rows = append(rows, rowOf(proc))
		}
	}
	return rows
}

// parallelWorker is the backend_type of the workers of a vacuum (and of other
// parallel work).
const parallelWorker = "parallel worker"

// decodingWorker is the backend_type of the process that reads the changes made while
// REPACK (CONCURRENTLY) of 19 copies the table.
const decodingWorker = "REPACK decoding worker"

func rowOf(proc Process) TickRow {
	row := TickRow{
		PID: proc.PID, BackendStart: proc.BackendStart.Or(time.Time{}), StatementStart: proc.StatementStart,
		LeaderPID: proc.LeaderPID, DatID: proc.DatID.Or(0), Active: proc.Active(), Wait: proc.Wait,
	}
	if kind := proc.BackendType.Or(""); kind == decodingWorker {
		row.Helper = kind
	}
	if p := proc.Progress; p != nil {
		row.RelID, row.Phase = p.RelID, p.Phase.Or("")
		row.IndexVacuumCount = p.IndexVacuumCount.Or(0)
		row.IndexesProcessed, row.DelayTime = p.IndexesProcessed, p.DelayTime
	}
	return row
}

// tick takes one fine read: leaders first, because workers belong to the phase of
// their leader.
func (t *Tracker) tick(tick Tick) {
	leaders := make(map[int32]*runState, len(tick.Rows))
	for _, row := range tick.Rows {
		if row.Phase == "" || row.BackendStart.IsZero() {
			continue
		}
		leaders[row.PID] = t.leaderRow(tick, row)
	}
	for _, row := range tick.Rows {
		if r := leaders[row.LeaderPID.Or(0)]; r != nil && row.Phase == "" {
			r.sample(tick, row)
		}
	}
	for _, r := range t.active {
		inTicks := r.run.State == StateRunning && !r.run.Key.Analyze // no tick reads an ANALYZE
		if inTicks && !r.run.LastSeen.Equal(tick.At) && r.goneAt.IsZero() {
			r.goneAt = tick.At
		}
		r.settle(tick.At)
	}
}

// present notes which processes a poll shows and what they wait for. Where no
// tick reads them (nor an ANALYZE) the poll is their sample, standing for the time since the last.
func (t *Tracker) present(at time.Time, p *Poll) {
	tick := Tick{At: at, Gap: at.Sub(t.previousOr(at)), Rows: pollRows(p)}
	byPID := map[int32]*runState{}
	for _, r := range t.active {
		if r.run.LastSeen.Equal(at) {
			byPID[r.run.Key.PID] = r
		}
	}
	for _, row := range tick.Rows {
		r := byPID[row.LeaderPID.Or(row.PID)]
		switch {
		case r == nil:
		case r.run.Phase() != nil && r.run.State == StateRunning && (p.Watch.TickRate == 0 || r.run.Key.Analyze):
			r.sample(tick, row)
		default:
			r.member(at, row)
		}
	}
	for _, r := range t.active {
		r.settle(at)
	}
}

func (t *Tracker) leaderRow(tick Tick, row TickRow) *runState {
	key := RunKey{DatID: row.DatID, PID: row.PID, BackendStart: row.BackendStart, StatementStart: row.StatementStart.Or(time.Time{}), RelID: row.RelID}
	r := t.findOrEnter(tick.At, key)
	if r.run.Command == "" {
		r.run.Command = "VACUUM" // until a poll says more
	}
	r.run.Key.RelID, r.run.State, r.run.BlockedBy = row.RelID, StateRunning, nil
	r.observe(tick.At, row.Phase, row.IndexVacuumCount, row.DelayTime)
	r.readIndexes(tick.At, row.IndexesProcessed)
	r.refresh(row)
	r.sample(tick, row)
	return r
}

// refresh brings the columns that ticks read up to date in the last progress row.
func (r *runState) refresh(row TickRow) {
	if r.run.Progress == nil {
		return
	}
	p := *r.run.Progress // the one before may be published
	p.Phase, p.IndexVacuumCount = Some(row.Phase), Some(row.IndexVacuumCount)
	p.IndexesProcessed, p.DelayTime = row.IndexesProcessed, row.DelayTime
	r.run.Progress = &p
}

// sample counts one process's row of a tick in the phase read with it.
func (r *runState) sample(tick Tick, row TickRow) {
	span := r.run.Phase()
	m := r.member(tick.At, row)
	gap := tick.Gap
	if since := latest(r.run.Began, row.BackendStart); tick.At.Sub(since) < gap {
		gap = max(0, tick.At.Sub(since))
	}
	before := m.sampledAt
	lived := m.livedUpTo(tick.At, gap)
	span.ProcessTime += lived
	span.Lives = addLife(span.Lives, ProcessLife{PID: m.PID, BackendStart: m.BackendStart, Worker: m.Worker, Processes: 1, Lived: lived})
	if class, counts := classOf(row); counts {
		r.countSample(m, tick.At, before, WaitTime{PID: m.PID, BackendStart: m.BackendStart, Worker: m.Worker, Wait: row.Wait, Class: class, Samples: 1, Weight: gap})
	}
	if span.sampled.time > 0 {
		span.Delay.Sampled, span.Delay.SampledError = span.sampled.delay(span.ProcessTime)
	}
}

// countSample counts what a process was seen to do; before is its sample before this one.
func (r *runState) countSample(m *Member, at, before time.Time, w WaitTime) {
	span := r.run.Phase()
	r.awake++
	if w.Class == ClassDelay {
		r.awake = 0
	}
	m.Samples.Taken++
	r.run.Samples.Taken++
	m.Profile = addWait(m.Profile, w)
	span.Waits = addWait(span.Waits, w)
	m.Lane = addToLane(m.Lane, at.Unix(), w.Class)
	r.minutes.add(at, MinuteWait{Wait: w.Wait, Worker: m.Worker, Samples: 1})
	r.streak(m, at, before, w.Wait)
	span.sampled.add(w.Class == ClassDelay, w.Weight)
}

// maxUnseen is the longest stretch without a sample that counts as lived through: a
// few ticks that were missed, not a gap in watching.
const maxUnseen = 2 * time.Second

// livedUpTo is for how long the process has lived since its sample before this one.
// Of ticks that were missed in between nothing is known but that: the process was
// there before them and after. gap is what this sample stands for.
func (m *Member) livedUpTo(at time.Time, gap time.Duration) time.Duration {
	before := m.sampledAt
	m.sampledAt = at
	if lived := at.Sub(before); !before.IsZero() && lived <= maxUnseen {
		return max(gap, lived)
	}
	return gap
}

// classOf says what the sample is. A NULL wait event means a CPU only when the
// process is active: a worker that is starting has neither.
func classOf(row TickRow) (Class, bool) {
	if w, ok := row.Wait.Get(); ok {
		return w.Class(), true
	}
	return ClassCPU, row.Active
}

// member finds the process among those of the run, or adds it, and notes its wait.
func (r *runState) member(at time.Time, row TickRow) *Member {
	r.watchHeld(at, row)
	m := r.findMember(at, row)
	active := row.Active && !row.Wait.Known()
	if !m.Alive || m.Wait != row.Wait || m.Active != active {
		r.pulse.beats(at)
	}
	m.LastSeen, m.Alive = at, true
	m.Wait, m.Active = row.Wait, active
	return m
}

func (r *runState) findMember(at time.Time, row TickRow) *Member {
	for i := range r.run.Processes {
		if m := &r.run.Processes[i]; m.PID == row.PID && m.BackendStart.Equal(row.BackendStart) {
			return m
		}
	}
	m := Member{PID: row.PID, BackendStart: row.BackendStart, FirstSeen: at, Worker: row.LeaderPID.Known() && row.Helper == "", Helper: row.Helper}
	if m.Worker {
		m.Pass = r.launches
		if r.counting {
			r.launched++
		}
		r.forgetOldWorkers()
	}
	r.run.Processes = append(r.run.Processes, m)
	return &r.run.Processes[len(r.run.Processes)-1]
}

// newLaunch begins an index phase: each launches workers of its own. Those of the
// clean-up count as the run's only when it made no pass over the indexes: mostly
// there is nothing left to clean up in parallel.
func (r *runState) newLaunch(phase Text) {
	r.launches++
	r.counting = phase == phaseVacuumingIndexes || r.launches == 1
	if r.counting {
		r.launched = 0
	}
}

// forgetOldWorkers merges the samples of workers older than the last launch but one.
func (r *runState) forgetOldWorkers() {
	keep := r.run.Processes[:0:0]
	earlier := slices.Clone(r.run.Earlier)
	for _, m := range r.run.Processes {
		if !m.Worker || m.Pass >= r.launches-1 {
			keep = append(keep, m)
			continue
		}
		r.run.EarlierWorkers++
		for _, w := range m.Profile {
			w.PID, w.BackendStart = 0, time.Time{}
			earlier = addWait(earlier, w)
		}
	}
	r.run.Processes, r.run.Earlier = keep, earlier
}

// settle closes the tick for the run: who was not in it is not alive.
func (r *runState) settle(at time.Time) {
	for i := range r.run.Processes {
		if m := &r.run.Processes[i]; m.Alive && !m.LastSeen.Equal(at) {
			m.Alive = false
			r.pulse.beats(at)
		}
	}
}

// missed counts planned ticks that gave no reading, for the processes alive.
func (r *runState) missed(n int) {
	if n == 0 {
		return
	}
	r.run.Samples.Missed += n
	for i := range r.run.Processes {
		if m := &r.run.Processes[i]; m.Alive {
			m.Samples.Missed += n
		}
	}
}

// addWait adds samples to the entry of the same process and wait event.
func addWait(ws []WaitTime, w WaitTime) []WaitTime {
	for i := range ws {
		if e := &ws[i]; e.PID == w.PID && e.BackendStart.Equal(w.BackendStart) && e.Wait == w.Wait && e.Class == w.Class && e.Worker == w.Worker {
			e.Samples += w.Samples
			e.Weight += w.Weight
			return ws
		}
	}
	return append(ws, w)
}

// addToLane counts a sample in its second.
func addToLane(lane []LaneCell, second int64, class Class) []LaneCell {
	if n := len(lane); n == 0 || lane[n-1].Second < second {
		lane = append(lane, LaneCell{Second: second})
		if len(lane) > LaneCells {
			lane = lane[1:]
		}
	}
	lane[len(lane)-1].Samples[class]++
	return lane
}

// sleepCount is what the samples of a span say of its delay.
type sleepCount struct {
	time, slept time.Duration // what all samples stand for, and those asleep
	squares     float64       // sum of the squares of what each stands for, s²
}

func (c *sleepCount) add(asleep bool, gap time.Duration) {
	c.time += gap
	c.squares += gap.Seconds() * gap.Seconds()
	if asleep {
		c.slept += gap
	}
}

func (c sleepCount) plus(o sleepCount) sleepCount {
	return sleepCount{c.time + o.time, c.slept + o.slept, c.squares + o.squares}
}

// delay is the estimated delay of a process-time, and half of its 95 % interval, once
// there are samples.
//
// The share asleep is that of the samples, each weighed by the time it stands for;
// weights that differ are worth fewer samples (Kish 1965). Samples stand at random
// points of their slots, so that the error is at most that of independent ones,
// also where naps are longer than slots. The interval adds two successes and two
// failures (Agresti and Coull 1998), so that it does not shrink to nothing when every
// sample was asleep.
func (c sleepCount) delay(processTime time.Duration) (Opt[time.Duration], time.Duration) {
	const z = standardErrors
	share := float64(c.slept) / float64(c.time)
	n := c.time.Seconds() * c.time.Seconds() / c.squares
	p := (share*n + z*z/2) / (n + z*z)
	half := z * math.Sqrt(p*(1-p)/(n+z*z))
	return Some(time.Duration(share * float64(processTime))), time.Duration(half * float64(processTime))
}

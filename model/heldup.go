package model

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// HeldKind says what a vacuum that stands still waits for.
type HeldKind string

// What can hold a vacuum up without a lock request that the server shows.
const (
	// HeldCleanup: another session has a page in use (a pin) that is to be cleaned,
	// such as behind an open cursor. The server tells nobody who that is.
	HeldCleanup HeldKind = "cleanup"
	// HeldTruncate: others have a lock on the table whose empty end is to be cut off.
	// The lock is tried for again and again, without queueing for it.
	HeldTruncate HeldKind = "truncate"
)

// truncateGivesUp is how long VACUUM tries for the lock to truncate (13-19).
const truncateGivesUp = 5 * time.Second

// leastHeldUp is how long a wait for a page must last before it counts as standing
// still: many end at once.
const leastHeldUp = time.Second

// HeldUp is why a run stands still.
type HeldUp struct {
	Kind HeldKind
	PID  int32 // which of the run's processes waits
	// Since is when it was first seen to wait, at the same position, in every sample;
	// for HeldTruncate the beginning of the phase. It is known to one sample.
	Since time.Time
	// At and Of are the position and the heap's end in blocks; absent in index phases.
	At, Of Opt[Blocks]
	// Holders are, for HeldCleanup, suspects: sessions with a lock on the table, one of
	// which has the page in use, most likely first. For HeldTruncate they are exactly
	// those that are in the way.
	Holders []Blocker
	// HoldersRead tells that the lock table has been read for it.
	HoldersRead bool
}

// GivesUp is when a vacuum stops trying to truncate; absent for other waits.
func (h *HeldUp) GivesUp() Opt[time.Time] {
	if h.Kind != HeldTruncate {
		return None[time.Time]()
	}
	return Some(h.Since.Add(truncateGivesUp))
}

// HeldUp tells that a process waits for a page that another one uses (type BufferPin
// up to 18, Buffer/BufferCleanup on 19), or for the lock to truncate: VacuumTruncate
// from 15 on, and before, where that wait has no name, perhaps.
func (p Process) HeldUp() bool {
	wait := p.Wait.Or(Wait{})
	truncates := p.Progress != nil && p.Progress.Phase.Or("") == phaseTruncating && p.Active() && !p.Wait.Known()
	return wait.isCleanup() || wait.isTruncate() || truncates
}

func (w Wait) isCleanup() bool { return w.Type == "BufferPin" || w == Wait{"Buffer", "BufferCleanup"} }

func (w Wait) isTruncate() bool { return w == Wait{"Timeout", "VacuumTruncate"} }

// phaseTruncating is the phase in which a vacuum cuts off the heap's empty end.
const phaseTruncating = "truncating heap"

// watchHeld notes in each sample whether a process of the run waits for a page.
func (r *runState) watchHeld(at time.Time, row TickRow) {
	waits := row.Wait.Or(Wait{}).isCleanup()
	switch {
	case waits && r.heldFrom.IsZero():
		r.heldFrom, r.heldPID = at, row.PID
	case !waits && row.PID == r.heldPID:
		r.heldFrom, r.heldPID = time.Time{}, 0
	}
}

// position is how far the run's leader is in the heap, in the pass that it is in.
func position(p *Progress) Opt[Blocks] {
	switch p.Phase.Or("") {
	case phaseScanningHeap:
		return p.HeapBlksScanned
	case phaseVacuumingHeap:
		return p.HeapBlksVacuumed
	}
	return None[Blocks]()
}

// holdUp says why the active runs stand still, where they do.
func (t *Tracker) holdUp(at time.Time, p *Poll) {
	for _, r := range t.active {
		before := r.run.HeldUp
		r.run.HeldUp = nil
		if r.run.Progress == nil || !r.run.LastSeen.Equal(at) || r.run.State != StateRunning {
			continue
		}
		held := r.heldUp(t.sessions[r.run.Key.PID], t.sessions[r.heldPID])
		if held == nil {
			continue
		}
		if before != nil && before.Kind == held.Kind {
			held.Holders, held.HoldersRead = before.Holders, before.HoldersRead
		}
		if p.Holders != nil {
			held.Holders, held.HoldersRead = t.holdersFor(r, held, p.Holders), true
		}
		unnamed := held.Kind == HeldTruncate && !t.sessions[r.run.Key.PID].Wait.Known()
		if unnamed && len(held.Holders) == 0 {
			continue // it works: up to 14 the wait has no name
		}
		r.run.HeldUp = held
		r.stoodStill(latest(held.Since, r.stillAt), at)
	}
}

// stoodStill counts a time in which the run was held up.
func (r *runState) stoodStill(from, to time.Time) {
	span := r.run.Phase()
	still := max(0, to.Sub(latest(from, span.From)))
	span.stood, span.idle = span.stood+still, span.idle+still
	r.stillAt = to
	if n := len(r.points); n > 0 {
		r.points = r.points[n-1:] // its pace is what it is before and after
	}
}

// heldUp is what holds the run up by this poll, in which the process that was seen to
// wait for a page may be gone; nil when nothing does.
func (r *runState) heldUp(leader, waiting Process) *HeldUp {
	progress := r.run.Progress
	phase := r.run.Phase()
	switch {
	case phase != nil && phase.Phase == phaseTruncating && leader.HeldUp():
		return &HeldUp{Kind: HeldTruncate, PID: leader.PID, Since: phase.From, Of: progress.HeapBlksTotal}
	case r.heldFrom.IsZero() || !waiting.Wait.Or(Wait{}).isCleanup():
		return nil
	}
	held := &HeldUp{Kind: HeldCleanup, PID: r.heldPID, Since: r.heldFrom, At: position(progress), Of: progress.HeapBlksTotal}
	if !held.At.Known() {
		held.Of = None[Blocks]()
	}
	return held
}

// holdersFor picks who is in a run's way. The run's own processes are not, nor are
// workers beside their leader; and a prepared transaction uses no page.
func (t *Tracker) holdersFor(r *runState, held *HeldUp, holders []Holder) []Blocker {
	var out []Blocker
	for _, h := range holders {
		own := r.run.has(h.PID) || h.LeaderPID.Or(0) == r.run.Key.PID
		known := slices.ContainsFunc(out, func(b Blocker) bool { return b.PID == h.PID && b.GID == h.GID })
		if h.RelID != r.run.Key.RelID || h.DatID != r.run.Key.DatID || own || known || h.LeaderPID.Known() {
			continue
		}
		if held.Kind == HeldCleanup && h.PID == 0 {
			continue
		}
		b := h.blocker()
		b.Suspect = held.Kind == HeldCleanup
		out = append(out, b)
	}
	slices.SortStableFunc(out, mostLikely)
	return out
}

// blocker is the holder as one that others wait for.
func (h Holder) blocker() Blocker {
	return Blocker{
		PID: h.PID, GID: h.GID, BackendType: h.BackendType, State: h.State, Role: h.Role,
		ApplicationName: h.ApplicationName, XactStart: h.XactStart, Query: h.Query, Waits: h.Waits,
	}
}

// mostLikely orders holders: who does nothing in an open transaction first, then the
// oldest transaction.
func mostLikely(a, b Blocker) int {
	rank := func(b Blocker) int {
		switch _, known := b.State.Get(); {
		case !known:
			return 2 // masked, or a prepared transaction
		case b.idles():
			return 0
		}
		return 1
	}
	later := time.Unix(1<<40, 0)
	return cmp.Or(rank(a)-rank(b), a.XactStart.Or(later).Compare(b.XactStart.Or(later)), int(a.PID)-int(b.PID))
}

// idles tells that a blocker does nothing in an open transaction.
func (b Blocker) idles() bool { return strings.HasPrefix(string(b.State.Or("")), idleInXact) }

// idleInXact begins the states of sessions that do nothing in an open transaction.
const idleInXact = "idle in transaction"

// heldWait is the run's standing still as one of the waits; false when it is too
// short to tell.
func (r *Run) heldWait(at time.Time) (LockWait, bool) {
	h := r.HeldUp
	if h == nil || at.Sub(h.Since) < leastHeldUp {
		return LockWait{}, false
	}
	w := LockWait{
		Kind: h.Kind, PID: h.PID, BlockedBy: []int32{}, Blockers: h.Holders, At: h.At, datid: r.Key.DatID, RelID: Some(r.Key.RelID),
		Database: Some(r.Database), Schema: r.Schema, Table: r.Table, From: h.Since, SeenFor: at.Sub(h.Since),
		Role: r.Role, Query: r.Statement, statement: r.Key.StatementStart,
	}
	if h.Kind == HeldTruncate {
		for _, b := range h.Holders {
			w.BlockedBy = append(w.BlockedBy, b.PID)
		}
	}
	return w, true
}

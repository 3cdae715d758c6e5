package model

import (
	"slices"
	"time"
)

// Bounds of what is kept of the lock waits around a run.
const (
	maxLockPlaces = 500
	maxTallied    = 5000
)

// LockTally are the lock waits around a run that are over: those in whose chain a
// process of the run was, or its relation.
type LockTally struct {
	Places []LockPlace // at most maxLockPlaces
	Waits  []TalliedWait
	// Left is how many more there were, shorter than all of Waits or at more Places.
	Left int
}

// LockPlace is who waited for what, and what the one did who had it.
type LockPlace struct {
	Statement string // StatementKind of the waiter; "" when not visible
	Kind      HeldKind
	LockType  Text // "" when the lock table was not read for it
	Mode      Text
	// Relation is absent for other locks, and when its name is not known.
	Relation Opt[RelationName]
	// Doing is what the blocker did, in words: "idle in transaction after UPDATE".
	Doing string
}

// TalliedWait is one wait that is over.
type TalliedWait struct {
	Place  int           // in Places
	Length time.Duration // up to when it was last seen
}

// nearRun is what is known of a wait as one around a run, as of when it last was.
type nearRun struct {
	key    RunKey
	place  LockPlace
	length time.Duration
}

// of tells whether it is of that run. While a vacuum waits for its table, which one that
// is can be not yet known.
func (n nearRun) of(key RunKey) bool {
	if n.key.RelID == 0 {
		key.RelID = 0
	}
	return n.key.Same(key)
}

// IsAround tells that the run is in the chain of a wait that goes on.
func (w LockWait) IsAround(r *Run) bool {
	return slices.ContainsFunc(w.near, func(n nearRun) bool { return n.of(r.Key) })
}

// Place is who waits for what, and what the one does who has it.
func (w LockWait) Place() LockPlace {
	p := LockPlace{Statement: StatementKind(w.Query.Or("")), Kind: w.Kind, LockType: w.LockType.Or(""), Mode: w.Mode.Or(""), Doing: w.blockerDoing()}
	if table, known := w.Table.Get(); known {
		p.Relation = Some(RelationName{w.Schema.Or(""), table})
	}
	return p
}

// blockerDoing is what the first blocker does.
func (w LockWait) blockerDoing() string {
	switch {
	case w.Kind == HeldCleanup:
		return "not visible"
	case len(w.Blockers) == 0:
		return "not known"
	}
	return w.Blockers[0].Doing()
}

// Doing is what the blocker does, in words.
func (b Blocker) Doing() string {
	kind := StatementKind(b.Query.Or(""))
	state, known := b.State.Get()
	switch {
	case b.PID == 0:
		return "prepared transaction"
	case !known && !b.BackendType.Known():
		return "not visible"
	case kind == "":
		kind = b.BackendType.Or("not visible").Display()
	}
	switch {
	case b.Waits:
		return kind + ", waiting itself"
	case known && state != "active":
		return state.Display() + " after " + kind
	}
	return kind
}

// noteNear notes for each wait around which runs it is.
func (t *Tracker) noteNear() {
	behind := map[int32][]int{} // those who wait for a pid
	for i, w := range t.waits {
		for _, pid := range w.BlockedBy {
			behind[pid] = append(behind[pid], i)
		}
	}
	for _, r := range t.active {
		for _, i := range r.waitsAround(t.waits, behind) {
			t.waits[i].isNear(&r.run)
		}
	}
}

// waitsAround are the waits of the run's processes and for its relation, and all that
// wait behind them.
func (r *runState) waitsAround(waits []LockWait, behind map[int32][]int) []int {
	var found []int
	seen := make(map[int]bool, len(waits))
	take := func(i int) {
		if !seen[i] {
			seen[i], found = true, append(found, i)
		}
	}
	key := r.run.Key
	for i, w := range waits {
		mine := key.RelID != 0 && w.RelID.Or(0) == key.RelID && (w.datid == key.DatID || w.datid == 0)
		if mine || r.run.has(w.PID) {
			take(i)
		}
	}
	for _, pid := range append(r.run.livePIDs(), key.PID) {
		for _, i := range behind[pid] {
			take(i)
		}
	}
	for n := 0; n < len(found); n++ { // grows while it is walked through
		for _, i := range behind[waits[found[n]].PID] {
			take(i)
		}
	}
	return found
}

func (r *Run) livePIDs() []int32 {
	var pids []int32
	for _, m := range r.Processes {
		if m.Alive {
			pids = append(pids, m.PID)
		}
	}
	return pids
}

// isNear brings up to date what is known of the wait as one around a run.
func (w *LockWait) isNear(r *Run) {
	n := nearRun{r.Key, w.Place(), w.Waited.Or(w.SeenFor)}
	if phase := r.Phase(); phase != nil && len(w.BlockedBy) > 0 && r.has(w.BlockedBy[0]) {
		n.place.Doing = r.Command + ", " + phase.Phase.Display()
	}
	w.near = slices.Clone(w.near) // those before are published
	if i := slices.IndexFunc(w.near, func(o nearRun) bool { return o.of(r.Key) }); i >= 0 {
		w.near[i] = n
		return
	}
	w.near = append(w.near, n)
}

// tally counts a wait that is over among those of the runs that it was around.
func (t *Tracker) tally(w LockWait) {
	for _, n := range w.near {
		for _, r := range t.active {
			if n.of(r.run.Key) {
				r.run.LockWaits = r.run.LockWaits.with(n)
			}
		}
		recent := t.ended[:min(len(t.ended), maxUnnamed)]
		if i := slices.IndexFunc(recent, func(o *Run) bool { return n.of(o.Key) }); i >= 0 {
			run := *t.ended[i]
			run.LockWaits = run.LockWaits.clip().with(n)
			t.replaceEnded(i, &run)
		}
	}
}

// with is the tally with another wait. What is added stands behind the end of lists
// that may be published; only the run's own tracker adds to them.
func (l LockTally) with(n nearRun) LockTally {
	place := slices.Index(l.Places, n.place)
	if place < 0 && len(l.Places) == maxLockPlaces {
		l.Left++
		return l
	}
	if place < 0 {
		place = len(l.Places)
		l.Places = append(l.Places, n.place)
	}
	w := TalliedWait{place, n.length}
	if len(l.Waits) < maxTallied {
		l.Waits = append(l.Waits, w)
		return l
	}
	l.Left++
	shortest := 0
	for i := range l.Waits {
		if l.Waits[i].Length < l.Waits[shortest].Length {
			shortest = i
		}
	}
	if w.Length > l.Waits[shortest].Length {
		l.Waits = slices.Clone(l.Waits)
		l.Waits[shortest] = w
	}
	return l
}

// clip is the tally for another tracker to add to.
func (l LockTally) clip() LockTally {
	l.Places, l.Waits = slices.Clip(l.Places), slices.Clip(l.Waits)
	return l
}

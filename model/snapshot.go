package model

import "time"

// Snapshot is what the samples so far mean. It is complete and is never written
// again; its slices may be shared with later snapshots.
type Snapshot struct {
	Seq uint64
	// At is the server's clock at the last poll that succeeded: base of all ages.
	At time.Time
	// Now is the server's clock at this sample, also when its poll failed (then the
	// client's clock plus the last offset): Now - At is the age of what is shown.
	Now      time.Time
	Server   Server
	Watch    Watch
	Link     Link
	Settings []Setting // by name; empty until first read
	// Databases are the databases with their ages, as last read; empty until then.
	// XIDsSince and MXIDsSince are how many ids were used since: ages have grown by
	// as many, as far as no vacuum has lowered them.
	Databases             []Database
	XIDsSince, MXIDsSince int64
	// LastVacuums are the tables of the connected database that were vacuumed last,
	// the last one first, as last read; nil until then.
	LastVacuums []LastVacuum
	// Horizon is who keeps dead rows from being removed, as last read; nil until then.
	Horizon *Horizon
	// Queue is what autovacuum has to do next in the connected database, as last read;
	// nil until then, and on a standby.
	Queue *Queue
	// AutovacuumWorkers is how many workers autovacuum has, in all databases; absent
	// where this role does not see them.
	AutovacuumWorkers Opt[int]
	// XIDRate and MXIDRate are how fast transaction and multixact ids were used up
	// over the last minutes; absent before half a minute of watching.
	XIDRate, MXIDRate Opt[IDRate]
	// Active are the vacuums in sight: running, waiting for their lock, hidden.
	// Oldest statement first; runs of one command stand together.
	Active []*Run
	// Ended are the vacuums that were seen and are gone, the last one first.
	Ended []*Run
	// Groups are the commands over several relations whose runs are in Active and
	// Ended: those that go on, oldest first, then those that are over, the last first.
	Groups []*Group
	// Analyzes are ANALYZE commands and the ANALYZE half of VACUUM (ANALYZE).
	Analyzes []Analyze
	// LockWaits are the sessions that wait for a heavyweight lock now, and the vacuums
	// held up without one, longest first where the server tells since when.
	LockWaits []LockWait
	// PastWaits are lock waits around vacuums that are over, the last one first.
	PastWaits []LockWait
	// CountedWaits is what the server counted of waits for locks on relations since the
	// watching began (19): those, of all databases, that lasted longer than
	// deadlock_timeout. Absent before 19.
	CountedWaits Opt[LockTotals]
	Problems     []Problem
	// Filtered says what a Filter left of the snapshot; nil when it is whole.
	Filtered *Filtered
	// Blind tells that the last poll could not read what is being vacuumed: Active,
	// Analyzes and LockWaits are those of the poll at At.
	Blind bool
	Notes []Event // EventNote of the last minute, the last one last
	// Caption tells what a demonstration shows; nil where there is none. It is never
	// written again.
	Caption *Caption
	// SettingChanges are settings of the server that changed while it was watched,
	// whoever changed them, the last one first, at most maxSettingChanges.
	SettingChanges []SettingChange
	// Commands are what this program sent to change the server (EventCommand), the
	// last one first.
	Commands []Event
	// Cached are the first and the last reading of shared buffers; none where nobody
	// asked for them.
	Cached []CachedRead
}

// Link is the state of the connection that watches.
type Link struct {
	Lost     bool
	Since    time.Time      // when it was lost
	NextTry  Opt[time.Time] // when the next attempt is made
	Reason   Text           // why it was lost or the last attempt failed
	Attempts int
	// AskedAt is since when the server owes the answer to a read, or to an attempt to
	// connect; absent when it owes none.
	AskedAt Opt[time.Time]
}

// leastOverdue is how long an answer takes at least before it is missed. A read is
// given up after 5 s.
const leastOverdue = 2 * time.Second

// Overdue is for how long the server has owed an answer; absent while that is no
// longer than its answers take.
func (s *Snapshot) Overdue() Opt[time.Duration] {
	asked, ok := s.Link.AskedAt.Get()
	if waited := s.Now.Sub(asked); ok && waited >= max(leastOverdue, 2*s.Watch.RoundTrip) {
		return Some(waited)
	}
	return None[time.Duration]()
}

// ahead is how far Now is past the last poll while that is no sign of trouble: ages of
// what was in sight then have gone on since. 0 while the server does not answer.
func (s *Snapshot) ahead() time.Duration {
	if s.At.IsZero() || s.Blind || s.Link.Lost || s.Overdue().Known() {
		return 0
	}
	return max(0, s.Now.Sub(s.At))
}

// RunKey identifies a run: one VACUUM of one relation. A pid alone is reused,
// and one statement can vacuum several relations.
type RunKey struct {
	PID            int32
	BackendStart   time.Time
	StatementStart time.Time // 19's autovacuum: query_start of the leader; zero when masked
	DatID          uint32
	RelID          uint32
	Analyze        bool // the ANALYZE half of a VACUUM (ANALYZE)
}

// State says how far a run in sight is.
type State string

// The states of a run.
const (
	StateRunning State = "running"
	StateWaiting State = "waiting_for_lock" // it waits for its table lock and has no progress row yet
	StateHidden  State = "hidden"           // this role may not see more than that it exists
	StateEnded   State = "ended"
)

// Who started a vacuum, as pg_stat_progress_vacuum.started_by of 19 names it;
// before 19 it is inferred from backend_type and the query text.
const (
	ByManual               = "manual"
	ByAutovacuum           = "autovacuum"
	ByAutovacuumWraparound = "autovacuum_wraparound"
)

// Run is one vacuum of one relation from first to last sight.
type Run struct {
	Key      RunKey
	Group    uint64 // the ID of its Group; also set where a command turns out to be of one relation
	Command  string // VACUUM, VACUUM FULL, CLUSTER, REPACK; ANALYZE for the second half of a VACUUM (ANALYZE)
	State    State
	Database Text
	// Schema and Table are absent when they are not known: a masked row, a name not
	// yet read, a relation of another database that cannot be read (NameMissing).
	Schema, Table Opt[Text]
	ToastOf       Opt[RelationName]
	// NameSource is NameFromCatalog, NameFromStatement or NameFromLikeness; "" while
	// there is no name.
	NameSource string
	// NameMissing is why the catalog of the run's database gives no name; "" when it
	// does, or has not been asked.
	NameMissing string
	// StartedBy is ByManual, ByAutovacuum or ByAutovacuumWraparound; absent when masked.
	StartedBy Opt[string]
	// StartedByServer tells that the server said so (19); else it is inferred.
	StartedByServer bool
	Role            Opt[Text]
	ApplicationName Opt[Text]
	ClientAddr      Opt[Text] // absent for a local socket, for autovacuum, and when masked
	Statement       Opt[Text]
	// Relation is the catalog's entry of the table, as last read while the run was in
	// sight; nil where the catalog that is read is not that of the table.
	Relation *Relation

	FirstSeen, LastSeen time.Time
	// Began is the earliest time at which this relation's vacuum can have begun, in
	// a run seen from its start: the statement's start, or when the process was last
	// seen on the relation before. Zero in a run that is not FromStart.
	Began time.Time
	// FromStart tells that the run was seen from its beginning, to within one beat.
	FromStart bool
	Own       *Own `json:",omitempty"` // nil for a run that this program did not start
	// Progress is the last progress row seen; nil for a run that waits or is hidden.
	Progress *Progress
	// BlockedBy are the pids that block a waiting run; 0 is a prepared transaction.
	BlockedBy []int32
	// HeldUp is why a running vacuum stands still; nil when it does not.
	HeldUp *HeldUp
	// WaitedForLock is how long the run was seen waiting for its lock; absent when it was not.
	WaitedForLock Opt[time.Duration]

	Phases    []Span     // in order; the last one is current
	Processes []Member   // leader first, then workers of the current and the last index pass
	Earlier   []WaitTime // samples of workers of earlier passes, merged
	// EarlierWorkers is how many of these there were.
	EarlierWorkers int
	Parallel       Parallel
	Memory         Memory
	// DeadItems is how many dead rows were collected, over all passes that were seen;
	// absent before the first reading of them.
	DeadItems Opt[int64]
	Failsafe  *Failsafe // nil: it is not in failsafe mode, or that is not known
	Allows    Allowance // what the cost settings allow
	Left      Left
	// Whole is the time left of the whole run, as of the last poll that showed it.
	Whole Whole
	// Delay of the whole run, as far as it was watched.
	Delay Delay
	// DelayBefore is what the server had counted (delay_time, 18+) when the run was
	// first seen; absent in a run seen from its start, and where the value never moved.
	DelayBefore Opt[time.Duration]
	// History is how Delay and ProcessTime grew: a point for each beat, fewer where
	// the run is long. The last one can be older than the run's last sight.
	History []DelayPoint
	// Changes are the settings that changed while the run went on, in order, at most
	// maxRunChanges.
	Changes []RunChange
	// LimitChanges are the changes of how many share autovacuum's cost limit with the
	// run while it went on, in order, at most maxRunChanges.
	LimitChanges []LimitChange
	// ProcessTime is the sum over the run's processes of the time each was seen.
	ProcessTime time.Duration
	Samples     Count
	LockWaits   LockTally
	// ClusterWAL is how much WAL the whole server wrote from the reading before the run
	// to the one after it; absent on a standby.
	ClusterWAL Opt[Bytes]
	// ClusterIO is what the whole server read and wrote from the reading before the run
	// to the one after it; nil while it goes on, before 16, and where one is missing.
	ClusterIO *ClusterIO
	ioFrom    *readIO // before it; nil for none
	// Before and After are the catalog's entry of the table from before the vacuum
	// wrote it, and from after its end; nil where the run was not seen from its start,
	// and where the catalog was not read in time.
	Before, After *Relation
	// Keeper is who kept dead rows of the table from being removed, as last read after
	// the run began (Snapshot.HolderOf); nil for nobody.
	Keeper *XminHolder
	// KeeperSeen is when that was read; zero without a Keeper.
	KeeperSeen time.Time
	// Streaks are the longest runs of consecutive samples, one for each wait event of
	// the leader and of the workers.
	Streaks []WaitStreak
	// Watch is how it was watched, as of the last poll that showed it.
	Watch     Watch
	HeapBytes Opt[Bytes] // heap_blks_total x block_size
	Indexes   []Index    // of the relation, where the catalog was readable
	// Notices are the messages of the run's process (EventNotice): only a program that
	// runs the statement itself gets them.
	Notices []Event

	End *End // nil while in sight

	minutes []Minute // those that are over
	minute  Minute   // the current one

	counted     Opt[int64] // the table's count of such vacuums, last read while this one ran
	countedAt   time.Time  // when that was
	mark        catalogMark
	blocking    time.Time // since when a session can have waited for it; zero when none does
	keeperAsked bool      // who keeps dead rows was read after the run began

	// ahead is how far the snapshot's Now is past LastSeen while the run is taken to go on.
	ahead time.Duration
}

// Elapsed is how long the run took up to its last sight: since it began, where
// that was seen; else since the start of its statement, which for a command over
// several tables is more. Absent when that is masked.
func (r *Run) Elapsed() Opt[time.Duration] {
	if r.FromStart && r.State != StateWaiting && !r.OnlyWaited() {
		return Some(max(0, r.LastSeen.Add(r.ahead).Sub(r.Began)))
	}
	return r.StatementElapsed()
}

// StatementElapsed is the age of the run's statement now, or when the run was last
// seen if it has ended or the server does not answer; absent when its start is masked.
func (r *Run) StatementElapsed() Opt[time.Duration] {
	if r.Key.StatementStart.IsZero() {
		return None[time.Duration]()
	}
	return Some(max(0, r.LastSeen.Add(r.ahead).Sub(r.Key.StatementStart)))
}

// Watched is how long the run was seen.
func (r *Run) Watched() time.Duration { return r.LastSeen.Sub(r.FirstSeen) }

// OnlyWaited tells that the run was seen waiting for its table lock and in no phase:
// of one that ended, that nothing was seen to be vacuumed.
func (r *Run) OnlyWaited() bool { return r.WaitedForLock.Known() && r.Phase() == nil }

// Phase is the span the run is in; nil before the first.
func (r *Run) Phase() *Span {
	if len(r.Phases) == 0 {
		return nil
	}
	return &r.Phases[len(r.Phases)-1]
}

// Ending is the one way in which a run ended.
type Ending string

// The endings. A run that others started is gone, and whether it completed is told
// by the count of vacuums that the server keeps for the table; the server says it
// of a run that this program started.
const (
	EndCancelled    Ending = "cancelled"                 // started here only
	EndFailed       Ending = "failed"                    // started here only; End.SQLState says how
	EndCompleted    Ending = "completed"                 // the count rose
	EndNotCompleted Ending = "not completed"             // it did not
	EndGaveWay      Ending = "gave way"                  // an autovacuum that did not, and a session it had blocked for deadlock_timeout got its lock: probably
	EndNotVisible   Ending = "ended, result not visible" // no count could be read: another database, VACUUM FULL, too short
	EndLost         Ending = "lost"                      // it went while nobody watched
)

// End says when and how a run ended.
type End struct {
	At     time.Time // first sample without it; of a lost run the last one with it
	How    Ending
	Within time.Duration // the end lies within this time before At
	// Restarted is when the server was started anew after a lost run was last seen;
	// absent else. It ended the run, unless that had ended by itself.
	Restarted Opt[time.Time]
	// Open tells that the result may still become visible: the counts are read again.
	Open bool
	// SQLState and Message are the server's words on a run that this program started
	// and that did not complete; "" else.
	SQLState string
	Message  Text
}

// Span is one phase of a run, in one index pass.
type Span struct {
	Phase Text
	Pass  int // 1 for the first index pass and the scan before it
	// Passes is how many index passes the span covers: more than 1 where passes
	// were shorter than a tick, or where old spans were merged to stay in bounds.
	Passes int
	// Wall is the length on the wall, summed where spans were merged.
	Wall time.Duration
	// From and To are known to Uncertain each. To is the last sight while current.
	From, To  time.Time
	Uncertain time.Duration
	// Complete tells that both edges were seen; false for the phase in which the
	// watching began and for the one that is current.
	Complete    bool
	ProcessTime time.Duration // summed over its processes
	Delay       Delay
	Waits       []WaitTime // per process and wait event
	Lives       []ProcessLife
	Columns     []ColumnGrowth // what the program does not know of the progress view
	Moved       Moved

	sampled sleepCount // what Delay.Sampled is made of
	// idle is what of the time, Moved.Over or else Wall, does not tell of its pace: it
	// stood still, or nobody watched; below 0 where it would take longer now. unseen is
	// how far it went while nobody watched, stood how long it stood still, held up.
	idle  time.Duration
	stood time.Duration
	// stretch is how much longer it would have slept under the cost settings in force now.
	stretch time.Duration
	unseen  int64
}

// Moved is the counter that moves in a phase: from where to where of how many.
type Moved struct {
	Unit            string // UnitBlocks, UnitIndexes, UnitRows; "" where none moves
	From, To, Total int64
	Over            time.Duration // the time from From to To
}

// What moves in a phase.
const (
	UnitBlocks  = "blocks"
	UnitRows    = "rows" // of CLUSTER in an index's order: Total is not known
	UnitIndexes = "indexes"
)

// Rate is what moved per second; absent under MinShareWindow and where nothing is counted.
func (m Moved) Rate() Opt[PerSecond] {
	if m.Unit == "" || m.Over < MinShareWindow {
		return None[PerSecond]()
	}
	return Some(PerSecond(float64(m.To-m.From) / m.Over.Seconds()))
}

// MinShareWindow is the shortest time over which a share or a rate is shown:
// workers report their delay about once a second, so shorter windows lie.
const MinShareWindow = 3 * time.Second

// Delay is time slept on purpose (cost delay), over all processes of the run.
type Delay struct {
	// Reported is the growth of the server's delay_time (18+) while it was watched;
	// absent unless the value ever moved, because 0 also means that the timing is off.
	Reported Opt[time.Duration]
	// Sampled is the estimate from samples of Timeout/VacuumDelay; absent before
	// the first sample.
	Sampled Opt[time.Duration]
	// SampledError is half of the 95 % interval around Sampled.
	SampledError time.Duration
	// Unreported is what Reported lags behind, on average: a worker adds what it
	// slept about once a second, so half a second for each that is alive.
	Unreported time.Duration
}

// reportLag is how long, on average, a worker has not yet reported its delay.
const reportLag = time.Second / 2

// maxLag is how much of the process-time may be unreported before the estimate
// from samples says more than the reported number.
const maxLag = 0.02

// Best is the reported delay where there is one that does not lag far behind, else
// the estimate, and says which: estimated is true for the latter. processTime is
// that of the same phase or run.
func (d Delay) Best(processTime time.Duration) (delay Opt[time.Duration], estimated bool) {
	lags := float64(d.Unreported) > maxLag*float64(processTime)
	if d.Reported.Known() && !(lags && d.Sampled.Known()) {
		return d.Reported, false
	}
	return d.Sampled, true
}

// Share is the best delay as a share of process-time; absent over windows shorter
// than MinShareWindow on the wall.
func (d Delay) Share(processTime, wall time.Duration) (share Opt[Ratio], estimated bool) {
	best, estimated := d.Best(processTime)
	v, ok := best.Get()
	if !ok || wall < MinShareWindow || processTime == 0 {
		return None[Ratio](), estimated
	}
	return Some(min(1, Ratio(float64(v)/float64(processTime)))), estimated
}

// WaitTime counts the samples of one process in one wait event.
type WaitTime struct {
	PID          int32
	BackendStart time.Time
	Worker       bool
	// Wait is absent for samples on CPU (or in code that is not instrumented).
	Wait    Opt[Wait]
	Class   Class
	Samples int
	// Weight is the time these samples stand for: an estimate, never a measured wait.
	Weight time.Duration
}

// Count is how many samples were taken and how many were planned but missed.
type Count struct{ Taken, Missed int }

// Member is one process of a run.
type Member struct {
	PID          int32
	BackendStart time.Time
	Worker       bool // a parallel worker
	// Helper is the backend_type of a process that is neither leader nor parallel
	// worker, such as the REPACK decoding worker of 19; "" for those.
	Helper Text
	// Pass tells which launch of workers one belongs to (each index phase launches
	// its own), counted from 1; 0 for the leader.
	Pass      int
	FirstSeen time.Time
	LastSeen  time.Time
	Alive     bool
	// Wait is what the last sample saw; absent when it was on CPU (Active) or not known.
	Wait   Opt[Wait]
	Active bool
	// Profile is the samples over the whole run, PhaseProfile those of the current
	// phase; most samples first.
	Profile      []WaitTime
	PhaseProfile []WaitTime
	Samples      Count
	// Lane is the last LaneCells seconds, oldest first.
	Lane []LaneCell

	sampledAt time.Time  // up to when its process-time is counted
	streak    WaitStreak // its consecutive samples up to now
}

// LaneCells is how many seconds of a process's lane are kept.
const LaneCells = 240

// LaneCell is one second of one process.
type LaneCell struct {
	Second  int64 // Unix time of the server's clock
	Samples [Classes]uint16
}

// Taken is how many samples the cell holds.
func (c LaneCell) Taken() int {
	n := 0
	for _, s := range c.Samples {
		n += int(s)
	}
	return n
}

// Awake is the share of samples that were not asleep on purpose; absent without samples.
func (c LaneCell) Awake() Opt[Ratio] {
	n := c.Taken()
	if n == 0 {
		return None[Ratio]()
	}
	return Some(1 - Ratio(c.Samples[ClassDelay])/Ratio(n))
}

// AwakeClass is what the process did most when it was awake; absent when it slept
// through or there is no sample.
func (c LaneCell) AwakeClass() Opt[Class] {
	best, most := None[Class](), uint16(0)
	for class, n := range c.Samples {
		if Class(class) != ClassDelay && n > most {
			best, most = Some(Class(class)), n
		}
	}
	return best
}

// Parallel is how many workers were asked for, planned and launched.
type Parallel struct {
	// Asked is n of PARALLEL n; absent when the statement names none (the server
	// then uses as many as there are indexes for) or is not visible.
	Asked Opt[int]
	// Planned is what the server can plan for: the smallest of asked, eligible
	// indexes - 1 and max_parallel_maintenance_workers. Absent without the catalog.
	Planned Opt[int]
	// PlannedExact: said by the server's notice. Else an estimate from this
	// session's settings and the catalog's index sizes.
	PlannedExact bool
	// Launched is the number of distinct workers seen in the current (else the last)
	// index pass; absent before the first.
	Launched Opt[int]
	// Reason says what made fewer of them than asked, or launched fewer than
	// planned; "" when nothing did.
	Reason string
}

// Memory is the dead-item memory, in bytes (17+) or item pointers (13-16).
type Memory struct {
	Bytes     bool // Used and Max are bytes; else item pointers
	Used, Max int64
	Items     Opt[int64] // dead item pointers collected
	// Projected is the fill at the end of the scan; absent before 10 % of it and
	// outside it. Above 1 another index pass will come.
	Projected Opt[Ratio]
	// Passes is how many index passes are expected in all; absent when not known.
	Passes Opt[int]
	// Needed is the memory that would hold all dead items in one pass; absent
	// unless Projected is above 1.
	Needed Opt[Bytes]
}

// Known tells whether the server gave the numbers.
func (m Memory) Known() bool { return m.Max > 0 }

// Fill is used / max; it can exceed 1 on 17+.
func (m Memory) Fill() Ratio {
	if m.Max <= 0 {
		return 0
	}
	return Ratio(float64(m.Used) / float64(m.Max))
}

// Left is the time left in the current phase.
type Left struct {
	Range Opt[Range]
	// UntilFull tells that the range is the time until the memory for dead rows is
	// full, which ends this heap scan before the end of the heap.
	UntilFull bool
	WhyNot    string // why there is no range
	// Done is the phase's own progress, 0 to 1: of a heap scan the position in the
	// heap, of a heap pass the position up to where the scan stopped. Absent where
	// nothing is counted.
	Done Opt[Ratio]
}

// Analyze is one row of pg_stat_progress_analyze.
type Analyze struct {
	Half          bool // the second half of a VACUUM (ANALYZE): also a run
	PID           int32
	DatID         uint32
	Database      Text
	Schema, Table Opt[Text]
	Progress      Progress
	StartedAt     Opt[time.Time]
}

package model

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// queueOf folds a reading of the queue with the settings in force.
func queueOf(settings []Setting, read QueueRead, processes ...Process) *Snapshot {
	var tracker Tracker
	s := beat(1, 1000, processes...)
	s.Poll.Server.SeesAll = true
	s.Poll.Queue, s.Poll.Settings = &read, settings
	return tracker.Step(s)
}

func names(tables []QueuedTable) []string {
	var out []string
	for _, t := range tables {
		out = append(out, string(t.Name))
	}
	return out
}

func TestWhatHurtsMostComesFirst(t *testing.T) {
	disabled := []Text{"autovacuum_enabled=false"}
	s := queueOf(defaults(170000), QueueRead{Tables: []QueueTable{
		{RelID: 1, Name: "near", DeadTuples: 40},
		{RelID: 2, Name: "due", DeadTuples: 100},
		{RelID: 3, Name: "disabled", DeadTuples: 100_000, RelOptions: disabled},
		{RelID: 4, Name: "more due", InsSinceVacuum: 5000},
		{RelID: 5, Name: "old", XIDAge: 200_000_001, RelOptions: disabled},
		{RelID: 6, Name: "changed", ModSinceAnalyze: 60},
	}})
	want := []string{"old", "more due", "due", "changed", "disabled", "near"}
	if got := names(s.Queued()); !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	sentence := QueueSentence(s)
	if sentence != "4 tables are due for autovacuum; 1 table is past a threshold, with autovacuum_enabled off" {
		t.Error(sentence)
	}
}

// From 19 on the server's own score decides, and its word on what it would do.
func TestTheServersScoreDecides(t *testing.T) {
	s := queueOf(defaults(190000), QueueRead{Tables: []QueueTable{
		{RelID: 1, Name: "fuller", DeadTuples: 500, Score: &QueueScore{Score: 3, DoVacuum: true}},
		{RelID: 2, Name: "weighed", DeadTuples: 100, Score: &QueueScore{Score: 20, DoVacuum: true}},
		{RelID: 3, Name: "not by it", DeadTuples: 1000, Score: &QueueScore{Score: 30}},
	}})
	if got := names(s.Queued()); !slices.Equal(got, []string{"weighed", "fuller", "not by it"}) || s.Queued()[2].Due() {
		t.Errorf("order %v, %+v", got, s.Queued()[2])
	}
}

func TestWhereAutovacuumIsOffOnlyWraparoundIsDue(t *testing.T) {
	for _, name := range []string{"autovacuum", "track_counts"} {
		s := queueOf(defaults(170000, Setting{Name: name, Setting: "off"}), QueueRead{Tables: []QueueTable{
			{RelID: 1, Name: "dead", DeadTuples: 1000}, {RelID: 2, Name: "old", MXIDAge: 400_000_001},
		}})
		tables := s.Queued()
		if !tables[0].Wraparound || !tables[0].Vacuum || tables[1].Due() || s.Hindrance(tables[1]).Or("") != HinderedByServer || !strings.Contains(QueueSentence(s), name+" off") {
			t.Errorf("%s: %+v, %s", name, tables, QueueSentence(s))
		}
	}
}

// A lock keeps autovacuum from a table, but for wraparound it waits; the vacuum's own
// lock is none, and nor is that of its worker.
func TestWhoIsInTheWay(t *testing.T) {
	running := vacuumer(scanning(10, 100))
	worker := Process{PID: 101, LeaderPID: Some[int32](100), BackendType: Some[Text]("parallel worker")}
	holders := []Holder{
		{RelID: 16384, PID: 100}, {RelID: 16384, PID: 101, LeaderPID: Some[int32](100)},
		{RelID: 2, PID: 7, Waits: true}, {RelID: 2, PID: 8, State: Some[Text]("idle in transaction"), XactStart: Some(at(-59000))}, {RelID: 2, PID: 8},
		{RelID: 3, GID: Some[Text]("orphan")},
	}
	s := queueOf(defaults(170000), QueueRead{Holders: holders, Tables: []QueueTable{
		{RelID: 16384, Name: "running", DeadTuples: 100}, {RelID: 2, Name: "locked", DeadTuples: 99}, {RelID: 3, Name: "old", XIDAge: 300_000_000}, {RelID: 4, Name: "free", DeadTuples: 98},
	}}, running, worker)
	for name, want := range map[string]struct {
		hindrance Hindrance
		why       string
	}{
		"running": {"", "pid 100 works on it now."},
		"locked":  {HinderedByLock, "Autovacuum passes it over while pid 8 (idle in transaction for 1:00) has a lock on it, and 1 more."},
		"old":     {HinderedByLock, "Autovacuum, to prevent wraparound, waits as long as prepared transaction 'orphan' has a lock on it."},
		"free":    {"", ""},
	} {
		i := slices.IndexFunc(s.Queued(), func(t QueuedTable) bool { return string(t.Name) == name })
		table := s.Queued()[i]
		if got := s.Hindrance(table).Or(""); got != want.hindrance || s.Why(table) != want.why {
			t.Errorf("%s: %q, %q", name, got, s.Why(table))
		}
	}
}

func TestAllWorkersAreBusy(t *testing.T) {
	var workers []Process
	for pid := range int32(3) {
		workers = append(workers, Process{PID: 200 + pid, BackendType: Some[Text](autovacuumWorker)})
	}
	read := QueueRead{Tables: []QueueTable{{RelID: 1, Name: "due", DeadTuples: 100}}}
	for name, c := range map[string]struct {
		settings []Setting
		workers  []Process
		busy     bool
	}{
		"all":              {defaults(170000), workers, true},
		"one is free":      {defaults(170000), workers[:2], false},
		"slots are fewer":  {defaults(180000, Setting{Name: "autovacuum_worker_slots", Setting: "2"}), workers[:2], true},
		"slots are enough": {defaults(180000, Setting{Name: "autovacuum_worker_slots", Setting: "16"}), workers[:2], false},
	} {
		s := queueOf(c.settings, read, c.workers...)
		if got := s.Hindrance(s.Queued()[0]).Or("") == HinderedByWorkers; got != c.busy {
			t.Errorf("%s: busy %v", name, got)
		}
	}
}

// A role that does not see the workers is not told that none works.
func TestWorkersThatAreNotSeenAreNotCounted(t *testing.T) {
	var tracker Tracker
	if busy, _ := tracker.Step(beat(1, 1000)).Workers(); busy.Known() {
		t.Errorf("workers %v", busy)
	}
}

// What was vacuumed since the reading is not in the queue any more.
func TestAVacuumThatCompletedTakesItsTableFromTheQueue(t *testing.T) {
	s := queueOf(defaults(170000), QueueRead{Tables: []QueueTable{{RelID: 1, Name: "done", DeadTuples: 100}, {RelID: 2, Name: "not yet", DeadTuples: 100}}})
	ended := func(relid uint32, how Ending, after time.Duration) *Run {
		return &Run{Key: RunKey{RelID: relid, DatID: 5}, End: &End{How: how, At: s.Queue.ReadAt.Add(after)}}
	}
	s.Ended = []*Run{ended(1, EndCompleted, time.Second), ended(2, EndGaveWay, time.Second), ended(2, EndCompleted, -time.Second)}
	if got := names(s.Queued()); !slices.Equal(got, []string{"not yet"}) {
		t.Errorf("%v", got)
	}
}

func TestChosenTablesAreTheOnlyOnesInTheQueue(t *testing.T) {
	pattern, err := ParseTablePattern("public.b*")
	if err != nil {
		t.Fatal(err)
	}
	s := queueOf(defaults(170000), QueueRead{Tables: []QueueTable{
		{RelID: 1, Schema: "public", Name: "a"}, {RelID: 2, Schema: "public", Name: "b"},
		{RelID: 3, Schema: "pg_toast", Name: "pg_toast_2", ToastOf: &RelationName{"public", "b"}},
	}})
	if got := names((Filter{Tables: []TablePattern{pattern}}).View(s).Queued()); !slices.Equal(got, []string{"b", "pg_toast_2"}) {
		t.Errorf("%v", got)
	}
}

func TestAStandbyHasNoQueue(t *testing.T) {
	var tracker Tracker
	s := beat(1, 1000)
	s.Poll.Queue = &QueueRead{}
	if tracker.Step(s).Queue == nil {
		t.Error("a primary has none")
	}
	s = beat(2, 2000)
	s.Poll.Server.InRecovery = true
	if tracker.Step(s).Queue != nil {
		t.Error("a standby has one")
	}
}

func TestTheOldestTablesComeByWhatIsNearest(t *testing.T) {
	s := queueOf(defaults(170000), QueueRead{Tables: []QueueTable{
		{RelID: 1, Name: "xids", XIDAge: 150_000_000, MXIDAge: 1}, {RelID: 2, Name: "mxids", XIDAge: 1, MXIDAge: 399_000_000}, {RelID: 3, Name: "young", XIDAge: 1},
	}})
	edges := s.OldestEdges()
	if len(edges) != 3 || !edges[0].Multixacts || edges[0].Age != 399_000_000 || edges[1].Age != 150_000_000 || edges[1].Multixacts {
		t.Errorf("%+v", edges)
	}
}

package model

import "strings"

// Wait is what a process waits for, under the server's names
// (pg_stat_activity.wait_event_type and .wait_event). The names differ between
// versions; compare through Class or in lower case.
type Wait struct {
	Type  Text `json:"type,omitzero"`
	Event Text `json:"event,omitzero"`
}

// String is the form used on screen and in reports: "VacuumDelay" where the
// event's name alone is clear, "LWLock:WALWrite" where a name exists in two types.
func (w Wait) String() string {
	switch strings.ToLower(string(w.Type)) {
	case "lwlock", "lock", "io":
		return w.Type.Display() + ":" + w.Event.Display()
	}
	return w.Event.Display()
}

// Name is the form used in tables that people compare: the event alone, with its type
// where a server of that version (server_version_num) has it in two types.
func (w Wait) Name(version int) string {
	ambiguous := w.Event == "SyncRep" || w.Event == "WALWrite" && version < 170000
	if ambiguous {
		return w.Type.Display() + ":" + w.Event.Display()
	}
	return w.Event.Display()
}

// Class says what kind of time a sample is. Every sample belongs to exactly one.
type Class uint8

// The classes, in the order in which they are tried and listed.
const (
	ClassDelay  Class = iota // asleep on purpose: Timeout/VacuumDelay
	ClassLock                // waits for somebody: Lock, pins, cleanup locks, the truncation lock
	ClassWAL                 // WAL writes and WAL locks
	ClassIO                  // reads and writes of data
	ClassLWLock              // other lightweight locks and buffer locks
	ClassLeader              // the leader waits for its workers: IPC/ParallelFinish
	ClassCPU                 // running, or in code that is not instrumented
	ClassOther               // everything else, named where it is shown
	Classes                  // how many there are
)

var classNames = [Classes]string{"delay", "lock", "wal", "io", "lwlock", "leader", "cpu", "other"}

// String returns the class's name: delay, lock, wal, io, lwlock, leader, cpu, other.
func (c Class) String() string { return classNames[c] }

// Class returns the wait's class; the names of all versions are known, others
// are ClassOther.
func (w Wait) Class() Class {
	typ, event := strings.ToLower(string(w.Type)), strings.ToLower(string(w.Event))
	switch {
	case typ == "timeout" && event == "vacuumdelay":
		return ClassDelay
	case typ == "lock", typ == "bufferpin", typ == "buffer" && event == "buffercleanup",
		typ == "timeout" && event == "vacuumtruncate":
		return ClassLock
	case (typ == "io" || typ == "lwlock") && strings.HasPrefix(event, "wal"):
		return ClassWAL
	case typ == "io", typ == "ipc" && event == "bufferio",
		typ == "lwlock" && (event == "bufferio" || strings.HasPrefix(event, "aio")):
		return ClassIO
	case typ == "lwlock", typ == "buffer":
		return ClassLWLock
	case typ == "ipc" && event == "parallelfinish":
		return ClassLeader
	}
	return ClassOther
}

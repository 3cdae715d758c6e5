package model

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Words is what is counted, in words.
func (of PressureOf) Words() string {
	return map[PressureOf]string{
		PressureDead: "dead rows", PressureInserted: "inserted rows", PressureChanged: "changed rows",
		PressureXIDs: "xid age", PressureMXIDs: "multixact age",
	}[of]
}

// String is "dead rows 1,204,332 of 50,050".
func (p Pressure) String() string {
	return fmt.Sprintf("%s %s of %s", p.Of.Words(), FormatCount(p.Have), FormatThreshold(p.Threshold))
}

// FormatThreshold writes a threshold as a whole number.
func FormatThreshold(t float64) string { return FormatCount(int64(min(math.Floor(t), 1<<62))) }

// FormatFull writes how full a count is: 87 %, and from its threshold on ×1.2, ×24.
func FormatFull(r Ratio) string {
	switch {
	case r >= 10:
		return "×" + FormatCount(int64(min(float64(r), 1<<62)))
	case r >= 1:
		return fmt.Sprintf("×%.1f", float64(r))
	}
	return FormatPercent(r)
}

// QueueSentence says how many tables are due, and what keeps autovacuum from them; ""
// before the queue was read, and when nothing is due or past a threshold.
func QueueSentence(s *Snapshot) string {
	due, locked, over := 0, 0, 0
	for _, t := range s.Queued() {
		switch {
		case t.Due():
			due++
		case t.Over():
			over++
		}
		if s.Hindrance(t).Or("") == HinderedByLock {
			locked++
		}
	}
	var parts []string
	if due > 0 {
		parts = append(parts, s.tables(due)+" due for autovacuum")
	}
	if locked > 0 {
		parts = append(parts, FormatCount(int64(locked))+" kept from it by a lock")
	}
	if over > 0 {
		off := "autovacuum_enabled"
		if s.Queue.Off != "" {
			off = s.Queue.Off
		}
		parts = append(parts, fmt.Sprintf("%s past a threshold, with %s off", s.tables(over), off))
	}
	return strings.Join(parts, "; ")
}

// tables counts tables of the queue: "1 table is", "≥500 tables are".
func (s *Snapshot) tables(n int) string {
	count := FormatCounted(n, "table is", "tables are")
	if !s.Queue.Whole {
		count = "≥" + count
	}
	return count
}

// Why says what keeps autovacuum from a table of the queue, or who works on it, in a
// sentence that is safe to print; "" when there is nothing to say.
func (s *Snapshot) Why(t QueuedTable) string {
	if pids := s.WorksOn(t); len(pids) > 0 {
		return pidList(pids) + " works on it now."
	}
	hindrance, ok := s.Hindrance(t).Get()
	switch {
	case !ok:
		return ""
	case hindrance == HinderedByServer:
		return s.Queue.Off + " is off: autovacuum begins only where wraparound is near."
	case hindrance == HinderedByTable:
		return "autovacuum_enabled is off for it: autovacuum begins only when wraparound is near."
	case hindrance == HinderedByWorkers:
		_, most := s.Workers()
		return fmt.Sprintf("All %d workers of autovacuum are busy.", most.Or(0))
	}
	who := s.InTheWay(t)
	out := "Autovacuum passes it over while "
	if t.Wraparound {
		out = "Autovacuum, to prevent wraparound, waits as long as "
	}
	out += who[0].Who(s.At)
	if who[0].Waits {
		out += " waits for a lock on it"
	} else {
		out += " has a lock on it"
	}
	if n := len(who) - 1; n > 0 {
		out += fmt.Sprintf(", and %d more", n)
	}
	return out + "."
}

// Who is who the blocker is and what it does, safe to print.
func (b Blocker) Who(now time.Time) string {
	if b.PID == 0 {
		return "prepared transaction " + quoteLiteral(b.GID.Or(""))
	}
	out := fmt.Sprintf("pid %d", b.PID)
	if does := sessionDoes(b.State, b.XactStart, b.Role, b.ApplicationName, now); does != "" {
		out += " (" + does + ")"
	}
	return out
}

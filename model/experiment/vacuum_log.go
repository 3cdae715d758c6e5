package experiment

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// LogLinePrefix is the log_line_prefix of a log that VacuumLog reads: the time, to the
// millisecond, and the process id.
const LogLinePrefix = "%n [%p]:"

// VacuumLog reads the autovacuums in a server's log in English, which logs all of them
// (log_autovacuum_min_duration is 0). The zero VacuumLog has read nothing.
//
// An entry is a line that begins with the prefix, and lines behind it that begin with a
// tab. What they say differs between versions; lines and keys that are not known are
// passed over.
type VacuumLog struct {
	read     []LoggedVacuum
	inEntry  bool
	failsafe map[string]string // pid to the table whose vacuum became a failsafe
}

// LoggedVacuum is what the log says of one vacuum.
type LoggedVacuum struct {
	Vacuum // Start is to 10 ms
	// TuplesRemoved are the dead row versions that it removed.
	TuplesRemoved int64
	// Pages are those of the table afterwards, PagesScanned those that it read; before 15
	// the server logs only those that it passed over because they are frozen, and the others
	// are taken as read.
	Pages, PagesScanned int64
}

var (
	logEntry    = regexp.MustCompile(`^(\d+)\.(\d{3}) \[(\d+)\]:(\w+):  (.*)`)
	logVacuum   = regexp.MustCompile(`^automatic (aggressive )?vacuum (to prevent wraparound )?of table "[^.]*\.(.*)": index scans:`)
	logFailsafe = regexp.MustCompile(`^bypassing nonessential maintenance of table "[^.]*\.(.*)" as a failsafe`)
	logPages    = regexp.MustCompile(`^\tpages: \d+ removed, (\d+) remain, (?:(\d+) scanned|.* (\d+) skipped frozen)`)
	logTuples   = regexp.MustCompile(`^\ttuples: (\d+) removed`)
	logFrozen   = regexp.MustCompile(`^\tfrozen: (\d+) pages from table .* had (\d+) tuples frozen`)
	logElapsed  = regexp.MustCompile(`^\tsystem usage: .*elapsed: (\d+\.\d+) s`)
)

// Line reads the next line of the log, without its end.
func (l *VacuumLog) Line(line string) {
	if strings.HasPrefix(line, "\t") {
		if l.inEntry {
			l.read[len(l.read)-1].add(line)
		}
		return
	}
	l.inEntry = false
	entry := logEntry.FindStringSubmatch(line)
	if entry == nil {
		return
	}
	pid, said := entry[3], entry[5]
	if f := logFailsafe.FindStringSubmatch(said); f != nil {
		if l.failsafe == nil {
			l.failsafe = map[string]string{}
		}
		l.failsafe[pid] = f[1]
	}
	v := logVacuum.FindStringSubmatch(said)
	if v == nil {
		return
	}
	l.inEntry = true
	l.read = append(l.read, LoggedVacuum{Vacuum: l.vacuum(pid, v, logTime(entry[1], entry[2]))})
}

// vacuum is what the first line of its entry says.
func (l *VacuumLog) vacuum(pid string, said []string, at time.Time) Vacuum {
	v := Vacuum{Table: said[3], Start: at, End: at, Kind: VacuumNormal, StartedBy: model.ByAutovacuum}
	if said[1] != "" {
		v.Kind = VacuumAggressive
	}
	if l.failsafe[pid] == v.Table {
		v.Kind = VacuumFailsafe
	}
	delete(l.failsafe, pid)
	if said[2] != "" {
		v.StartedBy = model.ByAutovacuumWraparound
	}
	return v
}

// add reads a further line of a vacuum's entry.
func (v *LoggedVacuum) add(line string) {
	if m := logPages.FindStringSubmatch(line); m != nil {
		v.Pages = digits(m[1])
		v.PagesScanned = digits(m[2])
		if m[3] != "" {
			v.PagesScanned = v.Pages - digits(m[3])
		}
	}
	if m := logTuples.FindStringSubmatch(line); m != nil {
		v.TuplesRemoved = digits(m[1])
	}
	if m := logFrozen.FindStringSubmatch(line); m != nil {
		v.PagesFrozen, v.TuplesFrozen = model.Some(digits(m[1])), model.Some(digits(m[2]))
	}
	if m := logElapsed.FindStringSubmatch(line); m != nil {
		seconds, _ := strconv.ParseFloat(m[1], 64) // it is a number
		v.Start = v.End.Add(-time.Duration(math.Round(seconds*100)) * 10 * time.Millisecond)
	}
}

func logTime(seconds, milliseconds string) time.Time {
	return time.Unix(digits(seconds), digits(milliseconds)*int64(time.Millisecond))
}

// digits is the number that they make; the largest where it is larger.
func digits(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // of digits it fails only by what it then returns
	return n
}

// Vacuums are those that were read, in the order of their ends.
func (l *VacuumLog) Vacuums() []LoggedVacuum { return l.read }

package report

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// Impact is what the run cost the server.
type Impact struct {
	Part
	// Verbose are the server's own words on a run that vacscope started with VERBOSE.
	Verbose []model.Text
	// Usage is what they say of buffers and WAL, as far as they are in English and of a
	// version that says it (15 and newer).
	Usage Usage
	// ClusterWAL is what the whole server wrote meanwhile, whoever did.
	ClusterWAL model.Opt[model.Bytes]
	// ClusterIO is what the whole server read and wrote meanwhile; nil where that is not
	// known (before 16, and while the run goes on).
	ClusterIO *model.ClusterIO
}

// Usage is what a vacuum used, by its own account.
type Usage struct {
	BuffersHit, BuffersRead, BuffersDirtied model.Opt[int64]
	WALRecords, WALFullPages                model.Opt[int64]
	WALBytes                                model.Opt[model.Bytes]
}

// The lines of VERBOSE that tell what was used; 15 to 17 call what was read misses.
var (
	bufferUsage = regexp.MustCompile(`buffer usage: (\d+) hits, (\d+) (?:misses|reads), (\d+) dirtied`)
	walUsage    = regexp.MustCompile(`WAL usage: (\d+) records, (\d+) full page images, (\d+) bytes`)
)

func newImpact(r *model.Run) Impact {
	out := Impact{Part: Part{unseen(r)}, ClusterWAL: r.ClusterWAL, ClusterIO: r.ClusterIO}
	for _, n := range r.Notices {
		if ofAnother(r, string(n.Text)) {
			continue
		}
		out.Verbose = append(out.Verbose, n.Text)
		out.Usage.read(string(n.Text))
	}
	if out.Missing == "" && len(out.Verbose) == 0 && !out.ClusterWAL.Known() && out.ClusterIO == nil {
		out.Missing = "only a run that vacscope starts with VERBOSE tells what it used"
	}
	return out
}

// vacuumed finds which relation a message of VERBOSE is of, where it begins with that.
var vacuumed = regexp.MustCompile(`^[a-z ]*vacuuming "(.*)"`)

// ofAnother tells whether a message names another relation than the run's: one statement
// vacuums a table's TOAST relation too, and can vacuum many tables.
func ofAnother(r *model.Run, message string) bool {
	schema, known := r.Schema.Get()
	first, _, _ := strings.Cut(message, "\n")
	named := vacuumed.FindStringSubmatch(first)
	if named == nil || !known {
		return false
	}
	relation := string(schema + "." + r.Table.Or(""))
	return named[1] != relation && named[1] != string(r.Database)+"."+relation // before 15 without the database
}

// read takes what a message says; the last one that says something counts.
func (u *Usage) read(message string) {
	take := func(pattern *regexp.Regexp, to ...*model.Opt[int64]) {
		for i, digits := range pattern.FindStringSubmatch(message) {
			if n, err := strconv.ParseInt(digits, 10, 64); i > 0 && err == nil {
				*to[i-1] = model.Some(n)
			}
		}
	}
	var bytes model.Opt[int64]
	take(bufferUsage, &u.BuffersHit, &u.BuffersRead, &u.BuffersDirtied)
	take(walUsage, &u.WALRecords, &u.WALFullPages, &bytes)
	if bytes.Known() {
		u.WALBytes = model.Some(model.Bytes(bytes.Or(0)))
	}
}

// section is the impact as people read it.
func (i *Impact) section() Section {
	s := Section{Name: "impact", Title: "Impact", Missing: i.Missing}
	add := func(what string, n model.Opt[int64]) {
		if n.Known() {
			s.Facts = append(s.Facts, Fact{what, text(n, model.FormatCount)})
		}
	}
	u := i.Usage
	add("buffers hit", u.BuffersHit)
	add("read", u.BuffersRead)
	add("dirtied", u.BuffersDirtied)
	add("WAL records", u.WALRecords)
	add("full pages", u.WALFullPages)
	add("WAL bytes", mapped(u.WALBytes, func(b model.Bytes) int64 { return int64(b) }))
	if wal, known := i.ClusterWAL.Get(); known {
		s.Facts = append(s.Facts, Fact{"WAL", model.FormatBytes(wal) + ", of the whole cluster during the run"})
	}
	if i.ClusterIO != nil {
		s.Grids = append(s.Grids, ioGrid(i.ClusterIO))
		s.Notes = append(s.Notes, "Of all processes, by what they had added to the server's counts. A vacuum adds its own when it is done with the table, its parallel workers when they exit. Context vacuum: what went through the buffers that vacuums take turns with.")
	}
	for _, message := range i.Verbose {
		for line := range strings.Lines(string(message)) {
			s.Lines = append(s.Lines, hang("", model.Text(strings.TrimRight(line, "\n")).Display())...)
		}
	}
	return s
}

// ioGrid is a row for each context in which something was read or written.
func ioGrid(io *model.ClusterIO) Grid {
	clock := func(t time.Time) string { return t.UTC().Format(time.TimeOnly) }
	g := newGrid("Relation I/O of the whole cluster during the run, "+clock(io.From)+" to "+clock(io.To)+" (UTC)",
		"context", "#hits", "#reads", "#read", "#writes", "#written", "#extended", "#fsyncs")
	for _, c := range io.Contexts {
		g.add(c.Context.Display(), model.FormatCount(c.Hits), model.FormatCount(c.Reads), model.FormatBytes(c.ReadBytes),
			model.FormatCount(c.Writes), model.FormatBytes(c.WriteBytes), model.FormatBytes(c.ExtendBytes), model.FormatCount(c.Fsyncs))
	}
	return g
}

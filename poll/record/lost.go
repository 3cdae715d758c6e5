package record

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// Lost says, in sentences, what of the recording could not be read, and what is not as
// it should be, as far as it was read: empty is good news. Times are in a zone.
func (r *Reader) Lost(zone *time.Location) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	clock := func(t time.Time) string { return t.In(zone).Format("15:04:05") }
	var out []string
	var last time.Time // of the samples so far
	ends := false
	for n := 0; n < len(r.read); n++ {
		c := r.read[n]
		if r.isDamaged(n) {
			from := n
			for n+1 < len(r.read) && r.isDamaged(n+1) {
				n++
			}
			out = append(out, r.damage(from, n, last, clock))
			continue
		}
		if !c.to.IsZero() {
			last = c.to
		}
		if c.badLines > 0 {
			out = append(out, fmt.Sprintf("%s around %s could not be understood.", model.FormatCounted(c.badLines, "line", "lines"), clock(last)))
		}
		if !c.server.IsZero() {
			out = append(out, fmt.Sprintf("From %s on another server answered (another system identifier).", clock(c.server)))
		}
		if c.other != nil {
			out = append(out, fmt.Sprintf("Behind %s another recording follows, of %s, which is not read.", clock(last), whose(*c.other, r.header)))
			return out
		}
		ends = ends || c.ends
	}
	if n := len(r.read); n > 0 && r.read[n-1].read && !ends {
		end := "it has no sample"
		if !last.IsZero() {
			end = "its last whole sample is of " + clock(last)
		}
		out = append(out, "The recording has no end: it was cut off, or is still being written; "+end+".")
	}
	return out
}

// damage says what is lost between two frames, those among it.
func (r *Reader) damage(from, to int, last time.Time, clock func(time.Time) string) string {
	size := r.frames[to].end() - r.frames[from].offset
	next := time.Time{}
	for n := to + 1; n < len(r.read) && next.IsZero(); n++ {
		next = r.read[n].from
	}
	when := ""
	switch {
	case !last.IsZero() && !next.IsZero():
		when = fmt.Sprintf(" The time from %s to %s is lost.", clock(last), clock(next))
	case !last.IsZero():
		when = fmt.Sprintf(" What came after %s is lost.", clock(last))
	}
	return fmt.Sprintf("The file is damaged: %s cannot be read.%s", model.FormatBytes(model.Bytes(size)), when)
}

// whose tells another recording from this one.
func whose(other, this Header) string {
	if other.Server.SystemIdentifier != this.Server.SystemIdentifier {
		return "another server"
	}
	return "the same server"
}

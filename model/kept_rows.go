package model

import (
	"regexp"
	"strconv"
	"strings"
)

// What VERBOSE says of dead rows that could not be removed: of the table from 15 on in
// its last message, before in the detail of the one that begins with the table's name.
// The server's own language decides the words; only these are known.
var (
	keptRows   = regexp.MustCompile(`, (\d+) are dead but not yet removable`)
	keptRows14 = regexp.MustCompile(`(\d+) dead row versions cannot be removed yet`)
)

// KeptRows is how many dead rows the run found and could not remove, because somebody
// could still see them. Absent unless its own messages say so: it was sent from here
// with VERBOSE, has come to its end, and the server speaks English.
func (r *Run) KeptRows() Opt[int64] {
	if r.Command != "VACUUM" || !r.Table.Known() {
		return None[int64]()
	}
	whole := `"` + r.Database + "." + r.Schema.Or("") + "." + r.Table.Or("") + `"`
	for _, n := range r.Notices {
		text, of := string(n.Text), keptRows
		first, _, _ := strings.Cut(text, "\n")
		if !strings.Contains(first, string(whole)) {
			if of = keptRows14; !strings.Contains(first, `"`+string(r.Table.Or(""))+`": found`) {
				continue
			}
		}
		if found := of.FindStringSubmatch(text); found != nil {
			if kept, err := strconv.ParseInt(found[1], 10, 64); err == nil {
				return Some(kept)
			}
		}
	}
	return None[int64]()
}

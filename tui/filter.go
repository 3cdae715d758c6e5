package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// filter is a text that a person typed: what is listed has it somewhere in its
// database, schema, table, pids, role, who started it or its phase, in any case.
// The zero filter lets everything through.
type filter struct{ text string }

// maxFilter is how long a filter can be, in characters; a name has at most 63.
const maxFilter = 100

func (f filter) set() bool { return f.text != "" }

// has tells whether one of the texts, as they read on the screen, has the filter's.
func (f filter) has(texts ...string) bool {
	sought := strings.ToLower(f.text)
	for _, t := range texts {
		if strings.Contains(strings.ToLower(t), sought) {
			return true
		}
	}
	return false
}

// run tells whether a run of a snapshot is let through.
func (f filter) run(s *model.Snapshot, r *model.Run) bool {
	if !f.set() {
		return true
	}
	texts := []string{
		s.NameOf(r), r.Database.Display(), r.Command, plainText(startedBy(r)), plainText(phaseName(r)),
		r.Schema.Or("").Display(), r.Table.Or("").Display(), r.Role.Or("").Display(), r.StartedBy.Or(""), fmt.Sprint(r.Key.PID),
	}
	if phase := r.Phase(); phase != nil {
		texts = append(texts, phase.Phase.Display())
	}
	for _, m := range r.Processes {
		texts = append(texts, fmt.Sprint(m.PID))
	}
	return f.has(texts...)
}

// wait tells whether a lock wait is let through: by its own session and relation,
// or by the pid of who blocks it.
func (f filter) wait(w model.LockWait) bool {
	if !f.set() {
		return true
	}
	texts := []string{
		w.Database.Or("").Display(), w.Schema.Or("").Display(), w.Table.Or("").Display(),
		w.Role.Or("").Display(), fmt.Sprint(w.PID), plainText(wantedOn(w, wideLocks)),
	}
	for _, b := range w.BlockedBy {
		if b != 0 {
			texts = append(texts, fmt.Sprint(b))
		}
	}
	return f.has(texts...)
}

// note says how many of all are let through, and by what; "" without a filter.
func (f filter) note(shown, all int) string {
	if !f.set() {
		return ""
	}
	const longest = 24
	return f.count(shown, all) + ": " + ansi.Truncate(show(model.Text(f.text)), longest, ellipsis)
}

func (f filter) count(shown, all int) string { return fmt.Sprintf("%d of %d match", shown, all) }

// plainText is a line without its styles.
func plainText(l line) string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.text)
	}
	return b.String()
}

package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// horizon is who keeps dead rows of what the run vacuums, the oldest first.
func (p *runPage) horizon(w int) []line {
	h := p.snap.Horizon
	if h == nil || p.run.Command != "VACUUM" {
		return nil
	}
	var lines []line
	if kept, ok := p.run.KeptRows().Get(); ok {
		lines = append(lines, plain("this vacuum left "+model.FormatCounted(kept, "dead row", "dead rows")+" that somebody could still see"))
	}
	for _, holder := range p.snap.HoldersOf(p.run) {
		lines = append(lines, holderLines(holder, p.snap, w)...)
	}
	if len(lines) == 0 {
		lines = append(lines, text(styleDim, "nobody"))
	}
	return append(lines, horizonNote(p.snap, w)...)
}

// holderLines are one holder, and what would end it.
func holderLines(h model.XminHolder, s *model.Snapshot, w int) []line {
	lines := wrapped(show(model.Text(h.Who(s.At)+": dead rows of the last "+model.FormatCount(h.Age)+" transactions")), stylePlain, w)
	ends := h.EndedElse()
	if sql := h.EndedBy(); sql != "" {
		ends = "ended by " + sql
	}
	return append(lines, indented(show(model.Text(ends)), styleDim, 2, w)...)
}

// horizonNote says how old the reading is and what is missing in it.
func horizonNote(s *model.Snapshot, w int) []line {
	note := fmt.Sprintf("read %s ago; what a vacuum can remove is fixed when its table begins: ending somebody helps the next one", model.FormatDuration(s.Now.Sub(s.Horizon.ReadAt)))
	if len(s.HoldersHere()) > 0 {
		note += "; " + label(actEnd) + " can end one"
	}
	for _, part := range s.Horizon.Unread {
		note += "; " + part + " could not be read"
	}
	return wrapped(note, styleDim, w)
}

// indented wraps a text behind so many blanks.
func indented(t string, s style, by, w int) []line {
	var lines []line
	for _, l := range wrap(t, w-by) {
		lines = append(lines, text(s, strings.Repeat(" ", by)+l))
	}
	return lines
}

package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// name is the run's table, and the command where it is not a plain VACUUM. Where
// the name does not fit, the schema is what tells it least from others.
func (v *vacuums) name(r *model.Run, w int) line {
	if r.State == model.StateHidden {
		return plain(fmt.Sprintf("pid %d", r.Key.PID))
	}
	if g := v.grouping.of(r); g != nil && (r.Command == "VACUUM" || g.End != nil) {
		return v.groupName(g, r, w)
	}
	name := show(model.Text(v.snap.NameOf(r)))
	command := rewrites(r, name, w)
	if command != "" {
		w -= ansi.StringWidth(command) + 1
	}
	if table, known := r.Table.Get(); known && ansi.StringWidth(name) > w {
		name = ellipsis + show(table.QuoteIdent())
	}
	if command == "" {
		return plain(name)
	}
	return line{{ansi.Truncate(name, max(0, w), ellipsis) + " ", stylePlain}, {command, rewriteStyle(r)}}
}

// rewrites names the command of a run that is no plain VACUUM, as fully as w cells
// allow beside the table's name.
func rewrites(r *model.Run, name string, w int) string {
	command := show(model.Text(r.Command))
	if command == "VACUUM" || command == "" {
		return ""
	}
	if ansi.StringWidth(name)+1+ansi.StringWidth(command) > w {
		command = strings.TrimPrefix(command, "VACUUM ")
	}
	return command
}

// rewriteStyle warns of the commands that let nobody else at the table. REPACK
// (CONCURRENTLY) does, and may be what a REPACK is.
func rewriteStyle(r *model.Run) style {
	switch r.Command {
	case "ANALYZE":
		return stylePlain
	case "REPACK":
		return styleNote
	}
	return styleBad
}

// nameWidth is what the names of the first runs need, in steps, so that it seldom
// changes: from least cells to half as many more.
func (v *vacuums) nameWidth(least int) int {
	const looked, step = 40, 4
	need := least
	for _, r := range v.runs[:min(looked, len(v.runs))] {
		need = max(need, v.name(r, 2*least).width())
	}
	return min(least*3/2, (need+step-1)/step*step)
}

package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// name is the run's table, and the command where it is not a plain VACUUM.
func (v *vacuums) name(r *model.Run, w int) line {
	if r.State == model.StateHidden {
		return plain(fmt.Sprintf("pid %d", r.Key.PID))
	}
	if g := v.grouping.of(r); g != nil && (r.Command == "VACUUM" || g.End != nil) {
		return v.groupName(g, r, w)
	}
	names := v.names(r)
	command := rewrites(r, names[0], w)
	if command != "" {
		w -= ansi.StringWidth(command) + 1
	}
	name := firstFit(w, names...)
	if command == "" {
		return plain(name)
	}
	return line{{ansi.Truncate(name, max(0, w), ellipsis) + " ", stylePlain}, {command, rewriteStyle(r)}}
}

// names are the name of the run's relation in ever fewer cells: without the schema, which
// tells it least from others, then without its database. One that is known by its number
// keeps that and the database.
func (v *vacuums) names(r *model.Run) []string {
	full, short, in := show(model.Text(v.snap.NameOf(r))), v.shortName(r), v.elsewhere(r)
	switch {
	case r.ToastOf.Known():
		return []string{full, short + in, short}
	case r.Table.Known():
		return []string{full, ellipsis + short + in, ellipsis + short}
	case r.Key.RelID != 0:
		return []string{full, short + in, fmt.Sprint(r.Key.RelID) + in}
	}
	return []string{full}
}

// shortName is the run's relation without schema and database.
func (v *vacuums) shortName(r *model.Run) string {
	owner, isToast := r.ToastOf.Get()
	table, named := r.Table.Get()
	switch {
	case isToast:
		return "TOAST of " + show(owner.Name.QuoteIdent())
	case named:
		return show(table.QuoteIdent())
	case r.Key.RelID != 0:
		return fmt.Sprintf("oid %d", r.Key.RelID)
	}
	return show(model.Text(v.snap.NameOf(r)))
}

// elsewhere is " in DATABASE" for a run in another database than the one connected to.
func (v *vacuums) elsewhere(r *model.Run) string {
	if r.Database == "" || r.Database == v.snap.Server.Database {
		return ""
	}
	return " in " + show(r.Database.QuoteIdent())
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

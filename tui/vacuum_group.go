package tui

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// groupName is the name of a row that stands for a command over several relations:
// the tree's root and the current leaf, and which of how many it is. Narrow
// columns keep the table and the count.
func (v *vacuums) groupName(g *model.Group, r *model.Run, w int) line {
	if g.End != nil {
		return v.groupOver(g, r, w)
	}
	full, short := v.snap.NameOf(r), v.shortName(r)+v.elsewhere(r)
	if root, ok := g.Root.Get(); ok && g.Kind == model.GroupTree {
		full = root.Display() + " → " + short
		count, slim := counted(g)
		name := root.Name.QuoteIdent().Display()
		return candidates(w, full+"  "+count, name+" → "+short+"  "+count, name+" → "+short+" "+slim, short+" "+slim)
	}
	if g.Kind == model.GroupTable {
		return candidates(w, full, short)
	}
	count, slim := counted(g)
	return candidates(w, full+"  "+count, short+"  "+count, short+" "+slim)
}

// groupOver is what a command that is over was given.
func (v *vacuums) groupOver(g *model.Group, r *model.Run, w int) line {
	tables := model.FormatCounted(max(g.Number.Or(1), g.Total.Or(0)), "table", "tables")
	if g.EstimatedTotal() {
		tables = glyphEstimate + tables
	}
	root, known := g.Root.Get()
	switch {
	case g.Kind == model.GroupTree && known:
		n := model.FormatCounted(max(g.Number.Or(1), g.Total.Or(0)), "partition", "partitions")
		return candidates(w, root.Display()+"  "+n, root.Name.QuoteIdent().Display()+"  "+n, root.Name.QuoteIdent().Display())
	case g.Kind == model.GroupTable:
		return candidates(w, v.names(r)...)
	case g.Kind == model.GroupSession:
		return candidates(w, "vacuumdb  "+glyphAtLeast+tables, fmt.Sprintf("vacuumdb %s%d", glyphAtLeast, g.Number.Or(1)), "vacuumdb")
	case g.Kind == model.GroupDatabase:
		database := g.Database.QuoteIdent().Display()
		return candidates(w, "database "+database+"  "+tables, database+"  "+tables, "all "+tables, database)
	}
	return candidates(w, v.snap.NameOf(r)+" and others  "+tables, v.shortName(r)+"  "+tables, tables)
}

// counted is "17 of 50", and in fewer cells "17/50".
func counted(g *model.Group) (full, slim string) {
	number := fmt.Sprint(g.Number.Or(1))
	switch {
	case g.AtLeast:
		number = glyphAtLeast + number
	case g.EstimatedTotal():
		number = glyphEstimate + number
	}
	total, known := g.Total.Get()
	if !known {
		return number, number
	}
	return number + " of " + model.FormatCount(int64(total)), fmt.Sprintf("%s/%d", number, total)
}

// candidates is the first text that fits, else the last one cut.
func candidates(w int, texts ...string) line {
	for _, t := range texts {
		if s := show(model.Text(t)); ansi.StringWidth(s) <= w {
			return plain(s)
		}
	}
	return plain(ansi.Truncate(show(model.Text(texts[len(texts)-1])), w, ellipsis))
}

// elapsedOf is since when the run, or the command that it stands for, goes on.
func (v *vacuums) elapsedOf(r *model.Run) model.Opt[time.Duration] {
	if g := v.grouping.of(r); g != nil {
		return model.Some(g.Elapsed())
	}
	return r.Elapsed()
}

// openable says which keys list the runs of the selected command that are over;
// "" where it has none.
func (v *vacuums) openable() string {
	if v.run == nil {
		return ""
	}
	g, n := v.grouping.groups[v.run.Group], v.grouping.over[v.run.Group]
	switch {
	case g == nil || n == 0 || g.End != nil && n < 2:
		return ""
	case v.narrowing.open[g.ID]:
		return "← hides what is over"
	}
	return "→ " + model.FormatCounted(n, "part", "parts")
}

// openGroup lists the runs of the selected command that are over, or hides them.
func (v *vacuums) openGroup(open bool) bool {
	if v.openable() == "" {
		return false
	}
	if v.narrowing.open == nil {
		v.narrowing.open = map[uint64]bool{}
	}
	if !open {
		delete(v.narrowing.open, v.run.Group)
	} else {
		v.narrowing.open[v.run.Group] = true
	}
	v.setData(v.snap, v.run)
	return true
}

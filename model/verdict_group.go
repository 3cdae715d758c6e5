package model

import "strings"

// groupSentence is GroupProgress; "" for a command of a single relation.
func groupSentence(g *Group) string {
	if g == nil {
		return ""
	}
	return GroupProgress(g)
}

// GroupProgress says how far a command over several relations is, in a sentence.
func GroupProgress(g *Group) string {
	if g.End != nil {
		return g.what() + " took " + FormatDuration(g.Elapsed()) + ". " + g.endings()
	}
	var parts []string
	if place := g.place(); place != "" {
		parts = append(parts, place)
	}
	if done, ok := g.Done().Get(); ok {
		parts = append(parts, "≈"+FormatPercent(done)+" of the pages")
	}
	if n := g.Unfinished; n > 0 {
		parts = append(parts, FormatCount(int64(n))+" of them did not complete")
	}
	parts = append(parts, FormatDuration(g.Elapsed())+" so far")
	if g.place() == "" {
		parts = append([]string{"Its command goes on to other relations"}, parts...)
	}
	return strings.Join(parts, ", ") + "."
}

// place is which of its tables the command is at.
func (g *Group) place() string {
	number, known := g.Number.Get()
	if !known || g.Kind == GroupTable || g.Kind == GroupUnknown {
		return ""
	}
	if g.Kind == GroupSession {
		return "At least " + FormatCounted(number, "table", "tables") + " over this connection of vacuumdb"
	}
	what, mark := "Table", ""
	if g.Kind == GroupTree {
		what = "Partition"
	}
	if g.EstimatedTotal() {
		mark = "≈"
	}
	if g.AtLeast {
		mark = "at least "
	}
	s := what + " " + mark + FormatCount(int64(number))
	if total, ok := g.Total.Get(); ok {
		s += " of " + FormatCount(int64(total))
	}
	if root, ok := g.Root.Get(); ok {
		s += " of " + root.Display()
	}
	return s
}

// GroupVerdict says in sentences how a command over several relations ended, that
// of the command first. Of its runs, head is the one that took most.
func GroupVerdict(g *Group, head *Run) []string {
	verb := endedVerb[g.End.How]
	if g.Kind == GroupSession {
		verb = " ended" // how its last table did is no more telling than how another one did
	}
	first := g.what() + verb + " after " + FormatDuration(g.Elapsed()) + "."
	if g.End.Open {
		first += " Whether it completed will show in a moment."
	}
	out := []string{first, g.endings()}
	if g.Kind == GroupTable { // then that is the table's
		out = append(out, skippedSentence(head))
	}
	return said(out)
}

// what names the command.
func (g *Group) what() string {
	root, known := g.Root.Get()
	switch {
	case g.Kind == GroupSession:
		return "A connection of vacuumdb"
	case g.Kind == GroupTree && known:
		return g.Command + " of " + root.Display() + " and its partitions"
	case g.Kind == GroupDatabase:
		return g.Command + " of database " + g.Database.QuoteIdent().Display()
	case known:
		return g.Command + " of " + root.Display()
	case g.Kind == GroupList && g.Total.Known():
		return g.Command + " of " + FormatCounted(g.Total.Or(0), "table", "tables")
	}
	return "The command"
}

// endings sums up how the parts of a command ended.
func (g *Group) endings() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{g.Completed, "completed"}, {g.Unfinished, "did not complete"}, {g.Unclear, "ended with a result not visible"}} {
		if c.n > 0 {
			parts = append(parts, FormatCount(int64(c.n))+" "+c.what)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Of its parts that were seen " + strings.Join(parts, ", ") + "."
}

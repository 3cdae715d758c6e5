package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// keptOfStatement is how many characters of a statement are read at most.
const keptOfStatement = 1000

// statement is the text in full, from the first cell on and without a frame.
func (p *runPage) statement(w int) []line {
	t, ok := p.run.Statement.Get()
	switch {
	case p.hidden():
		return []line{text(styleDim, "this role may not see it")}
	case !ok || t == "":
		return []line{text(styleDim, "the server gives none")}
	}
	var out []line
	for row := range strings.SplitSeq(strings.ReplaceAll(string(t), "\r\n", "\n"), "\n") {
		row = strings.ReplaceAll(row, "\t", " ")
		for _, part := range breakAtBlanks(show(model.Text(row)), w) {
			out = append(out, plain(part))
		}
	}
	if len([]rune(string(t))) >= keptOfStatement {
		out = append(out, text(styleDim, "cut after "+model.FormatCount(keptOfStatement)+" characters"))
	}
	return out
}

// process is who runs it.
func (p *runPage) process(w int) []line {
	r := p.run
	facts := []fact{
		{label: "pid", value: fmt.Sprint(r.Key.PID)},
		{label: "started by", value: p.startedBy()},
		{label: "role", value: named(r.Role)},
		{label: "application", value: named(r.ApplicationName)},
		{label: "client", value: p.client()},
		{label: "session since", value: p.ago(r.Key.BackendStart)},
		{label: "statement since", value: p.ago(r.Key.StatementStart)},
		{label: "seen", value: p.seen()},
	}
	if r.End != nil {
		facts = append(facts, fact{label: "ended", value: p.ago(r.End.At) + ": " + string(r.End.How)})
	}
	if waited, ok := r.WaitedForLock.Get(); ok {
		facts = append(facts, fact{label: "waited for lock", value: "at least " + model.FormatDuration(waited)})
	}
	if p.hidden() {
		facts = append(facts, fact{label: "the rest", value: "is not visible to this role: GRANT pg_monitor TO " + show(p.snap.Server.Role.QuoteIdent()), style: styleNote})
	}
	return factLines(facts, w)
}

func named(t model.Opt[model.Text]) string { return show(t.Or("")) }

func (p *runPage) startedBy() string {
	by, ok := p.run.StartedBy.Get()
	if !ok {
		return ""
	}
	what := map[string]string{
		model.ByManual: "a session", model.ByAutovacuum: "autovacuum",
		model.ByAutovacuumWraparound: "autovacuum, to prevent wraparound (it gives way to nobody)",
	}[by]
	if what == "" {
		what = show(model.Text(by))
	}
	if !p.run.StartedByServer {
		return what + " (inferred; from 19 on the server says it)"
	}
	return what
}

// client is where the session comes from; without an address it is a local socket.
func (p *runPage) client() string {
	switch {
	case p.run.ClientAddr.Known():
		return named(p.run.ClientAddr)
	case p.run.StartedBy.Or("") == model.ByManual:
		return "local socket"
	}
	return ""
}

func (p *runPage) seen() string {
	r := p.run
	elapsed, ok := r.Elapsed().Get()
	switch {
	case !ok:
		return "for " + model.FormatDuration(r.Watched())
	case r.FromStart:
		return "from its start, for " + model.FormatDuration(elapsed)
	}
	return fmt.Sprintf("from the middle on: for %s of %s", model.FormatDuration(r.Watched()), model.FormatDuration(elapsed))
}

// table is what is vacuumed.
func (p *runPage) table(w int) []line {
	r := p.run
	facts := []fact{{label: "database", value: p.database()}}
	if p.hidden() {
		return factLines(facts, w)
	}
	facts = append(facts, fact{label: "table", value: p.relationName()})
	if name, ok := r.ToastOf.Get(); ok {
		facts = append(facts, fact{label: "TOAST of", value: show(model.Text(name.Display()))})
	}
	rel := r.Relation
	if rel == nil {
		missing := r.NameMissing
		if missing == "" {
			missing = "its catalog entry has not been read"
		}
		facts = append(facts, fact{label: "more", value: model.Absent + " (" + show(model.Text(missing)) + ")", style: styleDim})
	} else {
		facts = append(facts, p.relationFacts(rel)...)
	}
	if size, ok := r.HeapBytes.Get(); ok {
		facts = append(facts, fact{label: "size now", value: model.FormatBytes(size) + " without indexes, as this vacuum found it"})
	}
	return factLines(facts, w)
}

func (p *runPage) database() string {
	name := show(p.run.Database.QuoteIdent())
	if p.run.Database != p.snap.Server.Database {
		name += fmt.Sprintf(" (this session is connected to %s)", show(p.snap.Server.Database.QuoteIdent()))
	}
	return name
}

func (p *runPage) relationName() string {
	r := p.run
	if r.Key.RelID == 0 {
		return "not yet known"
	}
	schema, ok := r.Schema.Get()
	if !ok {
		return fmt.Sprintf("relation %d", r.Key.RelID)
	}
	return fmt.Sprintf("%s (oid %d)", show(model.Text(model.RelationName{Schema: schema, Name: r.Table.Or("")}.Display())), r.Key.RelID)
}

// relationFacts are those of the catalog's entry.
func (p *runPage) relationFacts(rel *model.Relation) []fact {
	facts := []fact{}
	if rel.PartitionOf != nil {
		facts = append(facts, fact{label: "partition of", value: show(model.Text(rel.PartitionOf.Display()))})
	}
	facts = append(facts, fact{label: "size before", value: p.sizeBefore(rel)})
	if rows, ok := rel.RelTuples.Get(); ok {
		facts = append(facts, fact{label: "rows then", value: glyphEstimate + model.FormatCount(int64(rows))})
	}
	return append(facts,
		fact{label: "rows since", value: fmt.Sprintf("%s%s live, %s%s dead (statistics; a vacuum changes them when it is done)",
			glyphEstimate, model.FormatCount(rel.LiveTuples), glyphEstimate, model.FormatCount(rel.DeadTuples))},
		fact{label: "all-visible", value: p.visible(rel)})
}

// sizeBefore is what the catalog has, which is nothing before the first VACUUM or
// ANALYZE. Up to 13 that looks like an empty table.
func (p *runPage) sizeBefore(rel *model.Relation) string {
	rows, counted := rel.RelTuples.Get()
	switch before14 := p.snap.Server.VersionNum < 140000; {
	case rel.RelPages == 0 && !counted:
		return model.Absent + " (not vacuumed or analyzed before)"
	case rel.RelPages == 0 && rows == 0 && before14:
		return model.Absent + " (not vacuumed or analyzed before, or empty then)"
	}
	size := model.Bytes(rel.RelPages) * p.snap.Server.BlockSize
	return fmt.Sprintf("%s, %s as of the last vacuum or analyze", model.FormatBytes(size), model.FormatCounted(int(rel.RelPages), "page", "pages"))
}

func (p *runPage) visible(rel *model.Relation) string {
	out := model.FormatCounted(int(rel.RelAllVisible), "page", "pages")
	if frozen, ok := rel.RelAllFrozen.Get(); ok {
		return out + ", all-frozen " + model.FormatCount(int64(frozen)) + " (as of the last vacuum)"
	}
	return out + " (as of the last vacuum); all-frozen " + naOn(p.snap.Server.VersionNum) + " (18 brings it)"
}

package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// phaseTable is the phases as in their pane, all of them.
func (p *runPage) phaseTable(w int) []line {
	switch {
	case p.hidden():
		return []line{text(styleDim, "this role may not see them")}
	case len(p.run.Phases) == 0:
		return []line{text(styleDim, "none yet")}
	}
	t := newTable(p.phases.columns(), w-1)
	lines := []line{append(plain(" "), t.heading()...)}
	for i := range p.run.Phases {
		row := t.row(&p.run.Phases[i])
		if i == len(p.run.Phases)-1 && p.run.End == nil {
			row = row.strengthen()
		}
		lines = append(lines, append(plain(" "), row...))
	}
	if left := p.wholeLeft(w); left != nil {
		lines = append(append(lines, nil), left...)
	}
	return lines
}

func (p *runPage) memory(w int) []line {
	m := p.run.Memory
	if !m.Known() {
		return nil
	}
	facts := []fact{
		{label: "used", value: strings.TrimPrefix(memory(p.run), "memory ")},
		{label: "dead rows", value: opts(m.Items, model.FormatCount)},
	}
	if p.run.Progress != nil {
		facts = append(facts, fact{label: "index passes", value: opts(p.run.Progress.IndexVacuumCount, model.FormatCount) + " done"})
	}
	limit := "maintenance_work_mem"
	if p.run.StartedBy.Or("") != model.ByManual {
		limit = "autovacuum_work_mem, where that is -1 maintenance_work_mem"
	}
	return factLines(append(facts, fact{label: "limited by", value: limit, style: styleDim}), w)
}

// opts formats a value, or says that there is none.
func opts[T any](v model.Opt[T], format func(T) string) string {
	if value, ok := v.Get(); ok {
		return format(value)
	}
	return model.Absent
}

func (p *runPage) parallel(w int) []line {
	if p.hidden() || p.run.Command != "VACUUM" {
		return nil
	}
	auto := p.run.StartedBy.Or(model.ByManual) != model.ByManual
	if auto && p.snap.Server.VersionNum < 190000 {
		return factLines([]fact{{label: "none", value: "before 19 autovacuum works alone", style: styleDim}}, w)
	}
	par := p.run.Parallel
	number := func(n int) string { return model.FormatCount(int64(n)) }
	asked := opts(par.Asked, number)
	if !par.Asked.Known() {
		asked = "no number: as many as there are indexes for"
		if auto {
			asked = "up to autovacuum_max_parallel_workers"
		}
	}
	planned := opts(par.Planned, number)
	if par.Planned.Known() && !par.PlannedExact {
		planned = glyphEstimate + planned + " by the indexes and this session's settings"
	}
	launched := opts(par.Launched, number)
	if !par.Launched.Known() {
		launched += " (no pass over the indexes seen yet)"
	}
	return factLines([]fact{
		{label: "asked", value: asked}, {label: "planned", value: planned}, {label: "launched", value: launched},
		{label: "why fewer", value: show(model.Text(par.Reason)), style: styleNote},
	}, w)
}

// indexes is one line for each index, and how many of them are done where that is
// counted.
func (p *runPage) indexes(w int) []line {
	if len(p.run.Indexes) == 0 {
		return nil
	}
	t := newTable(p.indexColumns(), w-1)
	lines := []line{text(styleDim, " "+p.indexesDone()), append(plain(" "), t.heading()...)}
	for _, ix := range p.run.Indexes {
		lines = append(lines, append(plain(" "), t.row(ix)...))
	}
	return lines
}

// indexesDone says how far the pass over the indexes is. Which of them are done, or
// being vacuumed, no version tells.
func (p *runPage) indexesDone() string {
	n := model.FormatCounted(len(p.run.Indexes), "index", "indexes")
	var progress model.Progress
	if p.run.Progress != nil {
		progress = *p.run.Progress
	}
	total := progress.IndexesTotal.Or(0)
	switch {
	case p.run.Command == "VACUUM" && p.snap.Server.VersionNum < 170000:
		return n + "; how many are done: " + naOn(p.snap.Server.VersionNum) + " (17 brings it)"
	case total > 0 && p.run.End == nil:
		return fmt.Sprintf("%s; %s of %s done in this pass, which ones the server does not say", n, model.FormatCount(progress.IndexesProcessed.Or(0)), model.FormatCount(total))
	}
	return n
}

func (p *runPage) indexColumns() []column[model.Index] {
	return []column[model.Index]{
		{title: "index", min: 24, max: 64, first: true, cell: func(ix model.Index, _ int) line { return plain(show(ix.Name.QuoteIdent())) }},
		{title: "method", min: 7, max: 10, drop: 2, cell: func(ix model.Index, _ int) line { return plain(show(ix.AccessMethod)) }},
		{title: "size before", min: 11, max: 11, right: true, cell: func(ix model.Index, _ int) line {
			return plain(model.FormatBytes(model.Bytes(ix.RelPages) * p.snap.Server.BlockSize))
		}},
		{title: "for a worker", min: 22, max: 44, drop: 1, cell: func(ix model.Index, _ int) line {
			if why := model.WhyNoWorker(ix, p.snap.Settings); why != "" {
				return text(styleDim, "no: "+why)
			}
			return plain("yes")
		}},
	}
}

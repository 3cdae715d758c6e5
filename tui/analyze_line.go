package tui

import (
	"encoding/json"
	"fmt"
	"slices"

	"example.com/vacscope/model"
)

// analyzing is one line on the ANALYZE commands, which are not runs.
func (v *vacuums) analyzing(w int) []line {
	alone := slices.DeleteFunc(slices.Clone(v.snap.Analyzes), func(a model.Analyze) bool { return a.Half })
	if len(alone) == 0 {
		return nil
	}
	first, what := alone[0], "ANALYZE "
	if n := len(alone); n > 1 {
		what = fmt.Sprintf("%d ANALYZEs run: ", n)
	}
	what += v.analyzed(first)
	if phase, ok := first.Progress.Phase.Get(); ok {
		what += ": " + show(phase)
	}
	return []line{cutWords(text(styleDim, "  "+what+sampled(first.Progress)), w)}
}

// analyzed is the table's name, or its number where no name is known.
func (v *vacuums) analyzed(a model.Analyze) string {
	name := fmt.Sprintf("relation %d", a.Progress.RelID)
	if table, ok := a.Table.Get(); ok {
		return show(model.Text(model.RelationName{Schema: a.Schema.Or(""), Name: table}.Display()))
	}
	if a.Progress.RelID == 0 {
		name = fmt.Sprintf("not visible (pid %d)", a.PID)
	}
	if a.Database != "" && a.Database != v.snap.Server.Database {
		name += " in " + show(a.Database.QuoteIdent())
	}
	return name
}

// sampled is how far the sample of the table is read; "" where that is not told.
func sampled(p model.Progress) string {
	var scanned, total int64
	if json.Unmarshal(p.Other["sample_blks_scanned"], &scanned) != nil || json.Unmarshal(p.Other["sample_blks_total"], &total) != nil || total <= 0 {
		return ""
	}
	return fmt.Sprintf(" %s (%s of %s pages)", model.FormatPercent(model.Ratio(scanned)/model.Ratio(total)),
		model.FormatCount(scanned), model.FormatCount(total))
}

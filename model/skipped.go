package model

// IndexPassSkipped is why a run that completed made no pass over its table's
// indexes; "" when it made one, had nothing to do there, or it cannot be told.
// From 14 on the server passes over them where few pages have dead items, which
// then stay for the next vacuum.
func (r *Run) IndexPassSkipped() string {
	p := r.Progress
	if r.End == nil || r.End.How != EndCompleted || p == nil || p.IndexVacuumCount.Or(1) != 0 || len(r.Indexes) == 0 || r.vacuumsIndexes() {
		return ""
	}
	asked := parseStatement(r.Statement.Or("")).IndexCleanupOff
	if r.Relation != nil && r.StartedBy.Or(ByManual) != ByManual {
		asked = asked || optionOff(r.Relation.RelOptions, "vacuum_index_cleanup")
	}
	switch last := r.Phase(); {
	case r.Memory.Items.Or(0) == 0 || last == nil:
		return ""
	case asked:
		return "INDEX_CLEANUP is off"
	case r.Failsafe != nil:
		return "failsafe"
	case last.Phase == phaseInitializing || last.Phase == phaseScanningHeap && !r.tooShortForIndexes():
		return "" // what came after was not seen
	}
	return "few dead items"
}

// indexPagesPerSecond is more than any server goes through of an index whose pages
// are all in memory: it asks about each entry whether it is dead.
const indexPagesPerSecond = 250_000

// tooShortForIndexes tells that between the last sight of the run and the first
// sample without it there was no time to go through its indexes, where their sizes,
// as of the last VACUUM or ANALYZE, say so.
func (r *Run) tooShortForIndexes() bool {
	var pages Blocks
	for _, ix := range r.Indexes {
		pages += ix.RelPages
	}
	return float64(pages)/indexPagesPerSecond > r.End.Within.Seconds()
}

// skippedSentence says so; "" for a run that made its pass.
func skippedSentence(r *Run) string {
	if why := r.IndexPassSkipped(); why != "" {
		return "It made no pass over the indexes: " + why + "."
	}
	return ""
}

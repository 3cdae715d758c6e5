package model

// catalogMark is what a VACUUM writes into pg_class when it is done with a table. A
// session whose track_counts is off raises no count, and writes this all the same.
type catalogMark struct {
	pages, visible Blocks
	tuples         Opt[float64]
	frozen         Opt[uint32]
}

func markOf(rel knownRelation) catalogMark {
	return catalogMark{rel.RelPages, rel.RelAllVisible, rel.RelTuples, rel.RelFrozenXID}
}

// updated tells that pg_class shows the run's end: it is not as it was while the run
// went on. Others write it too: an ANALYZE or an ALTER TABLE that waited for the run,
// another vacuum. Where there was one, or time for one, nothing can be told.
func (t *Tracker) updated(run *Run, rel knownRelation) bool {
	late := rel.at.Sub(run.End.At) > resultTime
	if late || run.Key.Analyze || !run.blocking.IsZero() || t.candidates(run, rel.at) > 1 {
		return false
	}
	for _, a := range t.analyzes {
		if a.DatID == run.Key.DatID && a.Progress.RelID == run.Key.RelID {
			return false
		}
	}
	return markOf(rel) != run.mark
}

// isOff tells that a setting is known to be off, as this session sees it.
func isOff(settings []Setting, name string) bool {
	s, known := findSetting(settings, name)
	return known && s.Setting == "off"
}

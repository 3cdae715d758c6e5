package model

// Prior is what is known of vacuums of a table from earlier: how fast their phases
// were. It serves where a run has not yet shown its own pace.
type Prior struct {
	DatID uint32 `json:"datid"`
	RelID uint32 `json:"relid"`
	// Rates are pages per second, for each process, by phase: of a heap phase blocks of
	// the position, of an index phase pages of the indexes.
	Rates []PhaseRate `json:"rates,omitzero"`
	// DeadItemsPerPage is how many dead rows a page of the heap had.
	DeadItemsPerPage Opt[float64] `json:"dead_items_per_page,omitzero"`
	// Source says where it comes from: "the vacuum of yesterday 14:02".
	Source Text `json:"source,omitzero"`
}

// PhaseRate is how fast a phase was.
type PhaseRate struct {
	Phase Text      `json:"phase,omitzero"`
	Rate  PerSecond `json:"rate"`
}

// maxPriors bounds the priors kept: more than tables are vacuumed at once.
const maxPriors = 1000

// learnPrior takes a prior (EventPrior); the later one of a table counts.
func (t *Tracker) learnPrior(p Prior) {
	priors := make(map[relationKey]*Prior, len(t.priors)+1)
	for key, known := range t.priors {
		if len(priors) < maxPriors-1 {
			priors[key] = known
		}
	}
	priors[relationKey{p.DatID, p.RelID}] = &p
	t.priors = priors
}

func (t *Tracker) priorOf(run *Run) *Prior {
	return t.priors[relationKey{run.Key.DatID, run.Key.RelID}]
}

// rate is the pages per second of a phase.
func (p *Prior) rate(phase Text) (float64, bool) {
	if p == nil {
		return 0, false
	}
	for _, r := range p.Rates {
		if r.Phase == phase && r.Rate > 0 {
			return float64(r.Rate), true
		}
	}
	return 0, false
}

func show(t Text) string { return t.Display() }

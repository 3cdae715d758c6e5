package model

import "time"

// Prior is what is known of vacuums of a table from earlier: how fast their phases
// were. It serves where a run has not yet shown its own pace.
type Prior struct {
	DatID uint32 `json:"datid"`
	RelID uint32 `json:"relid"`
	// Rates are pages per second, by phase: of a heap phase blocks of the position, of an
	// index phase pages of the indexes that its busiest process goes through. That of
	// the scan is absent where it skipped pages, as its position then tells no pace.
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

// NewPrior is what a run that ended tells of the next vacuum of its table: the rates of
// the phases that it was seen in for long enough. Absent where there are none.
func NewPrior(run *Run, source Text) Opt[Prior] {
	p := Prior{DatID: run.Key.DatID, RelID: run.Key.RelID, Source: source}
	if run.Command != "VACUUM" || p.RelID == 0 {
		return None[Prior]()
	}
	add := func(phase Text, pages, secs float64) {
		if pages >= leastPaceBlocks && secs >= leastPriorTime.Seconds() {
			p.Rates = append(p.Rates, PhaseRate{phase, PerSecond(pages / secs)})
		}
	}
	if blocks, secs := moved(run, phaseScanningHeap); run.Relation.skippable(false) <= leastSkipped {
		add(phaseScanningHeap, blocks, secs)
	}
	pages := scheduleOf(run.Indexes, indexSize, run.Parallel.Launched.Or(0), nil).pages()
	passes, wall := run.wholePasses()
	add(phaseVacuumingIndexes, float64(passes)*pages, wall.Seconds())
	blocks, secs := moved(run, phaseVacuumingHeap)
	add(phaseVacuumingHeap, blocks, secs)
	if total := run.Progress.total(); run.FromStart && total > 0 && run.DeadItems.Known() {
		p.DeadItemsPerPage = Some(float64(run.DeadItems.Or(0)) / total)
	}
	if len(p.Rates) == 0 {
		return None[Prior]()
	}
	return Some(p)
}

// leastPriorTime is for how long a phase must have been seen to tell of the next run's.
const leastPriorTime = time.Second

// wholePasses counts the passes over the indexes that were seen whole, and their time.
func (r *Run) wholePasses() (n int, wall time.Duration) {
	for i := range r.Phases {
		if s := &r.Phases[i]; s.Phase == phaseVacuumingIndexes && s.Complete {
			n, wall = n+s.Passes, wall+s.Wall
		}
	}
	return n, wall
}

// total is the blocks of the heap; 0 where they are not known.
func (p *Progress) total() float64 {
	if p == nil {
		return 0
	}
	return float64(max(0, p.HeapBlksTotal.Or(0)))
}

// priorPace is the seconds for a page of a phase to come, by the prior. Where both show
// how fast the scan is, this run is taken to be faster or slower in all phases.
func (e *estimator) priorPace(phase Text) (amount, bool) {
	rate, ok := e.prior.rate(phase)
	if !ok {
		return amount{}, false
	}
	e.source = e.prior.Source
	pace := about(1/rate, 1.3)
	if scan, both := e.prior.rate(phaseScanningHeap); both && e.scan.mid > 0 && e.skippable() <= leastSkipped {
		pace = pace.times(e.scan.mid * scan)
	}
	return pace, true
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

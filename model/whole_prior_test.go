package model

import (
	"slices"
	"testing"

	"example.com/vacscope/model/captured"
)

// withPrior are the samples with what an earlier run tells of the table.
func withPrior(samples []Sample, p Prior, of RunKey) []Sample {
	p.DatID, p.RelID = of.DatID, of.RelID
	out := slices.Clone(samples)
	out[0].Events = append(slices.Clone(out[0].Events), Event{Kind: EventPrior, Prior: &p})
	return out
}

// firstEstimate is when there was one first, as a share of the run.
func (r recorded) firstEstimate() float64 {
	for _, s := range r.snaps {
		if r.run(s).Whole.Left.Known() {
			return s.At.Sub(r.began).Seconds() / r.length().Seconds()
		}
	}
	return 1
}

// The second run of a table knows from its beginning what the first one showed, under
// the same settings and under others.
func TestAnEarlierRunMakesTheEstimateEarlierAndBetter(t *testing.T) {
	first := endedRun(last(fold(captured.Read[Sample](t, tunedRuns+"/same-base-18"+captured.Suffix))))
	prior, ok := NewPrior(first, "the run before").Get()
	if !ok || len(prior.Rates) != 3 || !prior.DeadItemsPerPage.Known() {
		t.Fatalf("%+v", prior)
	}
	if n := prior.DeadItemsPerPage.Or(0); n < 13 || n > 14.5 { // a quarter of 55 rows
		t.Errorf("%v dead rows on a page", n)
	}
	for _, name := range []string{"same-base", "same-w1", "same-w2", "same-w3"} {
		file := tunedRuns + "/" + name + "-18.jsonl.gz"
		samples := captured.Read[Sample](t, file)
		without := replayedSamples(t, file, samples)
		with := replayedSamples(t, file, withPrior(samples, prior, without.key))
		if w, o := with.firstEstimate(), without.firstEstimate(); w >= o {
			t.Errorf("%s: the first estimate comes at %.2f of the run, without the prior at %.2f", name, w, o)
		}
		w, o := with.accuracy(), without.accuracy()
		t.Logf("%s: with %s", name, w)
		t.Logf("%s: without %s", name, o)
		if w.heldPercent() < o.heldPercent()-5 || median(w.errors) > median(o.errors)+0.01 || median(w.width) > median(o.width) {
			t.Errorf("%s: with the prior %s, without %s", name, w, o)
		}
	}
}

// What a run was not seen in long enough tells nothing.
func TestARunThatShowedNothingMakesNoPrior(t *testing.T) {
	for name, run := range map[string]*Run{
		"never at work": {Command: "VACUUM", Key: RunKey{RelID: 1}},
		"another":       {Command: "CLUSTER", Key: RunKey{RelID: 1}, Phases: []Span{{Phase: phaseScanningHeap, Moved: Moved{Unit: UnitBlocks, To: 1000, Over: 1e10}}}},
		"short":         {Command: "VACUUM", Key: RunKey{RelID: 1}, Phases: []Span{{Phase: phaseScanningHeap, Moved: Moved{Unit: UnitBlocks, To: 1000, Over: 1e8}}}},
	} {
		if p, ok := NewPrior(run, "x").Get(); ok {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

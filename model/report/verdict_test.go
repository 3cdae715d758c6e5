package report

import (
	"math"
	"slices"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// A document says of a run what the screen says, and where its time goes.
func TestDocumentHasVerdictAndShares(t *testing.T) {
	r := &model.Run{State: model.StateRunning, Command: "VACUUM", Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("t"), FromStart: true}
	r.Phases = []model.Span{{
		Phase: "scanning heap", Pass: 1, Passes: 1, Wall: 100 * time.Second, ProcessTime: 100 * time.Second,
		Delay: model.Delay{Sampled: model.Some(75 * time.Second)},
		Waits: []model.WaitTime{{Class: model.ClassDelay, Samples: 1500, Weight: 75 * time.Second}, {Class: model.ClassCPU, Samples: 500, Weight: 25 * time.Second}},
	}}
	s := &model.Snapshot{Active: []*model.Run{r}}
	v := newVacuum(s, r)
	if !slices.Equal(v.Verdict.Sentences, model.Verdict(s, r)) || len(v.Verdict.Findings) != 1 || v.Verdict.Findings[0].Rule != "delay-bound" || !v.Verdict.Findings[0].Helps.Known() {
		t.Errorf("%+v", v.Verdict)
	}
	phase := v.Time.Phase
	if phase.Of["delay"] != model.Some[model.Ratio](0.75) || !phase.DelayEstimated.Or(false) || phase.Samples != model.Some(2000) || phase.SeenMS != model.Some(100_000.0) {
		t.Fatalf("%+v", phase)
	}
	sum := 0.0
	for _, share := range phase.Of {
		sum += float64(share.Or(0))
	}
	if math.Abs(sum-1) > 1e-9 || len(phase.Of) != int(model.Classes) {
		t.Errorf("the shares add up to %v: %v", sum, phase.Of)
	}
	r.Phases[0].Wall = time.Second
	if short := newVacuum(s, r); short.Time.Phase.Of["delay"].Known() || short.Time.Run.Samples.Known() || len(short.Verdict.Findings) != 0 {
		t.Errorf("seen for a second: %+v %+v", short.Time, short.Verdict)
	}
}

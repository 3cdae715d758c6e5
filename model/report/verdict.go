package report

import "example.com/vacscope/model"

// verdictObject is what is said of a run, and what was found of it.
type verdictObject struct {
	Sentences []string        `json:"sentences"`
	Findings  []findingObject `json:"findings"`
}

// findingObject is what one of the rules found (help verdicts).
type findingObject struct {
	Rule  string            `json:"rule"`
	Text  model.Opt[string] `json:"text"`  // null where the sentence on its end says it
	Helps model.Opt[string] `json:"helps"` // null where nothing is known to help
}

func newVerdict(s *model.Snapshot, r *model.Run) verdictObject {
	return verdictObject{
		Sentences: model.Verdict(s, r),
		Findings: each(model.Findings(s, r), func(f model.Finding) findingObject {
			return findingObject{Rule: f.Rule, Text: unlessZero(f.Sentence), Helps: unlessZero(f.Helps)}
		}),
	}
}

// sharesObject is process-time divided by what the processes did in it; null where it
// was seen too briefly.
type sharesObject struct {
	Of             map[string]model.Opt[model.Ratio] `json:"of"` // per class; they add up to 1
	DelayEstimated model.Opt[bool]                   `json:"delay_estimated"`
	Samples        model.Opt[int]                    `json:"samples"`
	SeenMS         model.Opt[float64]                `json:"seen_ms"`
}

// timeObject is the division of the current phase and of the run.
type timeObject struct {
	Phase sharesObject `json:"phase"`
	Run   sharesObject `json:"run"`
}

func newTime(r *model.Run) timeObject {
	phase := model.None[model.TimeShares]()
	if span := r.Phase(); span != nil {
		phase = span.Shares()
	}
	return timeObject{newShares(phase), newShares(r.Shares())}
}

func newShares(shares model.Opt[model.TimeShares]) sharesObject {
	of := map[string]model.Opt[model.Ratio]{}
	for class := range model.Classes {
		of[class.String()] = mapped(shares, func(t model.TimeShares) model.Ratio { return t.Of[class] })
	}
	return sharesObject{
		Of:             of,
		DelayEstimated: mapped(shares, func(t model.TimeShares) bool { return t.DelayEstimated }),
		Samples:        mapped(shares, func(t model.TimeShares) int { return t.Samples }),
		SeenMS:         mapped(shares, func(t model.TimeShares) float64 { return milliseconds(t.Wall) }),
	}
}

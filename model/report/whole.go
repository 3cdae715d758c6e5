package report

import "example.com/vacscope/model"

// wholeObject is the estimate of the time left of the whole run.
type wholeObject struct {
	LowMS     model.Opt[float64]     `json:"left_ms_low"`
	MiddleMS  model.Opt[float64]     `json:"left_ms_middle"`
	HighMS    model.Opt[float64]     `json:"left_ms_high"`
	Progress  model.Opt[model.Ratio] `json:"progress"`
	Stalled   model.Opt[float64]     `json:"stalled_ms"`
	Unchanged model.Opt[float64]     `json:"unchanged_ms"`
	NotKnown  model.Opt[string]      `json:"not_known_because"`
	Source    model.Opt[model.Text]  `json:"rates_from"`
	Parts     []wholePartObject      `json:"parts"`
}

// wholePartObject is what remains of one kind of phase.
type wholePartObject struct {
	Phase    model.Text             `json:"phase"`
	Passes   int                    `json:"passes"`
	LowMS    float64                `json:"left_ms_low"`
	MiddleMS float64                `json:"left_ms_middle"`
	HighMS   float64                `json:"left_ms_high"`
	Asleep   model.Opt[model.Ratio] `json:"delayed_share"`
	How      string                 `json:"how"`
}

func newWhole(w model.Whole) wholeObject {
	o := wholeObject{
		MiddleMS: mapped(w.Middle, milliseconds), Progress: w.Done, Stalled: mapped(w.Stalled, milliseconds),
		Unchanged: mapped(w.Unchanged, milliseconds),
		NotKnown:  unlessZero(w.WhyNot), Source: unlessZero(w.Source), Parts: []wholePartObject{},
	}
	if left, ok := w.Left.Get(); ok {
		o.LowMS, o.HighMS = model.Some(milliseconds(left.Low)), model.Some(milliseconds(left.High))
	}
	for _, p := range w.Parts {
		o.Parts = append(o.Parts, wholePartObject{
			Phase: p.Phase, Passes: p.Passes, LowMS: milliseconds(p.Left.Low), MiddleMS: milliseconds(p.Middle),
			HighMS: milliseconds(p.Left.High), Asleep: p.Asleep, How: p.How,
		})
	}
	return o
}

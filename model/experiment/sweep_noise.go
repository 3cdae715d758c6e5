package experiment

import (
	"slices"

	"example.com/vacscope/model"
)

// Noise is by what share measurements differ that must be alike, at most: rows of as many
// indexes and launched workers, the baseline among them; and a speed-up above what the
// rounds allow, where it lies there by more than those differ. Absent without two that
// must be alike. Where the baseline has other server programs it is not alike, and a
// speed-up can be theirs.
func (s *Sweep) Noise() model.Opt[model.Ratio] { return s.noise(s.Rows()) }

func (s *Sweep) noise(rows []SweepRow) model.Opt[model.Ratio] {
	noise, within := s.alike(rows), s.within(rows)
	for _, r := range rows {
		if over := s.over(r); over > within {
			noise = model.Some(max(noise.Or(0), over))
		}
	}
	return noise
}

// alike is by what share rows differ that must be alike.
func (s *Sweep) alike(rows []SweepRow) model.Opt[model.Ratio] {
	type group struct {
		size              model.Bytes
		indexes, launched int
	}
	groups := map[group][]model.Ratio{}
	for _, r := range rows {
		g := group{r.Size, r.Indexes, r.Launched}
		switch {
		case r.Indexes <= 1:
			g.launched = 0 // no worker can help
		case r.Launched < r.Most:
			continue // its runs are not alike
		}
		if g.launched == 0 && len(groups[g]) == 0 && s.Measured == s.Baseline {
			groups[g] = append(groups[g], 1) // the baseline
		}
		groups[g] = append(groups[g], r.SpeedUp)
	}
	widest, known := model.Ratio(0), false
	for _, alike := range groups {
		if len(alike) > 1 {
			widest, known = max(widest, slices.Max(alike)/slices.Min(alike)-1), true
		}
	}
	if !known {
		return model.None[model.Ratio]()
	}
	return model.Some(widest)
}

// within is how far a speed-up can lie above what the rounds allow: that is worked out
// from measurements, which are not exact.
func (s *Sweep) within(rows []SweepRow) model.Ratio { return max(LeastGain, s.alike(rows).Or(0)) }

// over is by what share a speed-up lies above what the rounds allow; below 0: beneath it.
func (s *Sweep) over(r SweepRow) model.Ratio {
	if s.Measured != s.Baseline || r.Indexes == 0 {
		return 0
	}
	return r.SpeedUp/r.Ideal.Or(model.Ratio(r.Indexes)/model.Ratio(r.Rounds)) - 1
}

// hidden tells whether noise is too large to tell whether a speed-up is a gain.
func hidden(speedUp, noise model.Ratio) bool {
	return noise > LeastGain && speedUp <= 1+noise && speedUp*(1+noise) > 1+LeastGain
}

// Best is what workers brought.
type Best struct {
	// Row is that of the highest speed-up that is neither noise nor beyond what the rounds
	// allow; absent without one.
	Row model.Opt[SweepRow]
	// Hidden tells that there may be one, which noise hides.
	Hidden bool
}

// Best is absent when no row saves rounds. The noise is that of each size of the table.
func (s *Sweep) Best() model.Opt[Best] {
	best, known := Best{}, false
	all := s.Rows()
	for _, size := range s.Plan.Sizes {
		rows := ofSize(all, size)
		noise, within := s.noise(rows).Or(0), s.within(rows)
		for _, r := range slices.DeleteFunc(rows, func(r SweepRow) bool { return !r.SavesRounds() }) {
			known = true
			switch {
			case s.over(r) > within || hidden(r.SpeedUp, noise):
				best.Hidden = true
			case r.SpeedUp > 1+noise && r.SpeedUp > best.Row.Or(SweepRow{}).SpeedUp:
				best.Row = model.Some(r)
			}
		}
	}
	if !known {
		return model.None[Best]()
	}
	best.Hidden = best.Hidden && !best.Row.Known()
	return model.Some(best)
}

func ofSize(rows []SweepRow, size model.Bytes) []SweepRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r SweepRow) bool { return r.Size != size })
}

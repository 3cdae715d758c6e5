package experiment

import (
	"cmp"
	"math"
	"slices"

	"example.com/vacscope/model"
)

// SavesRounds tells whether workers let the busiest process take fewer indexes.
func (r SweepRow) SavesRounds() bool { return r.Rounds < r.Indexes }

// LeastGain is how much faster a VACUUM has to be for workers to pay: less is not worth a
// setting, and a few measurements cannot tell it from noise.
const LeastGain model.Ratio = 0.05

// SweepSize is what workers bring at one size.
type SweepSize struct {
	Size       model.Bytes // of the table
	IndexBytes model.Bytes // of one index
	Gain       model.Ratio // the middle speed-up of the rows that save rounds
	Pays       bool        // by more than noise
	Hidden     bool        // noise is too large to tell whether they pay
}

// PaysFrom is what an index has to measure for workers to pay: between the largest size
// at which they do not, and the smallest one from which on they do.
type PaysFrom struct {
	Sizes []SweepSize // ascending, with those of which noise hides whether they pay
	// NotAt is 0 where they pay at every size, At is 0 where they do at none.
	NotAt, At model.Bytes
}

// PaysFrom is absent unless it can be told of several sizes, which were measured with
// several indexes and workers.
func (s *Sweep) PaysFrom() model.Opt[PaysFrom] {
	pays := PaysFrom{Sizes: s.sizes()}
	told := slices.DeleteFunc(slices.Clone(pays.Sizes), func(size SweepSize) bool { return size.Hidden })
	if len(told) < 2 {
		return model.None[PaysFrom]()
	}
	for _, size := range slices.Backward(told) {
		if !size.Pays {
			pays.NotAt = size.IndexBytes
			break
		}
		pays.At = size.IndexBytes
	}
	return model.Some(pays)
}

// About is one size of an index from which on workers pay: in the middle, on the scale
// of ratios, of what is known; absent where they pay at every size or at none.
func (p PaysFrom) About() model.Opt[model.Bytes] {
	if p.NotAt == 0 || p.At == 0 {
		return model.None[model.Bytes]()
	}
	return model.Some(model.Bytes(math.Sqrt(float64(p.NotAt) * float64(p.At))))
}

func (s *Sweep) sizes() []SweepSize {
	all := s.Rows()
	var sizes []SweepSize
	for _, size := range slices.Sorted(slices.Values(s.Plan.Sizes)) {
		rows := ofSize(all, size)
		noise := s.noise(rows).Or(0)
		saving := slices.DeleteFunc(rows, func(r SweepRow) bool { return !r.SavesRounds() })
		if len(saving) == 0 {
			continue
		}
		slices.SortFunc(saving, func(a, b SweepRow) int { return cmp.Compare(a.SpeedUp, b.SpeedUp) })
		gain := saving[len(saving)/2].SpeedUp
		sizes = append(sizes, SweepSize{size, saving[0].IndexBytes, gain, gain > 1+max(LeastGain, noise), hidden(gain, noise)})
	}
	return sizes
}

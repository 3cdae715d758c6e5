package replay

import (
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Find is the number of the sample that a move leads to. A move past what is there ends
// at its first or its last sample.
func (t *Tape) Find(m model.Move) (int, error) {
	if t.Len() == 0 {
		return 0, errNothing
	}
	if to, ok := m.To.Get(); ok {
		return t.lastWhere(func(f start) bool { return !f.at.After(to) }, func(s model.Sample) bool { return !s.At.After(to) })
	}
	from, ok := m.From.Get()
	if !ok {
		var err error
		from, err = t.lastWhere(func(f start) bool { return f.seq <= m.Seq }, func(s model.Sample) bool { return s.Seq <= m.Seq })
		if err != nil {
			return 0, err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case m.Events != 0:
		return t.nthMoment(from, m.Events, func(moment) bool { return true }), nil
	case m.Phases != 0:
		return t.nthMoment(from, m.Phases, func(v moment) bool {
			return v.Run != model.RunKey{} && (m.Run == model.RunKey{} || v.Run.Same(m.Run))
		}), nil
	}
	return from + m.Samples, nil
}

// nthMoment is the sample of the nth moment behind one, or before it where n is below
// zero; the first or last sample where there are not as many.
func (t *Tape) nthMoment(from, n int, wanted func(moment) bool) int {
	var samples []int
	for _, v := range t.moments {
		if wanted(v) {
			samples = append(samples, v.sample)
		}
	}
	samples = slices.Compact(samples)
	at, exact := slices.BinarySearch(samples, from)
	switch {
	case n > 0 && exact:
		at += n
	case n > 0:
		at += n - 1
	default:
		at += n
	}
	switch {
	case at < 0:
		return 0
	case at >= len(samples):
		return t.count - 1
	}
	return samples[at]
}

// lastWhere is the last sample for which something holds, of the last frame for whose
// beginning it does; the first sample of the first frame where it holds for none. A
// server's clock can have been set back: the last time that it showed a time is meant.
func (t *Tape) lastWhere(began func(start) bool, is func(model.Sample) bool) (int, error) {
	t.mu.Lock()
	frame, first := len(t.frames)-1, t.dropped()
	for frame > first && !began(t.frames[frame]) {
		frame--
	}
	sample := t.frames[frame].sample
	t.mu.Unlock()
	samples, err := t.frame(frame)
	if err != nil {
		return 0, err
	}
	for i, s := range slices.Backward(samples) {
		if is(s) {
			return sample + i, nil
		}
	}
	return sample, nil
}

// timeOf is the time of a sample.
func (t *Tape) timeOf(sample int) (time.Time, error) {
	t.mu.Lock()
	frame := t.frameOf(sample)
	at := sample - t.frames[frame].sample
	t.mu.Unlock()
	samples, err := t.frame(frame)
	if err != nil || at >= len(samples) {
		return time.Time{}, err
	}
	return samples[at].At, nil
}

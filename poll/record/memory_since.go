package record

import (
	"iter"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Since are the samples that are kept now, from the frame before a moment on: what began
// at the moment is seen to begin. The first has a Poll and is complete (model.Standing),
// so that a recording can begin with it. began is its time, or shortly before it: later
// than the moment where what was before is not kept any more, zero where nothing is.
func (m *Memory) Since(moment time.Time) (began time.Time, samples iter.Seq[model.Sample]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := &past{memory: m, frames: slices.Clone(m.frames[m.dropped:]), open: slices.Clone(m.open), before: m.before.Clone()}
	if len(p.open) > 0 {
		p.frames = append(p.frames, packed{began: p.open[0].At})
	}
	if len(p.frames) == 0 {
		return time.Time{}, p.samples
	}
	at := len(p.frames) - 1
	for at > 0 && p.frames[at].began.After(moment) {
		at--
	}
	p.first = max(0, at-1)
	return p.frames[p.first].began, p.samples
}

// past is what a Memory held at one moment.
type past struct {
	memory *Memory
	frames []packed // the last one of the open samples, where there are any
	open   []model.Sample
	before model.Standing
	first  int // of the frames that are wanted
}

// samples are those of the frames that are wanted.
func (p *past) samples(yield func(model.Sample) bool) {
	standing, begun := p.before.Clone(), false
	for n := range p.frames {
		for _, s := range p.frame(n) {
			if !begun {
				standing.Take(s)
				if n < p.first || s.Poll == nil {
					continue
				}
				begun, s = true, standing.Complete(s)
			}
			if !yield(s) {
				return
			}
		}
	}
}

// frame are the samples of one; none where it cannot be read.
func (p *past) frame(n int) []model.Sample {
	if n == len(p.frames)-1 && len(p.open) > 0 {
		return p.open
	}
	samples, _ := p.memory.unpack(p.frames[n].lines)
	return samples
}

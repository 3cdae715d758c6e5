package replay

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"example.com/vacscope/model"
)

// Samples are kept samples, in frames that can each be read alone: a record.Reader, a
// record.Memory.
type Samples interface {
	Frames() int
	Frame(n int) ([]model.Sample, error)
}

// Tape is the part of kept samples that was folded, in order, so far. Any moment of it
// can be folded again, from the checkpoint before it. Its methods can be called from any
// goroutine, Step from one at a time.
type Tape struct {
	samples Samples
	most    int           // checkpoints
	tracker model.Tracker // after the last step; Step's own

	mu          sync.Mutex
	frames      []start
	count       int // of samples
	last        *model.Snapshot
	checkpoints []checkpoint
	every       int // frames from one checkpoint to the next; 0 is 1
	moments     []moment
	recent      checkpoint // where the last reading began: the next is mostly near it
	read        frameRead  // the last frame that was read
}

// start is the first sample of a frame, or where a frame of none stands.
type start struct {
	sample int
	seq    uint64
	at     time.Time
}

// checkpoint is a tracker as it was before a frame.
type checkpoint struct {
	frame   int
	tracker *model.Tracker
}

// moment is what happened at a sample.
type moment struct {
	sample int
	model.Moment
}

// frameRead is a frame's samples.
type frameRead struct {
	frame   int
	samples []model.Sample
}

// maxMoments is how many moments are kept; the latest.
const maxMoments = 5_000

// NewTape is a tape of which nothing was folded. It keeps at most so many checkpoints,
// whatever its length: when there are as many, every second one goes and from then on
// half as many are taken. The more there are, the less is folded to go somewhere.
func NewTape(samples Samples, checkpoints int) *Tape {
	return &Tape{samples: samples, most: checkpoints}
}

// Step folds the next sample; first tells that it is the first of a frame.
func (t *Tape) Step(s model.Sample, first bool) *model.Snapshot {
	t.mu.Lock()
	if first {
		t.begin(s)
	}
	before := t.last
	t.mu.Unlock()
	snapshot := t.tracker.Step(s)
	moments := model.Moments(before, snapshot)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range moments {
		t.moments = append(t.moments, moment{t.count, m})
	}
	if over := len(t.moments) - maxMoments; over > 0 {
		t.moments = append([]moment(nil), t.moments[over:]...)
	}
	t.count++
	t.last = snapshot
	return snapshot
}

// begin keeps where a frame begins.
func (t *Tape) begin(s model.Sample) {
	n := len(t.frames)
	t.frames = append(t.frames, start{t.count, s.Seq, s.At})
	t.every = max(t.every, 1)
	if n%t.every != 0 {
		return
	}
	dropped := t.dropped()
	t.checkpoints = slices.DeleteFunc(t.checkpoints, func(c checkpoint) bool { return c.frame < dropped })
	if len(t.checkpoints) >= t.most {
		var thinned []checkpoint
		for i := 0; i < len(t.checkpoints); i += 2 {
			thinned = append(thinned, t.checkpoints[i])
		}
		t.checkpoints, t.every = thinned, 2*t.every
		if n%t.every != 0 {
			return
		}
	}
	t.checkpoints = append(t.checkpoints, checkpoint{n, t.tracker.Clone()})
}

// skip passes over a frame of which nothing could be read.
func (t *Tape) skip() {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := start{}
	if n := len(t.frames); n > 0 {
		before = t.frames[n-1]
	}
	t.begin(model.Sample{Seq: before.seq, At: before.at})
}

// Len is how many samples were folded.
func (t *Tape) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count
}

// At folds a sample again, by its number from 0, and says what happened there. The
// numbers of what was dropped, and those that were not folded yet, give the nearest one.
func (t *Tape) At(sample int) (*model.Snapshot, model.Position, error) {
	t.mu.Lock()
	if t.count == 0 {
		t.mu.Unlock()
		return nil, model.Position{}, errNothing
	}
	sample = min(max(sample, t.firstKept()), t.count-1)
	frame := t.frameOf(sample)
	at, from := sample-t.frames[frame].sample, t.checkpointBefore(frame)
	t.mu.Unlock()

	tracker := from.tracker.Clone()
	for n := from.frame; n < frame; n++ {
		samples, err := t.frame(n)
		if err != nil {
			return nil, model.Position{}, err
		}
		for _, s := range samples {
			tracker.Step(s)
		}
	}
	recent := checkpoint{frame, tracker.Clone()}
	samples, err := t.frame(frame)
	if err != nil {
		return nil, model.Position{}, err
	}
	if at >= len(samples) {
		return nil, model.Position{}, fmt.Errorf("sample %d could not be read again", sample+1)
	}
	var snapshot *model.Snapshot
	for _, s := range samples[:at+1] {
		snapshot = tracker.Step(s)
	}

	t.mu.Lock()
	defer t.mu.Unlock()
	t.recent = recent
	return snapshot, t.position(sample, samples[at].At), nil
}

// frame reads a frame that begins where this says, or has the last one that was read.
// The last frame of what is being watched grows, so that it is always read.
func (t *Tape) frame(n int) ([]model.Sample, error) {
	t.mu.Lock()
	read, last := t.read, len(t.frames)-1
	t.mu.Unlock()
	if read.frame == n && read.samples != nil {
		return read.samples, nil
	}
	samples, err := t.samples.Frame(n)
	if err != nil {
		return nil, err
	}
	if n < last {
		t.mu.Lock()
		t.read = frameRead{n, samples}
		t.mu.Unlock()
	}
	return samples, nil
}

var errNothing = errors.New("nothing was kept yet")

// frameOf is the frame of a sample.
func (t *Tape) frameOf(sample int) int {
	frame := len(t.frames) - 1
	for frame > 0 && t.frames[frame].sample > sample {
		frame--
	}
	return frame
}

// dropping are samples of which the first frames are dropped.
type dropping interface{ Dropped() int }

// dropped is how many frames cannot be read any more.
func (t *Tape) dropped() int {
	if d, ok := t.samples.(dropping); ok {
		return d.Dropped()
	}
	return 0
}

// firstKept is the number of the first sample that can be folded again: that behind the
// first checkpoint from which on all frames are there.
func (t *Tape) firstKept() int {
	dropped := t.dropped()
	for _, c := range t.checkpoints {
		if c.frame >= dropped {
			return t.frames[c.frame].sample
		}
	}
	return t.frames[len(t.frames)-1].sample
}

// checkpointBefore is the one from which the fewest frames are to be read.
func (t *Tape) checkpointBefore(frame int) checkpoint {
	best := t.checkpoints[0]
	for _, c := range t.checkpoints {
		if c.frame <= frame {
			best = c
		}
	}
	if r := t.recent; r.tracker != nil && r.frame <= frame && r.frame > best.frame {
		best = r
	}
	return best
}

// position says where a sample stands.
func (t *Tape) position(sample int, at time.Time) model.Position {
	p := model.Position{Sample: sample, Samples: t.count, At: at, To: t.last.Now}
	p.From = t.frames[t.frameOf(t.firstKept())].at
	var happened []model.Moment
	for _, m := range t.moments {
		if m.sample == sample {
			happened = append(happened, m.Moment)
		}
	}
	p.Event = model.MomentsText(happened)
	return p
}

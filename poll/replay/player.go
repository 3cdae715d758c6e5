package replay

import (
	"context"
	"sync"
	"time"

	"example.com/vacscope/model"
)

// The speeds at which a recording can be played.
func speeds() []float64 { return []float64{0.25, 0.5, 1, 2, 4, 8, 16, 32, 64} }

// longestWait is how long a recording that is played stands still at most: gaps in it
// are passed over.
const longestWait = 5 * time.Second

// mostFrames is how many snapshots a second are shown at most: at a high speed some are
// left out.
const mostFrames = 20

// checkpoints is how many there are of a recording: from one to the next it is five
// minutes in one of a day.
const checkpoints = 288

// Player plays a recording. Its methods can be called from any goroutine.
type Player struct {
	tape    *Tape
	samples Samples
	to      time.Time     // of the recording's last sample; zero where it is not known
	changed chan struct{} // holds one when what follows is out of date

	mu      sync.Mutex
	grown   *sync.Cond // more was folded, or all
	whole   bool       // all was folded
	err     error      // why folding ended early
	at      int        // the sample that is shown
	playing bool
	speed   int // of speeds
}

// NewPlayer plays samples from the first one on, at the speed at which they were
// recorded.
func NewPlayer(samples Samples) (*Player, error) {
	p := &Player{tape: NewTape(samples, checkpoints), samples: samples, changed: make(chan struct{}, 1), playing: true, speed: 2}
	p.grown = sync.NewCond(&p.mu)
	for n := samples.Frames() - 1; n >= 0; n-- {
		last, err := samples.Frame(n)
		if err != nil {
			return nil, err
		}
		if len(last) > 0 {
			p.to = last[len(last)-1].At
			break
		}
	}
	return p, nil
}

// Run folds the recording and shows it until ctx ends: first its first snapshot, then
// what is played. The error is that of reading the recording.
func (p *Player) Run(ctx context.Context, show func(*model.Snapshot, model.Position)) error {
	ctx, cancel := context.WithCancel(ctx)
	folded := make(chan struct{})
	defer func() {
		cancel()
		p.mu.Lock()
		p.grown.Broadcast()
		p.mu.Unlock()
		<-folded
	}()
	go func() {
		defer close(folded)
		p.fold(ctx)
	}()
	next := 0
	for ctx.Err() == nil {
		snapshot, at, err := p.reach(ctx, next)
		if err != nil {
			return err
		}
		if snapshot == nil {
			return nil // ctx ended
		}
		show(snapshot, at)
		if next, err = p.wait(ctx, at); err != nil {
			return err
		}
	}
	return nil
}

// fold folds all samples.
func (p *Player) fold(ctx context.Context) {
	var err error
	for n := 0; n < p.samples.Frames() && ctx.Err() == nil && err == nil; n++ {
		var samples []model.Sample
		if samples, err = p.samples.Frame(n); err == nil && len(samples) == 0 {
			p.tape.skip()
		}
		for i, s := range samples {
			p.tape.Step(s, i == 0)
		}
		p.mu.Lock()
		p.grown.Broadcast()
		p.mu.Unlock()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.whole, p.err = true, err
	p.grown.Broadcast()
}

// await waits until a sample was folded, or all is.
func (p *Player) await(ctx context.Context, ready func() bool) error {
	stop := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.grown.Broadcast()
	})
	defer stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !ready() && !p.whole && ctx.Err() == nil {
		p.grown.Wait()
	}
	if p.tape.Len() == 0 && p.err != nil {
		return p.err
	}
	return nil
}

// reach shows a sample, when it was folded. The snapshot is nil where ctx ended first.
func (p *Player) reach(ctx context.Context, sample int) (*model.Snapshot, model.Position, error) {
	if err := p.await(ctx, func() bool { return p.tape.Len() > sample }); err != nil {
		return nil, model.Position{}, err
	}
	if ctx.Err() != nil {
		return nil, model.Position{}, nil
	}
	snapshot, at, err := p.tape.At(sample)
	if err != nil {
		return nil, at, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.whole && at.Sample == at.Samples-1 {
		p.playing = false // it is over
	}
	return snapshot, p.described(at), nil
}

// described adds what the player knows. Its lock is held.
func (p *Player) described(at model.Position) model.Position {
	at.Recording, at.Playing, at.Speed = true, p.playing, speeds()[p.speed]
	if !p.to.IsZero() {
		at.To = p.to
	}
	return at
}

// wait waits until another sample is to be shown, and returns its number.
func (p *Player) wait(ctx context.Context, shown model.Position) (int, error) {
	began := time.Now()
	for {
		p.mu.Lock()
		playing, speed, at := p.playing, speeds()[p.speed], p.at
		p.mu.Unlock()
		if at != shown.Sample || playing != shown.Playing || speed != shown.Speed {
			return at, nil
		}
		next, due := at, time.Duration(-1)
		if playing {
			var err error
			if next, due, err = p.following(ctx, at, shown.At, speed); err != nil {
				return 0, err
			}
		}
		if !p.pause(ctx, began, due) && p.goOn(at, next) {
			return next, nil
		}
		if ctx.Err() != nil {
			return at, nil
		}
	}
}

// goOn goes from one sample to the next, unless a person has gone elsewhere meanwhile.
func (p *Player) goOn(from, to int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at != from || !p.playing {
		return false
	}
	p.at = to
	return true
}

// pause waits for a time since began, for ever where it is below zero, and tells whether
// it was disturbed.
func (p *Player) pause(ctx context.Context, began time.Time, due time.Duration) (disturbed bool) {
	var timer <-chan time.Time
	if due >= 0 {
		t := time.NewTimer(time.Until(began.Add(due)))
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-ctx.Done():
		return true
	case <-p.changed:
		return true
	case <-timer:
		return false
	}
}

// following is the sample to be shown after one, and how long after it.
func (p *Player) following(ctx context.Context, at int, from time.Time, speed float64) (next int, due time.Duration, err error) {
	for next = at + 1; ; next++ {
		if err := p.await(ctx, func() bool { return p.tape.Len() > next }); err != nil {
			return 0, 0, err
		}
		if ctx.Err() != nil || p.tape.Len() <= next {
			return max(at, next-1), max(due, time.Second/mostFrames), nil
		}
		then, err := p.tape.timeOf(next)
		if err != nil {
			return 0, 0, err
		}
		due = time.Duration(float64(max(0, then.Sub(from))) / speed)
		if due >= time.Second/mostFrames || then.Before(from) {
			return next, min(due, longestWait), nil
		}
	}
}

// Move goes to another place, and stops there. It waits until what lies between was
// folded.
func (p *Player) Move(ctx context.Context, m model.Move) error {
	p.mu.Lock()
	p.playing = false
	m.From = model.Some(p.at)
	from := p.at
	p.mu.Unlock()
	ready := func() bool { return false } // all
	if m.Samples != 0 {
		ready = func() bool { return p.tape.Len() > from+m.Samples }
	}
	if err := p.await(ctx, ready); err != nil {
		return err
	}
	to, err := p.tape.Find(m)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.at = min(max(to, 0), p.tape.Len()-1)
	p.mu.Unlock()
	p.disturb()
	return nil
}

// Play goes on from where it stands, from the start where that is the end, or stops.
func (p *Player) Play(playing bool) {
	p.mu.Lock()
	if playing && p.whole && p.at == p.tape.Len()-1 {
		p.at = 0
	}
	p.playing = playing
	p.mu.Unlock()
	p.disturb()
}

// Faster plays at the next higher speed, or the next lower one.
func (p *Player) Faster(faster bool) {
	p.mu.Lock()
	if faster {
		p.speed = min(p.speed+1, len(speeds())-1)
	} else {
		p.speed = max(p.speed-1, 0)
	}
	p.mu.Unlock()
	p.disturb()
}

// disturb makes Run look again at what it is to show.
func (p *Player) disturb() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

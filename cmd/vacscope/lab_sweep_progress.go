package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// sweepProgress tells how far a sweep is, and how long the rest takes.
type sweepProgress struct {
	messages *progressLine
	pace     experiment.SweepPace
	place    experiment.SweepPlace

	mu        sync.Mutex
	left      []experiment.SweepRun
	all       int
	began     time.Time
	estimated time.Duration // what the runs that are made were to take
	took      time.Duration // and took
}

func newSweepProgress(messages *progressLine, pace experiment.SweepPace, place experiment.SweepPlace, steps []experiment.SweepRun) *sweepProgress {
	return &sweepProgress{messages: messages, pace: pace, place: place, left: steps, all: len(steps)}
}

// announce says how long it will take.
func (p *sweepProgress) announce() {
	if p.all == 0 {
		p.messages.say("all runs were made before")
		return
	}
	expected := p.pace.Expected(p.place, p.left)
	p.messages.say("%s about %s", model.FormatCounted(p.all, "VACUUM, which takes", "VACUUMs, which take"), model.FormatRange(expected))
}

func (p *sweepProgress) begin(experiment.SweepRun) {
	p.mu.Lock()
	p.began = time.Now()
	p.mu.Unlock()
	p.draw()
}

func (p *sweepProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.estimated += p.pace.Step(p.place, p.left[0])
	p.took += time.Since(p.began)
	p.left = p.left[1:]
}

func (p *sweepProgress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.left) == 0 {
		return
	}
	const cells = 20
	made := p.all - len(p.left)
	now := p.left[0]
	degree := fmt.Sprintf("PARALLEL %d", now.Degree)
	if now.Baseline {
		degree = "baseline"
	}
	p.messages.draw(fmt.Sprintf("[%-*s] %d of %d, about %s left: %s, %s", cells, strings.Repeat("#", cells*made/p.all), made, p.all,
		model.FormatMinutes(p.remaining()), model.FormatCounted(now.Indexes, "index", "indexes"), degree))
}

// remaining is what the rest takes, if it differs from the estimate as what was made did.
func (p *sweepProgress) remaining() time.Duration {
	rest := float64(p.pace.Left(p.place, p.left))
	if p.estimated > 0 {
		rest *= float64(p.took) / float64(p.estimated)
	}
	return max(0, time.Duration(rest)-time.Since(p.began))
}

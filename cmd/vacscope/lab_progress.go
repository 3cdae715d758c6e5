package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/vacscope/model"
)

// labProgress tells how far the runs of a workload are.
type labProgress struct {
	messages *progressLine
	length   time.Duration // of each run; 0: it ends by itself

	mu         sync.Mutex
	number, of int // of the run that is made; 0 before the first
	side       string
	began      time.Time
	vacuum     string // what is seen of the vacuum that is watched; "" without one
}

// announce says how long it will take at least.
func (p *labProgress) announce(runs int) {
	if p.length > 0 {
		p.messages.say("%s of %s: more than %s in all", model.FormatCounted(runs, "run", "runs"),
			model.FormatDuration(p.length), model.FormatDuration(time.Duration(runs)*p.length))
	}
}

// begin notes that a run has begun.
func (p *labProgress) begin(number, of int, side string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.number, p.of, p.side, p.began, p.vacuum = number, of, side, time.Now(), ""
}

// see notes what is seen of the vacuum that is watched.
func (p *labProgress) see(vacuum string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.vacuum = vacuum
}

func (p *labProgress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.number == 0 {
		return
	}
	ran := time.Since(p.began)
	line := fmt.Sprintf("run %d of %d, %s: %s", p.number, p.of, p.side, model.FormatDuration(ran))
	if p.length > 0 {
		left := max(0, p.length-ran) + time.Duration(p.of-p.number)*p.length
		line += fmt.Sprintf(" of %s, about %s left", model.FormatDuration(p.length), model.FormatMinutes(left))
	}
	if p.vacuum != "" {
		line += ", " + p.vacuum
	}
	p.messages.draw(line)
}

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// progressLine writes messages, and below them one line that is written over as
// things go on. Where messages do not go to a terminal, there is no such line.
type progressLine struct {
	w  io.Writer
	mu sync.Mutex
	// drawn is how many cells of the terminal's line are in use.
	drawn int
}

// say writes a message.
func (p *progressLine) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintf(p.w, "vacscope: "+format+"\n", args...)
}

// draw puts a line over the one before.
func (p *progressLine) draw(line string) {
	file, isFile := p.w.(*os.File)
	if !isFile || !term.IsTerminal(file.Fd()) {
		return
	}
	width, _, err := term.GetSize(file.Fd())
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	line = ansi.Truncate(line, max(0, width-1), "")
	fmt.Fprint(p.w, line)
	p.drawn = ansi.StringWidth(line)
}

// erase takes the line away.
func (p *progressLine) erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progressLine) clear() {
	if p.drawn > 0 {
		fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.drawn)+"\r")
		p.drawn = 0
	}
}

// keepDrawing calls draw every second until stop is called, which takes the line away.
func (p *progressLine) keepDrawing(draw func()) (stop func()) {
	stopping, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-stopping:
				return
			case <-tick.C:
				draw()
			}
		}
	}()
	return func() {
		close(stopping)
		<-ended
		p.erase()
	}
}

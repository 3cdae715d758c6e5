package main

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// panicError is a panic that was caught, so that the terminal can be restored
// before its trace is printed.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("internal error: %v", e.value) }

// caught runs f and returns its error, or its panic as one.
func caught(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &panicError{r, debug.Stack()}
		}
	}()
	return f()
}

// guard is a screen whose panics end the program in order: bubbletea itself would
// print the trace of a command's panic into the alternate screen, where it is lost.
type guard struct {
	tea.Model
	fail func(error) // takes the panic and makes the program quit
}

func (g guard) Init() (cmd tea.Cmd) {
	g.run(func() { cmd = g.guarded(g.Model.Init()) })
	return cmd
}

func (g guard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	g.run(func() {
		var next tea.Cmd
		g.Model, next = g.Model.Update(msg)
		cmd = g.guarded(next)
	})
	return g, cmd
}

func (g guard) View() (view string) {
	g.run(func() { view = g.Model.View() })
	return view
}

// guarded is a command whose panic, or that of a command in its batch, is caught.
func (g guard) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		g.run(func() { msg = cmd() })
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.guarded(batch[i])
			}
		}
		return msg
	}
}

func (g guard) run(f func()) {
	if err := caught(func() error { f(); return nil }); err != nil {
		g.fail(err)
	}
}

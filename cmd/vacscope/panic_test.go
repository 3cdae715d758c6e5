package main

import (
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// brokenModel is a screen that panics where it is told to.
type brokenModel struct{ in string }

func (m brokenModel) panicIn(place string) {
	if m.in == place {
		panic(place)
	}
}

func (m brokenModel) Init() tea.Cmd { m.panicIn("Init"); return nil }
func (m brokenModel) View() string  { m.panicIn("View"); return "view" }

func (m brokenModel) Update(tea.Msg) (tea.Model, tea.Cmd) {
	m.panicIn("Update")
	command := func() tea.Msg { m.panicIn("a command"); return nil }
	batched := func() tea.Msg { m.panicIn("a batch"); return nil }
	return m, tea.Batch(command, batched)
}

// runAll runs a command and those that it batches, as bubbletea does.
func runAll(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		for _, c := range batch {
			runAll(c)
		}
	}
}

func TestGuardCatchesAPanicAnywhere(t *testing.T) {
	for _, place := range []string{"Init", "Update", "View", "a command", "a batch", ""} {
		var failed error
		var model tea.Model = guard{brokenModel{place}, func(err error) { failed = err }}
		runAll(model.Init())
		model, cmd := model.Update(nil)
		runAll(cmd)
		view := model.View()
		var panicked *panicError
		if place == "" {
			if failed != nil || view != "view" {
				t.Errorf("without a panic: view %q, error %v", view, failed)
			}
		} else if !errors.As(failed, &panicked) || panicked.value != place {
			t.Errorf("a panic in %s gave %v", place, failed)
		}
	}
}

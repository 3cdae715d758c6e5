package tui

import (
	"fmt"
	"io"
	"maps"
	"os"
	"testing"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
)

// TestMain takes away what could make one machine draw differently from another.
func TestMain(m *testing.M) {
	for _, name := range []string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLORFGBG", "RUNEWIDTH_EASTASIAN", "LC_ALL"} {
		os.Unsetenv(name)
	}
	os.Setenv("TZ", "UTC")
	os.Setenv("LANG", "C.UTF-8")
	os.Setenv("TERM", "xterm-256color")
	os.Exit(m.Run())
}

// newApp is an App with the colours of a profile.
func newApp(profile termenv.Profile, ascii bool) *App {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	return New(Options{Target: "app@db1:5432", Version: "0.1.0", Location: fixtureZone, Dark: true, ASCII: ascii, Renderer: r})
}

func resize(a *App, w, h int) { a.Update(tea.WindowSizeMsg{Width: w, Height: h}) }

// press types keys, named as bubbletea names them.
func press(a *App, keys ...string) {
	named := map[string]tea.KeyType{
		"tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown,
		"ctrl+c": tea.KeyCtrlC, "enter": tea.KeyEnter, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	for _, k := range keys {
		if t, ok := named[k]; ok {
			a.Update(tea.KeyMsg{Type: t})
			continue
		}
		if k == " " {
			a.Update(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
			continue
		}
		a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
	}
}

// states are the screens that are designed, not left over.
func states() map[string]*model.Snapshot {
	all := groupStates()
	maps.Copy(all, map[string]*model.Snapshot{
		"connecting":  nil,
		"empty":       emptySnapshot(),
		"parallel":    parallelSnapshot(),
		"many":        manySnapshot(),
		"hidden":      hiddenSnapshot(),
		"waiting":     waitingSnapshot(),
		"attached":    attachedSnapshot(),
		"lost":        lostSnapshot(),
		"hostile":     hostileSnapshot(),
		"ended":       endedSnapshot(),
		"rewrite":     rewriteSnapshot(),
		"rounds":      roundsSnapshot(),
		"chain":       chainSnapshot(),
		"gives_way":   givesWaySnapshot(),
		"wraparound":  wraparoundSnapshot(),
		"prepared":    preparedSnapshot(),
		"past":        pastSnapshot(),
		"crowd":       crowdSnapshot(),
		"off":         offSnapshot(model.ByManual),
		"off_auto":    offSnapshot(model.ByAutovacuum),
		"differ":      differSnapshot(),
		"passes":      passesSnapshot(),
		"chosen":      chosenSnapshot("large*"),
		"chosen_none": chosenSnapshot("absent"),
		"idle":        idleSnapshot(),
		"idle_16":     idleOn16Snapshot(),
		"standby":     standbySnapshot(),
		"blind":       blindSnapshot(),
		"workers":     workersSnapshot(),
	})
	maps.Copy(all, pageStates())
	maps.Copy(all, wholeStates())
	maps.Copy(all, rareStates())
	maps.Copy(all, queueStates())
	return all
}

// frameCase is a screen that is kept.
type frameCase struct {
	name    string
	w, h    int
	profile termenv.Profile
	ascii   bool
	state   string
	keys    []string
}

func frameCases() []frameCase {
	var cases []frameCase
	for state := range states() {
		if groupStates()[state] != nil || queueStates()[state] != nil {
			continue
		}
		if pageStates()[state] != nil {
			for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
				cases = append(cases,
					frameCase{name: state, w: size[0], h: size[1], profile: termenv.Ascii, state: state, keys: []string{"enter"}},
					frameCase{name: state + "_end", w: size[0], h: size[1], profile: termenv.Ascii, state: state, keys: []string{"enter", "G"}})
			}
			continue
		}
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			cases = append(cases, frameCase{name: state, w: size[0], h: size[1], profile: termenv.Ascii, state: state})
		}
	}
	cases = append(cases,
		frameCase{name: "rounds_back", w: 80, h: 24, profile: termenv.Ascii, state: "rounds", keys: []string{"j", "j", "j"}},
		frameCase{name: "ascii_waiting", w: 120, h: 40, profile: termenv.Ascii, ascii: true, state: "waiting"},
		frameCase{name: "ascii_page", w: 120, h: 40, profile: termenv.Ascii, ascii: true, state: "page_autovacuum", keys: []string{"enter"}},
		frameCase{name: "help_page", w: 120, h: 40, profile: termenv.Ascii, state: "page_parallel", keys: []string{"enter", "?"}},
		frameCase{name: "page_small", w: 40, h: 10, profile: termenv.Ascii, state: "page_parallel", keys: []string{"enter"}},
		frameCase{name: "ascii_help", w: 120, h: 40, profile: termenv.Ascii, ascii: true, state: "parallel", keys: []string{"tab", "tab", "tab", "?"}},
	)
	for _, state := range []string{"joined", "failsafe_18", "skipped"} {
		cases = append(cases, frameCase{name: state + "_page", w: 120, h: 40, profile: termenv.Ascii, state: state, keys: []string{"enter", "G"}})
	}
	for _, state := range []string{"chain", "gives_way", "wraparound", "prepared", "past", "crowd"} {
		cases = append(cases,
			frameCase{name: state + "_zoom", w: 120, h: 40, profile: termenv.Ascii, state: state, keys: []string{"shift+tab", "j", "z"}})
	}
	cases = append(cases,
		frameCase{name: "chain_all", w: 120, h: 40, profile: termenv.Ascii, state: "chain", keys: []string{"a"}},
		frameCase{name: "crowd_last", w: 80, h: 24, profile: termenv.Ascii, state: "crowd", keys: []string{"shift+tab", "G"}},
		frameCase{name: "ascii_chain", w: 120, h: 40, profile: termenv.Ascii, ascii: true, state: "chain", keys: []string{"shift+tab", "z"}},
		frameCase{name: "help_delay", w: 120, h: 40, profile: termenv.Ascii, state: "parallel", keys: []string{"tab", "tab", "?"}},
		frameCase{name: "help_locks", w: 120, h: 40, profile: termenv.Ascii, state: "chain", keys: []string{"shift+tab", "?"}},
	)
	for _, size := range [][2]int{{100, 30}, {60, 15}, {40, 10}, {30, 6}, {20, 5}, {0, 0}} {
		cases = append(cases, frameCase{name: "parallel", w: size[0], h: size[1], profile: termenv.Ascii, state: "parallel"})
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		cases = append(cases,
			frameCase{name: "colours", w: size[0], h: size[1], profile: termenv.TrueColor, state: "parallel"},
			frameCase{name: "colours_lost", w: size[0], h: size[1], profile: termenv.ANSI, state: "lost"},
			frameCase{name: "ascii", w: size[0], h: size[1], profile: termenv.Ascii, ascii: true, state: "parallel"},
			frameCase{name: "ascii_hostile", w: size[0], h: size[1], profile: termenv.ANSI256, ascii: true, state: "hostile"},
			frameCase{name: "help", w: size[0], h: size[1], profile: termenv.Ascii, state: "parallel", keys: []string{"tab", "?"}},
			frameCase{name: "phases", w: size[0], h: size[1], profile: termenv.Ascii, state: "parallel", keys: []string{"tab"}},
			frameCase{name: "zoom", w: size[0], h: size[1], profile: termenv.Ascii, state: "parallel", keys: []string{"tab", "tab", "tab", "j", "z"}},
			frameCase{name: "delay", w: size[0], h: size[1], profile: termenv.TrueColor, state: "parallel", keys: []string{"tab", "tab"}},
			frameCase{name: "delay_zoom", w: size[0], h: size[1], profile: termenv.Ascii, state: "off_auto", keys: []string{"tab", "tab", "z"}},
			frameCase{name: "ascii_delay", w: size[0], h: size[1], profile: termenv.Ascii, ascii: true, state: "differ", keys: []string{"tab", "tab"}},
			frameCase{name: "paused", w: size[0], h: size[1], profile: termenv.Ascii, state: "parallel", keys: []string{" "}},
			frameCase{name: "many_last", w: size[0], h: size[1], profile: termenv.Ascii, state: "many", keys: []string{"G", "k"}},
		)
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		add := func(name, state string, keys ...string) {
			cases = append(cases, frameCase{name: "explain_" + name, w: size[0], h: size[1], profile: termenv.Ascii, state: state, keys: keys})
		}
		add("vacuums", "whole", "i", "j")
		add("idle", "idle", "i", "j")
		add("phases", "passes", "tab", "i", "G")
		add("processes", "parallel", "shift+tab", "shift+tab", "i")
		add("locks", "chain", "shift+tab", "i", "j", "j")
		add("page", "page_parallel", "enter", "i", "j", "j", "j", "j")
	}
	cases = append(cases, frameCase{name: "ascii_explain", w: 120, h: 40, profile: termenv.Ascii, ascii: true, state: "parallel", keys: []string{"i", "G"}})
	cases = append(cases, groupCases()...)
	return append(cases, queueCases()...)
}

func (c frameCase) view(states map[string]*model.Snapshot) string {
	a := newApp(c.profile, c.ascii)
	resize(a, c.w, c.h)
	a.Update(SnapshotMsg{states[c.state]})
	a.View() // a screen is seen before a key is pressed
	press(a, c.keys...)
	return a.View()
}

func TestFrames(t *testing.T) {
	all := states()
	for _, c := range frameCases() {
		t.Run(fmt.Sprintf("%s_%dx%d", c.name, c.w, c.h), func(t *testing.T) {
			golden.RequireEqual(t, c.view(all))
		})
	}
}

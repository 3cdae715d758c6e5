package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// action is what a key does.
type action uint8

// The actions, in the order of help and README.
const (
	actNone action = iota
	actUp
	actDown
	actLeft
	actRight
	actFirst
	actLast
	actDetails
	actZoom
	actNextPane
	actPreviousPane
	actFilter
	actSort
	actAll
	actQueue
	actEnd
	actPause
	actSampleBack
	actSampleOn
	actEventBack
	actEventOn
	actPhaseBack
	actPhaseOn
	actGoTo
	actFaster
	actSlower
	actVacuum
	actCancel
	actSettings
	actWhatIf
	actUndo
	actCommandLog
	actRecord
	actCompare
	actExport
	actCopy
	actExplain
	actTrace
	actDemoStep
	actMouse
	actBell
	actReconnect
	actPalette
	actHelp
	actBack
	actQuit
	actQuitNow
	actSuspend
)

// binding is one line of the key table. A key that is disabled is reserved: what
// it will do is not built yet, so it does nothing and is not shown.
type binding struct {
	key.Binding
	action action
	short  string // as the footer says it; "" where it does not
	yields int    // where the footer has no room: the highest goes first, 0 stays
	paused bool   // the key means this only while paused, and in a recording
}

// bindings is the one table of all keys.
func bindings() []binding {
	return []binding{
		{Binding: bound("tab", "next pane", "tab"), action: actNextPane, short: "pane", yields: 7},
		{Binding: bound("shift-tab", "previous pane", "shift+tab"), action: actPreviousPane},
		{Binding: bound("↑ k", "up: another row", "up", "k"), action: actUp},
		{Binding: bound("↓ j", "down: another row", "down", "j"), action: actDown, short: "select", yields: 6},
		{Binding: bound("← h", "hides a command's parts that are over", "left", "h"), action: actLeft},
		{Binding: bound("→ l", "lists a command's parts that are over", "right", "l"), action: actRight},
		{Binding: bound("g home", "first row", "g", "home"), action: actFirst},
		{Binding: bound("G end", "last row", "G", "end"), action: actLast},
		{Binding: bound("enter", "everything about the selected vacuum", "enter"), action: actDetails, short: "details"},
		{Binding: bound("z", "the pane fills the screen, and back", "z"), action: actZoom, short: "zoom", yields: 9},
		{Binding: bound("/", "filter by database, table, pid, role, phase", "/"), action: actFilter, short: "filter", yields: 8},
		{Binding: bound("o", "sort the vacuums by something else", "o"), action: actSort},
		{Binding: bound("a", "all lock waits, or only those around vacuums", "a"), action: actAll},
		{Binding: bound("N", "what comes next: tables due for autovacuum, ages", "N"), action: actQueue},
		{Binding: bound("H", "who keeps dead rows, and ending one", "H"), action: actEnd},
		{Binding: bound("space", "pause drawing (collecting goes on)", " "), action: actPause, short: "pause", yields: 5},
		{Binding: bound(",", "paused: one sample back", ","), action: actSampleBack, paused: true},
		{Binding: bound(".", "paused: one sample on", "."), action: actSampleOn, paused: true},
		{Binding: bound("<", "paused: to what happened before", "<"), action: actEventBack, paused: true},
		{Binding: bound(">", "paused: to what happens next", ">"), action: actEventOn, paused: true},
		{Binding: bound("[", "paused: to the phase before", "["), action: actPhaseBack, paused: true},
		{Binding: bound("]", "paused: to the next phase", "]"), action: actPhaseOn, paused: true},
		{Binding: bound("@", "paused: to a time, as 12:14:05, -5m, 40%", "@"), action: actGoTo, paused: true},
		{Binding: bound("+", "a recording: faster", "+"), action: actFaster, paused: true},
		{Binding: bound("-", "a recording: slower", "-"), action: actSlower, paused: true},
		{Binding: bound("v", "vacuum a table", "v"), action: actVacuum, short: "vacuum"},
		{Binding: bound("x", "cancel the selected vacuum, or run it again otherwise", "x"), action: actCancel, short: "cancel"},
		{Binding: bound("s", "settings of vacuum", "s"), action: actSettings, short: "settings", yields: 1},
		{Binding: bound("w", "what if the cost settings were others", "w"), action: actWhatIf, short: "what-if", yields: 2},
		{Binding: bound("u", "put back what was changed from here", "u"), action: actUndo},
		{Binding: bound("L", "commands sent from here", "L"), action: actCommandLog},
		{Binding: bound("r", "record into a file, and end that", "r"), action: actRecord},
		{Binding: bound("d", "compare the selected vacuum with another one", "d"), action: actCompare},
		{Binding: bound("e", "save the frame as SVG and as text", "e"), action: actExport},
		{Binding: bound("y", "copy a plain summary of the selected vacuum", "y"), action: actCopy},
		{Binding: bound("i", "explain the row and what stands in the pane", "i"), action: actExplain, short: "explain", yields: 3},
		{Binding: reserved("t", "trace", "t"), action: actTrace},
		{Binding: bound("n", "demo SCENARIO: the next step", "n"), action: actDemoStep},
		{Binding: bound("m", "mouse on and off", "m"), action: actMouse},
		{Binding: bound("b", "bell on and off: it ends, 10 s waited, a pass", "b"), action: actBell},
		{Binding: bound("R", "reconnect now", "R"), action: actReconnect},
		{Binding: bound(":", "every action by name", ":"), action: actPalette, short: "actions", yields: 4},
		{Binding: bound("?", "help on the pane and the marks", "?"), action: actHelp, short: "help"},
		{Binding: bound("esc", "back: closes help or page, ends zoom, no filter", "esc"), action: actBack, short: "to what runs"},
		{Binding: bound("q", "quit", "q"), action: actQuit, short: "quit"},
		{Binding: bound("ctrl-c", "quit; twice leaves at once", "ctrl+c"), action: actQuitNow},
		{Binding: bound("ctrl-z", "suspend; the shell's fg brings it back", "ctrl+z"), action: actSuspend},
	}
}

// bound is a key that works, labelled as people name it; keys are as bubbletea
// names them.
func bound(label, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, what))
}

// reserved is a key for something that is not built yet.
func reserved(label, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, what), key.WithDisabled())
}

// actionOf returns what a key does; actNone for keys that do nothing.
func actionOf(msg tea.KeyMsg, seeks bool) action {
	for _, b := range bindings() {
		if key.Matches(msg, b.Binding) && (seeks || !b.paused) {
			return b.action
		}
	}
	return actNone
}

// KeyTable returns the keys that do something, each with what it does, in the
// order of the help.
func KeyTable() [][2]string {
	var table [][2]string
	for _, b := range bindings() {
		if b.Enabled() {
			table = append(table, [2]string{strings.ReplaceAll(b.Help().Key, " ", ", "), b.Help().Desc})
		}
	}
	return table
}

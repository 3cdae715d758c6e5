package tui

import "strings"

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
	actPause
	actSampleBack
	actSampleOn
	actEventBack
	actEventOn
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
)

// binding is one line of the key table.
type binding struct {
	action action
	keys   []string // as bubbletea names them
	label  string   // as people do
	what   string
	short  string // as the footer says it; "" where it does not
	built  bool   // what is not built yet is reserved: the key does nothing and is not shown
	paused bool   // the key means this only while paused
}

// bindings is the one table of all keys.
func bindings() []binding {
	return []binding{
		{action: actNextPane, keys: []string{"tab"}, label: "tab", what: "next pane", short: "pane", built: true},
		{action: actPreviousPane, keys: []string{"shift+tab"}, label: "shift-tab", what: "previous pane", built: true},
		{action: actUp, keys: []string{"up", "k"}, label: "↑ k", what: "up: another row", built: true},
		{action: actDown, keys: []string{"down", "j"}, label: "↓ j", what: "down: another row", short: "select", built: true},
		{action: actLeft, keys: []string{"left", "h"}, label: "← h", what: "left"},
		{action: actRight, keys: []string{"right", "l"}, label: "→ l", what: "right"},
		{action: actFirst, keys: []string{"g", "home"}, label: "g home", what: "first row", built: true},
		{action: actLast, keys: []string{"G", "end"}, label: "G end", what: "last row", built: true},
		{action: actDetails, keys: []string{"enter"}, label: "enter", what: "details of the selection"},
		{action: actZoom, keys: []string{"z"}, label: "z", what: "the pane fills the screen, and back", short: "zoom", built: true},
		{action: actFilter, keys: []string{"/"}, label: "/", what: "filter"},
		{action: actSort, keys: []string{"o"}, label: "o", what: "sort"},
		{action: actAll, keys: []string{"a"}, label: "a", what: "all, or only those around vacuums"},
		{action: actPause, keys: []string{" "}, label: "space", what: "pause drawing (collecting goes on)", short: "pause", built: true},
		{action: actSampleBack, keys: []string{","}, label: ",", what: "one sample back", paused: true},
		{action: actSampleOn, keys: []string{"."}, label: ".", what: "one sample on", paused: true},
		{action: actEventBack, keys: []string{"<"}, label: "<", what: "to the event before", paused: true},
		{action: actEventOn, keys: []string{">"}, label: ">", what: "to the next event", paused: true},
		{action: actVacuum, keys: []string{"v"}, label: "v", what: "vacuum a table"},
		{action: actCancel, keys: []string{"x"}, label: "x", what: "cancel"},
		{action: actSettings, keys: []string{"s"}, label: "s", what: "settings"},
		{action: actWhatIf, keys: []string{"w"}, label: "w", what: "what if the settings were others"},
		{action: actUndo, keys: []string{"u"}, label: "u", what: "undo the last change"},
		{action: actCommandLog, keys: []string{"L"}, label: "L", what: "command log"},
		{action: actRecord, keys: []string{"r"}, label: "r", what: "record"},
		{action: actCompare, keys: []string{"d"}, label: "d", what: "compare"},
		{action: actExport, keys: []string{"e"}, label: "e", what: "export the frame"},
		{action: actCopy, keys: []string{"y"}, label: "y", what: "copy a plain summary"},
		{action: actExplain, keys: []string{"i"}, label: "i", what: "explain"},
		{action: actTrace, keys: []string{"t"}, label: "t", what: "trace"},
		{action: actDemoStep, keys: []string{"n"}, label: "n", what: "next demo step"},
		{action: actMouse, keys: []string{"m"}, label: "m", what: "mouse on and off"},
		{action: actBell, keys: []string{"b"}, label: "b", what: "bell on and off"},
		{action: actReconnect, keys: []string{"R"}, label: "R", what: "reconnect now"},
		{action: actPalette, keys: []string{":"}, label: ":", what: "every action by name"},
		{action: actHelp, keys: []string{"?"}, label: "?", what: "help on the pane and the marks", short: "help", built: true},
		{action: actBack, keys: []string{"esc"}, label: "esc", what: "back: closes help, ends zoom", built: true},
		{action: actQuit, keys: []string{"q"}, label: "q", what: "quit", short: "quit", built: true},
		{action: actQuitNow, keys: []string{"ctrl+c"}, label: "ctrl-c", what: "quit; twice leaves at once", built: true},
	}
}

// actionOf returns what a key does; actNone for keys that do nothing.
func actionOf(key string, paused bool) action {
	for _, b := range bindings() {
		if !b.built || (b.paused && !paused) {
			continue
		}
		for _, k := range b.keys {
			if k == key {
				return b.action
			}
		}
	}
	return actNone
}

// KeyTable returns the keys that do something, each with what it does, in the
// order of the help.
func KeyTable() [][2]string {
	var table [][2]string
	for _, b := range bindings() {
		if b.built {
			table = append(table, [2]string{strings.ReplaceAll(b.label, " ", ", "), b.what})
		}
	}
	return table
}

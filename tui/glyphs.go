package tui

import "example.com/vacscope/model"

// Characters that mean something wherever they stand. Where only ASCII can be
// drawn each is replaced (asciiGlyphs) by one that is as wide.
const (
	glyphSelected  = "▸"
	glyphLive      = "●"
	glyphLost      = "○"
	glyphPaused    = "‖"
	glyphPlaying   = "▶"
	glyphPast      = "━" // of the bar of positions: before what is drawn
	glyphHere      = "◆"
	glyphToCome    = "─"
	glyphBlockedBy = "◂"
	glyphBranch    = "└" // in front of who waits behind the one above
	glyphUntilFull = "▲" // behind a time: until the memory is full, not to the end
	glyphPhase     = "ᵖ" // behind what is of the phase, beside what is of whole runs
	glyphEstimate  = "≈"
	glyphAccent    = "┃"
	glyphAtLeast   = "≥"
	glyphSeparator = "·"
	glyphAsleep    = "⣀" // a second of a lane that was slept through: a low, thin line
	glyphNoSample  = "∙"
	glyphLeader    = "╌" // the leader waits for its workers: awake, and not at work
	glyphTrack     = "░" // what is left of a bar
	glyphFull      = "█"
	glyphChanged   = "╎" // in a chart: a setting was changed
	glyphCursor    = "▏" // where the next character that is typed goes
)

// eighth is a cell of which n eighths are filled from the left, 1 to 7.
func eighth(n int) string { return string([]rune("▏▎▍▌▋▊▉")[n-1]) }

// height is a cell filled from below, n from 1 to 8.
func height(n int) string { return string([]rune("▁▂▃▄▅▆▇█")[n-1]) }

// classLetter is the class's letter, for where there are no colours.
func classLetter(c model.Class) string {
	const letters = ".Lw=lp#o" // in the order of model.Class
	return letters[c : c+1]
}

// asciiGlyphs returns the characters for terminals that draw nothing but ASCII.
// Marks that can stand in the same place differ: a bar's track is no sleep, a
// second without a sample neither, and who waits for workers has no empty cell.
func asciiGlyphs() map[string]string {
	return map[string]string{
		glyphSelected: ">", glyphLive: "*", glyphLost: "o", glyphPaused: "=", glyphPlaying: ">", glyphPast: "=", glyphHere: "#",
		glyphBlockedBy: "<", glyphUntilFull: "^", glyphPhase: "p", glyphEstimate: "~", glyphAtLeast: ">", glyphAccent: "|", glyphSeparator: "|",
		glyphAsleep: classLetter(model.ClassDelay), glyphNoSample: ":", glyphLeader: classLetter(model.ClassLeader),
		glyphTrack: "_", glyphFull: "#", glyphChanged: "!", ellipsis: "+",
		"▏": "_", "▎": "_", "▍": "_", "▌": "#", "▋": "#", "▊": "#", "▉": "#",
		"▁": "1", "▂": "2", "▃": "3", "▄": "4", "▅": "5", "▆": "6", "▇": "7",
		"─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+",
		"┤": "+", "┼": "+", "┬": "+",
		"═": "=", "║": "#", "╔": "#", "╗": "#", "╚": "#", "╝": "#",
		"–": "-", "—": "-", "±": "~", "×": "x", "↑": "^", "↓": "v", "←": "<", "→": ">", "µ": "u",
	}
}

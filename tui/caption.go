package tui

import "example.com/vacscope/model"

// captionRows is how many lines of text a caption has at a width, always, so that
// nothing below it moves when the text changes; two more are its frame.
func captionRows(w int) int {
	if w < sideWidth {
		return 5
	}
	return 4
}

// captionLines is how many lines a caption takes.
func captionLines(w int) int { return captionRows(w) + 2 }

// captioned tells that what a demonstration shows is told above the panes.
func (a *App) captioned() bool {
	return a.snap != nil && a.snap.Caption != nil && a.w >= fullWidth && a.h >= fullHeight+captionLines(a.w)
}

// caption says what a demonstration shows: what happens, what to look at, and at the end
// of a step what came of it and which key goes on.
func (a *App) caption(w int) []line {
	c := a.snap.Caption
	inner, rows := w-frameCells, captionRows(w)
	first, s := c.Happens, stylePlain
	if c.Over() {
		first, s = c.Seen, styleGood
		if c.Failed {
			s = styleBad
		}
	}
	lines := wrapped(show(first), s, inner)
	if c.Look != "" {
		lines = append(lines, wrapped("Look: "+show(c.Look), stylePlain, inner)...)
	}
	if len(lines) > rows {
		lines = append(lines[:rows-1:rows-1], cutShort(lines[rows-1], inner))
	}
	return frame{title: show(c.Scenario) + ", " + c.Place() + ": " + show(c.Title), note: captionKey(c)}.around(block(lines, inner, rows), w)
}

// captionKey says which key goes on.
func captionKey(c *model.Caption) string {
	switch {
	case c.Stage == 0 || !c.Over():
		return ""
	case c.Last():
		return "the end: " + label(actQuit) + " quits"
	}
	return label(actDemoStep) + " goes on"
}

// stepless says why there is no next step now; "" when there is.
func (a *App) stepless() string {
	switch {
	case a.options.NextStep == nil:
		return "only a scenario has steps (vacscope demo --list)"
	case a.latest == nil || a.latest.Caption == nil || !a.latest.Caption.Over():
		return "this step goes on; it says when it is over"
	case a.latest.Caption.Last():
		return "this was the last step"
	}
	return ""
}

package tui

// paneID names a pane.
type paneID int

// The panes, in the order of tab and from top to bottom; where there is room the
// delay stands beside the phases.
const (
	paneVacuums paneID = iota
	panePhases
	paneDelay
	paneProcesses
	paneLocks
	panes
)

// mode is how much the terminal's size allows.
type mode uint8

const (
	modeFull    mode = iota
	modeCompact      // the vacuums and the verdict, cut to the width
	modeTiny         // one line says what is needed
)

// The sizes below which less is drawn.
const (
	fullWidth, fullHeight = 60, 15
	tinyWidth, tinyHeight = 30, 6
	// From this width on phases and delay stand side by side, the phases as wide as
	// their names, time and delay need.
	sideWidth, leastPhases = 100, 52
	// A terminal that has not told its size is taken for one of 80 x 24.
	defaultWidth, defaultHeight = 80, 24
)

// layout says how many lines each part has, from top to bottom: header, vacuums,
// verdict, the other panes, status, footer. A part of 0 lines is not drawn. All
// parts are as wide as the terminal, but for phases and delay side by side.
type layout struct {
	mode    mode
	w, h    int
	header  int
	verdict int
	pane    [panes]int
	left    int // width of the phases where the delay stands beside them, as high; else 0
	page    int // in place of the panes; on a small screen of the verdict too
	status  int
	footer  int
}

// arrange lays out a screen of w x h cells. The pane with the focus is always
// drawn; zoomed, it is the only one.
func arrange(w, h int, focus paneID, zoomed bool) layout {
	if w <= 0 || h <= 0 {
		w, h = defaultWidth, defaultHeight
	}
	l := layout{w: w, h: h}
	switch {
	case w < tinyWidth || h < tinyHeight:
		l.mode = modeTiny
		return l
	case w < fullWidth || h < fullHeight:
		l.mode = modeCompact
		return l.compact()
	}
	l.header, l.footer, l.verdict = 1, 1, 3
	if h >= 30 {
		l.status = 1
	}
	rest := h - l.header - l.footer - l.verdict - l.status
	if zoomed {
		l.pane[focus] = rest
		return l
	}
	l.pane[paneVacuums] = 3 + h/12 + 1 // frame, heading, rows
	l.stack(rest-l.pane[paneVacuums], focus)
	return l
}

// across is where a pane begins in its lines, and its width.
func (l *layout) across(id paneID) (x, w int) {
	switch {
	case l.left > 0 && id == panePhases:
		return 0, l.left
	case l.left > 0 && id == paneDelay:
		return l.left, l.w - l.left
	}
	return 0, l.w
}

// compact leaves out frames, the other panes and, where it is low, the footer.
func (l layout) compact() layout {
	l.header, l.verdict = 1, 2
	if l.h >= 8 {
		l.verdict, l.footer = 3, 1
	}
	l.pane[paneVacuums] = l.h - l.header - l.verdict - l.footer
	return l
}

// cover gives a page the lines of the panes.
func (l layout) cover() layout {
	if l.mode == modeTiny {
		return l
	}
	if l.mode == modeCompact {
		l.verdict = 0
	}
	l.pane = [panes]int{}
	l.page = l.h - l.header - l.verdict - l.status - l.footer
	return l
}

// stack shares h lines among the panes below the verdict: those that fit at their
// least height, the one with the focus first, then what matters most.
func (l *layout) stack(h int, focus paneID) {
	least := [panes]int{panePhases: 7, paneDelay: 10, paneProcesses: 5, paneLocks: 4}
	order := []paneID{focus, paneProcesses, paneLocks, panePhases, paneDelay}
	side := l.w >= sideWidth
	if side {
		if focus == paneDelay {
			focus = panePhases
		}
		least[panePhases] = 9
		order = []paneID{focus, paneProcesses, paneLocks, panePhases}
	}
	least[focus] = min(least[focus], h)
	for _, id := range order {
		if l.pane[id] == 0 && least[id] <= h {
			l.pane[id] = least[id]
			h -= least[id]
		}
	}
	grow := func(id paneID, n int) {
		if l.pane[id] > 0 {
			l.pane[id] += n
			h -= n
		}
	}
	spare := h
	grow(paneLocks, min((spare+4)/5, 6))
	if side {
		grow(panePhases, min(spare/3, 9))
	} else {
		grow(panePhases, min(spare/4, 8))
		grow(paneDelay, min(spare/4, 8))
	}
	for _, id := range []paneID{paneProcesses, focus, panePhases, paneDelay, paneLocks} {
		if id != paneVacuums {
			grow(id, h)
		}
	}
	if side && l.pane[panePhases] > 0 {
		l.pane[paneDelay], l.left = l.pane[panePhases], max(l.w/2, leastPhases)
	}
}

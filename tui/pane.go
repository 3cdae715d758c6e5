package tui

import "example.com/vacscope/model"

// content is what a pane shows: one pointer struct and one file each. No content
// knows another; the App gives each the snapshot and the selected run, neither of
// which it writes.
type content interface {
	// title stands in the frame on the left, note on the right ("" for none).
	title() string
	note() string
	setData(s *model.Snapshot, r *model.Run)
	// handle does what a key asks for and tells whether it is the pane's key.
	handle(a action) bool
	// keys are the pane's own actions, for the help, with what they do here.
	keys() []paneKey
	// terms are what stands in the pane in w cells, for the help, which has their first
	// lines.
	terms(w int) []model.Explanation
	// explains is what explains the pane: of the row under the cursor, the terms, the marks.
	explains(w int) (texts []model.Explanation, at int)
	// draw returns its lines; more than h are cut, fewer filled, each to w cells.
	// Only the pane with the focus marks its cursor.
	draw(w, h int, focused bool) []line
}

// paneKey says what an action does in a pane.
type paneKey struct {
	action action
	what   string
}

// pane frames a content and keeps what was drawn until something changes.
type pane struct {
	content
	theme     *theme
	w, h      int
	focused   bool
	frameless bool
	snap      *model.Snapshot
	run       *model.Run
	dirty     bool
	drawn     []line // what stands in it, as the content drew it
	lines     []string
}

func newPane(c content, t *theme) *pane { return &pane{content: c, theme: t, dirty: true} }

// SetData gives the pane what it shows.
func (p *pane) SetData(s *model.Snapshot, r *model.Run) {
	if s == p.snap && r == p.run {
		return
	}
	p.snap, p.run, p.dirty = s, r, true
	p.setData(s, r)
}

// Forget makes the next SetData take effect though it brings nothing new.
func (p *pane) Forget() { p.snap = nil }

// SetSize gives the pane its outer size.
func (p *pane) SetSize(w, h int) {
	if w != p.w || h != p.h {
		p.w, p.h, p.dirty = w, h, true
	}
}

// SetLook says whether the pane has the focus and whether it has a frame.
func (p *pane) SetLook(focused, frameless bool) {
	if focused != p.focused || frameless != p.frameless {
		p.focused, p.frameless, p.dirty = focused, frameless, true
	}
}

// HandleKey does what a key asks for and tells whether it is the pane's key.
func (p *pane) HandleKey(a action) bool {
	handled := p.handle(a)
	p.dirty = p.dirty || handled
	return handled
}

// View returns exactly h lines of w cells.
func (p *pane) View() []string {
	if p.dirty {
		p.lines, p.dirty = p.rebuild(), false
	}
	return p.lines
}

func (p *pane) rebuild() []string {
	w, h := max(p.w, 0), max(p.h, 0)
	var lines []line
	switch {
	case p.frameless:
		p.drawn = block(p.draw(w, h, p.focused), w, h)
		lines = p.drawn
	case w < frameCells || h < 2:
		lines = block(nil, w, h)
	default:
		p.drawn = block(p.draw(w-frameCells, h-2, p.focused), w-frameCells, h-2)
		lines = frame{title: p.title(), note: p.note(), focused: p.focused}.around(p.drawn, w)
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = p.theme.render(l)
	}
	return out
}

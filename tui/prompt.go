package tui

import (
	"example.com/vacscope/model"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// prompt is a line of text that a person types, in place of the footer. While
// there is one it has the keys: single letters are text.
type prompt struct {
	promptUse
	label string // the key that opened it
	input textinput.Model
}

// promptUse is what a prompt is for.
type promptUse struct {
	hint    func() string                         // what there is for what was typed, and how to leave the prompt
	changed func(typed string)                    // the text is another one; nil where only the end matters
	ended   func(typed string, kept bool) tea.Cmd // the prompt is closed; kept: with enter
	chooser *chooser                              // is drawn over the screen; nil for none
}

func newPrompt(label, value string, use promptUse) *prompt {
	in := textinput.New()
	in.CharLimit = maxFilter
	in.KeyMap.Paste.SetEnabled(false) // it would start a program that reads the clipboard
	in.SetValue(value)
	in.Focus() // of what it returns only the blinking of a cursor that is not drawn would come
	return &prompt{use, label, in}
}

// edit takes a key and tells whether the text is another one now.
func (p *prompt) edit(msg tea.KeyMsg) bool {
	before := p.input.Value()
	p.input, _ = p.input.Update(msg)
	return p.input.Value() != before
}

// line is the text with a bar where the next character goes, and a hint on the
// right where there is room for it. Of a long text the part before the bar stays.
func (p *prompt) line(hint string, w int) line {
	runes, at := []rune(p.input.Value()), p.input.Position()
	before, after := show(model.Text(string(runes[:at]))), show(model.Text(string(runes[at:])))
	if over := ansi.StringWidth(before) + 6 - w; over > 0 {
		before = ansi.TruncateLeft(before, over, ellipsis)
	}
	typed := line{{" " + p.label + " ", styleStrong}, {before, stylePlain}, {glyphCursor, styleFocus}, {after, stylePlain}}
	right := text(styleDim, hint+" ")
	if typed.width()+2+right.width() > w {
		return fit(typed, w)
	}
	return append(fit(typed, w-right.width()), right...)
}

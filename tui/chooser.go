package tui

import (
	"strings"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
)

// chooser lets a person find an action by some letters of what it does.
type chooser struct{ list list }

// choice is one action in it.
type choice struct {
	binding
	matched []int  // which bytes of what it does were typed
	why     string // why it is not possible now; "" when it is
}

// openChooser opens a prompt whose text chooses; the action chosen is done when it ends.
func (a *App) openChooser() {
	c := &chooser{}
	a.help, a.prompt = false, newPrompt(label(actPalette), "", promptUse{
		chooser: c,
		hint: func() string {
			return model.FormatCounted(len(a.choices(a.prompt.input.Value())), "action", "actions") + "   enter does it  esc closes"
		},
		changed: func(string) { c.list.cursor = 0 },
		ended: func(typed string, kept bool) tea.Cmd {
			if choices := a.choices(typed); kept && c.list.cursor < len(choices) {
				return a.press(choices[c.list.cursor].action)
			}
			return nil
		},
	})
}

// chooser is the one that the prompt has; nil for none.
func (a *App) chooser() *chooser {
	if a.prompt == nil {
		return nil
	}
	return a.prompt.chooser
}

// choices are the actions that have what was typed, the best match first; all of
// them, in the order of the key table, as long as nothing was.
func (a *App) choices(typed string) []choice {
	var all []choice
	var names []string
	for _, b := range bindings() {
		if b.Enabled() && b.action != actPalette {
			all = append(all, choice{binding: b, why: a.impossible(b.action)})
			names = append(names, b.Help().Desc)
		}
	}
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return all
	}
	var found []choice
	for _, m := range fuzzy.Find(typed, names) {
		c := all[m.Index]
		c.matched = m.MatchedIndexes
		found = append(found, c)
	}
	return found
}

// chooserBox is the list of actions in a frame that fits the screen, and under it
// why the selected one is not possible now.
func (a *App) chooserBox(l layout) []line {
	w := min(l.w, 90)
	choices := a.choices(a.prompt.input.Value())
	rows := &a.prompt.chooser.list
	var why []line
	if rows.cursor < len(choices) {
		why = wrapped(choices[rows.cursor].why, styleNote, w-frameCells)
	}
	h := max(1, l.h-l.header-3-len(why))
	from, to := rows.window(len(choices), h)
	var lines []line
	for i := from; i < to; i++ {
		lines = append(lines, choices[i].line(i == rows.cursor))
	}
	if len(choices) == 0 {
		lines = append(lines, text(styleDim, "no action has these letters"))
	}
	f := frame{title: "Actions", note: rows.note(), focused: true}
	lines = append(lines, why...)
	return f.around(block(lines, w-frameCells, len(lines)), w)
}

// line is the action's key and what it does, with the letters that were typed
// strong; one that is not possible now is dim.
func (c choice) line(selected bool) line {
	out := append(marker(selected), fit(text(styleStrong, " "+c.Help().Key), 12)...)
	if c.why != "" {
		return append(out.in(styleDim), seg{c.Help().Desc, styleDim})
	}
	next := 0
	for i, r := range c.Help().Desc {
		s := stylePlain
		if next < len(c.matched) && c.matched[next] == i {
			s, next = styleStrong, next+1
		}
		out = append(out, seg{string(r), s})
	}
	return out
}

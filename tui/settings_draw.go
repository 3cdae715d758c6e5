package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

func (d *settingsDialog) draw(w, h int) []line {
	if d.all == nil {
		if d.err != nil {
			return failure(d.err, w)
		}
		return []line{text(styleDim, "asking the server ...")}
	}
	var out []line
	if d.typing || d.filter.Value() != "" {
		out = append(out, fieldLine("find", d.filter, w))
	}
	shown := d.shown()
	t := newTable(settingColumns(), w-2)
	out = append(out, append(plain("  "), t.heading()...))
	about := d.about(w)
	from, to := d.list.window(len(shown), max(3, h-len(out)-len(about)-1))
	for i := from; i < to; i++ {
		row := t.row(shown[i])
		if i == d.list.cursor {
			row = row.strengthen()
		}
		out = append(out, append(append(marker(i == d.list.cursor), seg{" ", stylePlain}), row...))
	}
	return append(append(out, text(styleDim, "  "+d.list.note())), about...)
}

// about is what is to be known of the selected setting, and of the staged change.
func (d *settingsDialog) about(w int) []line {
	s, chosen := d.selected()
	if !chosen {
		return []line{text(styleDim, "no setting has this in its name")}
	}
	out := wrapped(show(s.What)+" "+rangeOf(s), styleDim, w)
	c, staged := d.change()
	out = append(out, line{{"scope ", styleDim}, {show(model.Text(c.Place())), styleStrong}, {"   tab: another", styleDim}})
	if why := d.hindrance(c); why != "" {
		out = append(out, wrapped("Not in this scope: "+why+".", styleNote, w)...)
		if staged {
			out = append(out, fileLines(c, w)...)
		}
		return out
	}
	if d.run != nil && d.run.State != model.StateEnded {
		out = append(out, wrapped(d.followSentence(c), styleNote, w)...)
	}
	if s.Context == "postmaster" {
		out = append(out, wrapped("It takes effect when the server is started again.", styleNote, w)...)
	}
	switch {
	case d.sending:
		out = append(out, text(styleNote, "sending, and reading back ..."))
	case staged:
		out = append(out, d.statementLines(c, w)...)
	}
	out = append(out, wrapped(d.log, styleGood, w)...)
	return append(out, failure(d.err, w)...)
}

// statementLines are what enter would send.
func (d *settingsDialog) statementLines(c model.Change, w int) []line {
	if c.Scope == model.ScopeNext {
		return []line{text(styleStrong, c.Name+" = "+c.Value.Or("as the session has it")), text(styleDim, "nothing is sent now: enter keeps it for v")}
	}
	out, err := changeLines(d.actions, c, w)
	if err != nil {
		return failure(err, w)
	}
	return out
}

// fileLines are what a configuration file has to say for a change of the server that
// cannot be made from here.
func fileLines(c model.Change, w int) []line {
	v, given := c.Value.Get()
	if !given || c.Scope != model.ScopeServer {
		return nil
	}
	out := wrapped("Where its configuration is kept, this line does it; y copies it:", styleDim, w)
	return append(out, text(styleStrong, c.Name+" = "+v))
}

// changeLines are the statements that a change would send.
func changeLines(actions Actions, c model.Change, w int) ([]line, error) {
	statements, err := actions.Statements(c)
	if err != nil {
		return nil, err
	}
	var out []line
	for _, sql := range statements {
		out = append(out, wrapped(show(model.Text(sql))+";", styleStrong, w)...)
	}
	return out, nil
}

// followSentence says whether the selected run takes notice.
func (d *settingsDialog) followSentence(c model.Change) string {
	f := model.Follows(c, d.run, d.snap.Server.VersionNum)
	answer := "follows if it gets slower"
	if yes, known := f.Follows.Get(); known {
		answer = map[bool]string{true: "will follow", false: "will not follow"}[yes]
	}
	return fmt.Sprintf("%s %s. %s", d.snap.NameOf(d.run), answer, f.Why)
}

// rangeOf says what a setting can be and is without being set.
func rangeOf(s model.SettingInfo) string {
	var parts []string
	if low, ok := s.Min.Get(); ok {
		parts = append(parts, fmt.Sprintf("%s to %s", low, s.Max.Or("")))
	}
	if len(s.Words) > 0 {
		var words []string
		for _, w := range s.Words {
			words = append(words, show(w))
		}
		parts = append(parts, strings.Join(words, ", "))
	}
	if def, ok := s.Default.Get(); ok {
		parts = append(parts, "default "+def)
	}
	if unit, ok := s.Unit.Get(); ok {
		parts = append(parts, "in "+unit)
	}
	return "(" + strings.Join(parts, "; ") + ")"
}

func settingColumns() []column[model.SettingInfo] {
	return []column[model.SettingInfo]{
		{title: "setting", min: 24, max: 44, first: true, cell: func(s model.SettingInfo, _ int) line {
			return plain(s.Name)
		}},
		{title: "value", min: 10, max: 16, right: true, cell: func(s model.SettingInfo, _ int) line {
			return plain(show(s.Setting.Setting))
		}},
		{title: "unit", min: 4, max: 4, cell: func(s model.SettingInfo, _ int) line {
			return text(styleDim, s.Unit.Or(""))
		}},
		{title: "source", min: 12, max: 20, drop: 1, cell: func(s model.SettingInfo, _ int) line {
			return text(styleDim, show(s.Source))
		}},
		{title: "", min: 0, max: 16, drop: 2, cell: func(s model.SettingInfo, _ int) line {
			if s.PendingRestart {
				return text(styleNote, "restart pending")
			}
			return nil
		}},
	}
}

package tui

import (
	"context"
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// tableDialog picks a table: the server lists those that have the letters typed, the
// largest first.
type tableDialog struct {
	actions Actions
	name    string
	// forbids says of a table that this role may not vacuum what comes of that; "" where
	// nothing does.
	forbids string
	then    func(model.TableChoice) dialog // what follows the choice
	from    dialog                         // what esc goes back to; nil for none

	input   textinput.Model
	tables  []model.TableChoice
	listed  string // what was typed for tables
	asked   string // what was typed for the question that is open
	waiting bool
	chosen  bool // enter was pressed before the tables for what is typed were there
	err     error
	list    list
	snap    *model.Snapshot
	over    bool
	next    dialog
}

// newVacuumTableDialog picks the table to vacuum; begin has the settings that the next
// vacuum from here has.
func newVacuumTableDialog(actions Actions, begin model.VacuumPlan) *tableDialog {
	return &tableDialog{
		actions: actions, name: "Vacuum a table", input: textInput(""),
		forbids: "This role may not vacuum it: the server would skip it. Its owner may, and from 17 on who has MAINTAIN on it.",
		then: func(t model.TableChoice) dialog {
			return newPlanDialog(actions, planOf(begin, t.Name), nil)
		},
	}
}

// planOf is the VACUUM of a table, with the settings of another plan.
func planOf(settings model.VacuumPlan, table model.RelationName) model.VacuumPlan {
	settings.Schema, settings.Table, settings.Verbose = model.Some(table.Schema), table.Name, true
	return settings
}

// textInput is a field for text whose cursor is drawn by who draws the field.
func textInput(value string) textinput.Model {
	in := textinput.New()
	in.CharLimit = maxFilter
	in.KeyMap.Paste.SetEnabled(false) // it would start a program that reads the clipboard
	in.SetValue(value)
	in.Focus()
	return in
}

// start asks for the tables.
func (d *tableDialog) start() tea.Cmd {
	d.waiting, d.asked = true, d.input.Value()
	typed := d.asked
	return asking(d, func(ctx context.Context) ([]model.TableChoice, error) { return d.actions.Tables(ctx, typed) })
}

func (d *tableDialog) title() string { return d.name }

func (d *tableDialog) back() dialog { return d.from }

func (d *tableDialog) hint() string {
	leave := "esc closes"
	if d.from != nil {
		leave = "esc goes back"
	}
	return "type letters of its name  ↑↓ choose  enter goes on  " + leave
}

func (d *tableDialog) closed() (bool, string, dialog) { return d.over, "", d.next }

func (d *tableDialog) setData(s *model.Snapshot) { d.snap = s }

func (d *tableDialog) typed(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyUp, tea.KeyDown:
		d.list.move(actionOf(msg, false), len(d.tables))
	case tea.KeyEnter:
		if d.chosen = d.waiting || d.input.Value() != d.listed; !d.chosen {
			d.choose()
		}
	default:
		d.chosen = false
		d.input, _ = d.input.Update(msg)
		if d.input.Value() != d.listed && !d.waiting {
			return d.start()
		}
	}
	return nil
}

// choose goes on with the selected table.
func (d *tableDialog) choose() {
	if d.list.cursor >= len(d.tables) {
		return
	}
	d.over, d.next = true, d.then(d.tables[d.list.cursor])
}

// answered takes the tables; what was typed meanwhile is asked for next.
func (d *tableDialog) answered(body any) tea.Cmd {
	d.waiting, d.listed = false, d.asked
	switch body := body.(type) {
	case error:
		d.err = body
	case []model.TableChoice:
		d.tables, d.err, d.list = body, nil, list{}
	}
	if d.input.Value() != d.listed {
		return d.start()
	}
	if d.chosen && d.err == nil {
		d.chosen = false
		d.choose()
	}
	return nil
}

func (d *tableDialog) draw(w, h int) []line {
	out := []line{fieldLine("table", d.input, w), nil}
	t := newTable(tableColumns(d.snap), w-2)
	out = append(out, append(plain("  "), t.heading()...))
	below := d.below(w)
	from, to := d.list.window(len(d.tables), max(3, min(16, h-len(out)-len(below)-1)))
	for i := from; i < to; i++ {
		row := t.row(d.tables[i])
		if i == d.list.cursor {
			row = row.strengthen()
		}
		if d.forbids != "" && !d.tables[i].Allowed {
			row = row.in(styleDim)
		}
		out = append(out, append(append(marker(i == d.list.cursor), seg{" ", stylePlain}), row...))
	}
	out = append(out, text(styleDim, d.list.note()))
	return append(out, below...)
}

// below is what is to be known of the tables listed.
func (d *tableDialog) below(w int) []line {
	var out []line
	switch {
	case len(d.tables) == 0 && d.waiting:
		out = append(out, text(styleDim, "  asking the server ..."))
	case len(d.tables) == 0 && d.err == nil:
		out = append(out, text(styleDim, "  no table of this database has these letters in its name"))
	}
	if d.list.cursor < len(d.tables) && !d.tables[d.list.cursor].Allowed {
		out = append(out, wrapped(d.forbids, styleNote, w)...)
	}
	return append(out, failure(d.err, w)...)
}

// fieldLine is a field's label and text, with a bar where the next character goes.
func fieldLine(label string, in textinput.Model, w int) line {
	runes, at := []rune(in.Value()), in.Position()
	return fit(line{
		{label + " ", styleDim},
		{show(model.Text(string(runes[:at]))), styleStrong}, {glyphCursor, styleFocus},
		{show(model.Text(string(runes[at:]))), styleStrong},
	}, w)
}

// tableColumns are what is known of the tables to choose from.
func tableColumns(s *model.Snapshot) []column[model.TableChoice] {
	return []column[model.TableChoice]{
		{title: "table", min: 20, max: 64, first: true, cell: func(t model.TableChoice, _ int) line {
			return plain(show(model.Text(t.Name.Display())))
		}},
		{title: "size", min: 15, max: 15, right: true, cell: func(t model.TableChoice, w int) line { return tableSize(t, s.Server.BlockSize, w) }},
		{title: "dead rows", min: 11, max: 11, right: true, cell: func(t model.TableChoice, _ int) line {
			dead, known := t.DeadTuples.Get()
			if !known {
				return text(styleDim, model.Absent)
			}
			return plain("≈" + model.FormatCount(dead))
		}},
		{title: "last vacuum", min: 12, max: 14, right: true, drop: 1, cell: func(t model.TableChoice, _ int) line {
			at, known := t.LastVacuum.Get()
			if !known {
				return text(styleDim, "never")
			}
			return plain(strings.TrimSpace(model.FormatDuration(s.At.Sub(at)) + " ago"))
		}},
	}
}

// tableSize is how large a table is as of its last vacuum or analyze; before the first
// one how many rows the statistics have counted.
func tableSize(t model.TableChoice, blockSize model.Bytes, w int) line {
	pages, measured := t.RelPages.Get()
	rows, counted := t.Rows.Get()
	switch {
	case t.Partitioned:
		return text(styleDim, "partitions")
	case measured:
		return plain(glyphEstimate + model.FormatBytes(model.Bytes(pages)*blockSize))
	case counted:
		return plain(firstFit(w, glyphEstimate+model.FormatCount(rows)+" rows", glyphEstimate+model.FormatCount(rows/1e6)+" M rows"))
	}
	return absent()
}

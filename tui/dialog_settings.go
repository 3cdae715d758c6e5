package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// settingsDialog shows the settings that govern vacuums and stages one change in a
// scope. Nothing is sent before enter on the statements shown.
type settingsDialog struct {
	actions Actions
	run     *model.Run // the selected one, whether it follows is told; nil for none
	snap    *model.Snapshot

	all    []model.SettingInfo
	err    error
	filter textinput.Model
	typing bool // the filter has the keys
	list   list

	next    *model.VacuumPlan // the settings that the next vacuum from here has
	scope   int               // index of scopes
	table   model.TableChoice // chosen by typing; without a name: the selected run's
	choose  dialog            // picks it, and comes back here; nil while it is not open
	staged  model.Opt[string]
	editing bool // a value is being typed: letters are part of it
	reset   bool // back to what holds without it
	sending bool
	log     string // what the last change came to
}

func newSettingsDialog(actions Actions, run *model.Run, next *model.VacuumPlan) *settingsDialog {
	return &settingsDialog{actions: actions, run: run, next: next, filter: textInput("")}
}

func (d *settingsDialog) start() tea.Cmd {
	return asking(d, d.actions.Settings)
}

func (d *settingsDialog) title() string { return "Settings of vacuum" }

func (d *settingsDialog) hint() string {
	if d.typing {
		return "type a part of a name  enter keeps it  esc closes"
	}
	if d.editing {
		return "type a value  enter sends what is shown  esc closes"
	}
	return "↑↓ / find  + - digits change  r reset  tab scope  t table  enter sends  y copy"
}

func (d *settingsDialog) takesText() bool { return d.typing || d.editing }

// explains begins with the setting under the cursor, as far as it is known to this
// program.
func (d *settingsDialog) explains(int) ([]model.Explanation, int) {
	var row []model.Explanation
	if s, chosen := d.selected(); chosen {
		row = model.Explain(model.SubjectSettings, s.Name)
	}
	var terms []model.Explanation
	for _, e := range model.ExplainSubject(model.SubjectSettings).Of {
		if !slices.ContainsFunc(row, func(r model.Explanation) bool { return r.Name == e.Name }) {
			terms = append(terms, e)
		}
	}
	return paneTexts(row, model.SubjectSettings, terms), 0
}

func (d *settingsDialog) closed() (bool, string, dialog) { return d.choose != nil, "", d.choose }

// setData keeps to the run that was selected when the dialog was opened.
func (d *settingsDialog) setData(s *model.Snapshot) {
	d.snap, d.choose = s, nil // it is open again, if it was left for that
	if d.run == nil {
		return
	}
	if r := findRun(s, d.run.Key); r != nil {
		d.run = r
	}
}

// scopes are where a setting can be changed, the widest first.
func (d *settingsDialog) scopes() []model.Change {
	table := d.tableName()
	return []model.Change{
		{Scope: model.ScopeServer},
		{Scope: model.ScopeDatabase, Database: d.snap.Server.Database},
		{Scope: model.ScopeRole, Role: d.snap.Server.Role},
		{Scope: model.ScopeTable, Table: table},
		{Scope: model.ScopeToast, Table: table},
		{Scope: model.ScopeNext},
	}
}

// tableName is the table chosen, else that of the selected run; without a name where
// there is none in this database.
func (d *settingsDialog) tableName() model.RelationName {
	switch {
	case d.table.Name != model.RelationName{}:
		return d.table.Name
	case d.run == nil || !d.run.Table.Known() || d.run.Key.DatID != d.snap.Server.DatID:
		return model.RelationName{}
	}
	return d.run.TableName()
}

// chooseTable opens the list of tables; the one chosen there is the table of the scopes
// of a table from then on.
func (d *settingsDialog) chooseTable() {
	d.choose = &tableDialog{
		actions: d.actions, name: "Settings of which table", input: textInput(""), from: d,
		then: func(t model.TableChoice) dialog {
			d.table = t
			if scopes := d.scopes(); !scopes[d.scope].OfTable() {
				d.scope = slices.IndexFunc(scopes, model.Change.OfTable)
			}
			return d
		},
	}
}

// change is the staged one; ok is false where nothing is staged.
func (d *settingsDialog) change() (c model.Change, ok bool) {
	s, chosen := d.selected()
	c = d.scopes()[d.scope]
	c.Name, c.Value = s.Name, d.staged
	if d.reset {
		c.Value = model.None[string]()
	}
	return c, chosen && (d.reset || d.staged.Known())
}

func (d *settingsDialog) selected() (model.SettingInfo, bool) {
	shown := d.shown()
	if d.list.cursor >= len(shown) {
		return model.SettingInfo{}, false
	}
	return shown[d.list.cursor], true
}

// shown are the settings that have what was typed in their name.
func (d *settingsDialog) shown() []model.SettingInfo {
	typed := strings.ToLower(strings.TrimSpace(d.filter.Value()))
	var out []model.SettingInfo
	for _, s := range d.all {
		if strings.Contains(s.Name, typed) {
			out = append(out, s)
		}
	}
	return out
}

func (d *settingsDialog) typed(msg tea.KeyMsg) tea.Cmd {
	switch {
	case d.sending || d.snap == nil:
		return nil
	case d.typing && msg.Type == tea.KeyEnter:
		d.typing = false
	case d.typing:
		d.filter, _ = d.filter.Update(msg)
		d.list = list{}
		d.unstage()
	case msg.Type == tea.KeyEnter:
		return d.send()
	case d.stage(msg):
	case msg.Type == tea.KeyTab:
		d.scope = (d.scope + 1) % len(d.scopes())
	case msg.String() == "/":
		d.typing = true
	case msg.String() == "t":
		d.chooseTable()
	case msg.String() == "r":
		d.unstage()
		d.reset = true
	case msg.String() == "y":
		return d.copy()
	case d.list.move(actionOf(msg, false), len(d.shown())):
		d.unstage()
	}
	return nil
}

func (d *settingsDialog) unstage() {
	d.staged, d.reset, d.editing, d.err, d.log = model.None[string](), false, false, nil, ""
}

// copy copies the staged change as a line of a configuration file, without one the
// setting as it is.
func (d *settingsDialog) copy() tea.Cmd {
	s, chosen := d.selected()
	if !chosen {
		return nil
	}
	line := s.Name + " = " + d.staged.Or(s.Written()) + "\n"
	return func() tea.Msg { return copyMsg{line} }
}

// stage changes the staged value and tells whether the key was for that. A digit
// begins to type a value; letters are part of it then, and else keep their meaning.
func (d *settingsDialog) stage(msg tea.KeyMsg) bool {
	s, chosen := d.selected()
	if !chosen {
		return false
	}
	value := d.staged.Or("")
	switch key := msg.String(); {
	case key == "+" || key == "-":
		by := 1
		if key == "-" {
			by = -1
		}
		value = stepSetting(s, d.staged.Or(d.inForce(s)), by)
		d.editing = false
	case msg.Type == tea.KeyBackspace && value != "":
		value = value[:len(value)-1]
		d.editing = true
	case msg.Type != tea.KeyRunes || msg.Paste || !isValue(msg.Runes):
		return false
	case d.editing:
		if len(value) < maxValue {
			value += string(msg.Runes)
		}
	case msg.Runes[0] >= '0' && msg.Runes[0] <= '9':
		value, d.editing = string(msg.Runes), true
	default:
		return false
	}
	d.staged, d.reset, d.err, d.log = model.Some(value), false, nil, ""
	return true
}

// inForce is a setting's value; of one that is -1 that of the setting it stands for.
func (d *settingsDialog) inForce(s model.SettingInfo) string {
	for _, other := range d.all {
		if s.Setting.Setting == "-1" && model.AutovacuumTwin(other.Name) == s.Name {
			return other.Written()
		}
	}
	return s.Written()
}

// stepSetting is the next word of a setting that has words, else the next number in
// steps of 1, 2, 5.
func stepSetting(s model.SettingInfo, value string, by int) string {
	if len(s.Words) == 0 {
		return stepped(value, by, "")
	}
	for i, w := range s.Words {
		if string(w) == value {
			return string(s.Words[(i+by+len(s.Words))%len(s.Words)])
		}
	}
	return string(s.Words[0])
}

// send makes the staged change, unless it is known that it can have no effect.
func (d *settingsDialog) send() tea.Cmd {
	c, staged := d.change()
	if !staged || d.hindrance(c) != "" {
		return nil
	}
	if c.Scope == model.ScopeNext {
		d.next.Set(c.Name, c.Value.Or(""))
		d.unstage()
		d.log = c.Name + ": v begins with " + c.Value.Or("what the session has") + "."
		return nil
	}
	d.sending, d.editing, d.err, d.log = true, false, nil, ""
	return asking(d, func(ctx context.Context) (model.Done, error) { return d.actions.Change(ctx, c) })
}

func (d *settingsDialog) hindrance(c model.Change) string {
	s, _ := d.selected()
	switch why := c.Hindrance(s, d.snap.Server); {
	case c.OfTable() && c.Table == model.RelationName{}:
		return why + ": t chooses one by typing"
	case c.OfTable() && d.table.Partitioned && why == "":
		return "a partitioned table has no storage parameters: its partitions have"
	default:
		return why
	}
}

func (d *settingsDialog) answered(body any) tea.Cmd {
	d.sending = false
	switch body := body.(type) {
	case error:
		d.err = body
	case []model.SettingInfo:
		d.all = body
	case model.Done:
		d.unstage()
		d.log = doneSentence(body)
		return d.start()
	}
	return nil
}

// doneSentence says what is in force after a change, as it was read back.
func doneSentence(done model.Done) string {
	c := done.Change
	s := fmt.Sprintf("%s of %s: ", c.Name, c.Place())
	if force, read := done.InForce.Get(); read {
		who := "a new session has "
		if c.OfTable() {
			who = "its next vacuum has "
		}
		s += who + show(model.Text(force.Written())) + " (" + show(force.Source) + ")."
	} else if v, given := c.Value.Get(); given {
		s += "is " + show(model.Text(v)) + "."
	} else {
		s += "is not set there any more."
	}
	if done.Wins != "" {
		s += " But " + show(model.Text(done.Wins)) + "."
	}
	return s
}

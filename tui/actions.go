package tui

import (
	"context"
	"fmt"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// Actions are what the screen can do on the server. Each of them may wait for the
// server, so they are called from commands, never from Update. Errors are one line
// that says what to try.
type Actions interface {
	// ReadOnly tells that nothing may be changed.
	ReadOnly() bool
	// Tables lists tables whose name has these letters in their order.
	Tables(ctx context.Context, typed string) ([]model.TableChoice, error)
	// Review finds out what is to be known before a VACUUM is sent.
	Review(ctx context.Context, plan model.VacuumPlan) (model.VacuumReview, error)
	// Vacuum sends a VACUUM that has been reviewed, from a server process whose pid it
	// returns; it goes on after the return.
	Vacuum(ctx context.Context, plan model.VacuumPlan) (pid int32, err error)
	// Restart cancels a run and, once it is gone, sends a VACUUM in its place. It
	// cancels nothing when the VACUUM could not be sent.
	Restart(ctx context.Context, run model.RunKey, plan model.VacuumPlan) (pid int32, err error)
	// Cancel ends a run's statement, or with terminate its session.
	Cancel(ctx context.Context, run model.RunKey, terminate bool) error
	// EndStatement is what would end one who keeps dead rows from being removed.
	EndStatement(h model.XminHolder) (string, error)
	// End ends one who keeps dead rows, and returns when it is seen to be gone.
	End(ctx context.Context, h model.XminHolder) error
	// Settings reads all settings that govern vacuums.
	Settings(ctx context.Context) ([]model.SettingInfo, error)
	// Statements are what a change would send.
	Statements(c model.Change) ([]string, error)
	// Change makes a change and reads back what is in force.
	Change(ctx context.Context, c model.Change) (model.Done, error)
	// Running are the VACUUMs that were sent from here and go on.
	Running() []model.Sent
	// Stands are the changes that this program made and that still stand, those of
	// an earlier start that ended without putting them back first.
	Stands() []model.Done
	// PutBack undoes a change that stands.
	PutBack(ctx context.Context, d model.Done) (model.Done, error)
}

// dialog is a box over the screen that has the keys. The screen behind it goes on.
type dialog interface {
	title() string
	// typed takes a key. The command it returns asks the server.
	typed(msg tea.KeyMsg) tea.Cmd
	// answered takes what the server said to a command.
	answered(body any) tea.Cmd
	setData(s *model.Snapshot)
	// draw returns at most h lines; each is cut to w cells.
	draw(w, h int) []line
	// hint are the keys that do something now.
	hint() string
	// closed tells that it is over, and what is to be said then; next is the dialog
	// that follows, nil for none.
	closed() (over bool, toast string, next dialog)
}

// answerMsg brings what the server said to the dialog that asked.
type answerMsg struct {
	to   dialog
	body any
}

// asking makes a command of a question to the server whose answer goes to d.
func asking[T any](d dialog, ask func(context.Context) (T, error)) tea.Cmd {
	return func() tea.Msg {
		v, err := ask(context.Background()) // the program's own limits of time hold
		if err != nil {
			return answerMsg{d, err}
		}
		return answerMsg{d, v}
	}
}

// openDialog shows a dialog in place of help and prompts.
func (a *App) openDialog(d dialog, cmd tea.Cmd) tea.Cmd {
	a.help, a.explainer, a.prompt, a.dialog, a.dialogTop, a.dirty = false, nil, nil, d, 0, true
	if a.latest != nil {
		d.setData(a.latest)
	}
	return cmd
}

// typedInDialog gives a key to the dialog; esc, and the keys that leave the
// program, keep their meaning.
func (a *App) typedInDialog(msg tea.KeyMsg) tea.Cmd {
	a.dirty, a.toast = true, toast{}
	switch msg.Type {
	case tea.KeyEsc:
		if d, ok := a.dialog.(returning); ok && d.back() != nil {
			return a.openDialog(d.back(), nil)
		}
		a.dialog = nil
		return nil
	case tea.KeyCtrlC, tea.KeyCtrlZ:
		return a.press(actionOf(msg, a.seeks()))
	case tea.KeyPgUp, tea.KeyPgDown:
		a.scrollDialog(msg.Type)
		return nil
	}
	if d, ok := a.dialog.(explainingDialog); ok && actionOf(msg, a.seeks()) == actExplain && !d.takesText() {
		a.toggleExplainer()
		return nil
	}
	cmd := a.dialog.typed(msg)
	return tea.Batch(cmd, a.afterDialog())
}

// answeredDialog gives an answer to the dialog that asked, if it is still open.
func (a *App) answeredDialog(msg answerMsg) tea.Cmd {
	a.dirty = true
	cmd := msg.to.answered(msg.body)
	if a.dialog != msg.to {
		if _, toast, _ := msg.to.closed(); toast != "" {
			a.say(toast) // it was left before the answer came
		}
		return cmd
	}
	return tea.Batch(cmd, a.afterDialog())
}

// afterDialog closes a dialog that is over.
func (a *App) afterDialog() tea.Cmd {
	over, said, next := a.dialog.closed()
	if !over {
		return nil
	}
	if d, ok := a.dialog.(selecting); ok && d.selects() != nil {
		a.selection.followFrom(d.selects())
		a.showAgain()
	}
	a.dialog = nil
	if said != "" {
		a.say(said)
	}
	if next != nil {
		return a.openDialog(next, starting(next))
	}
	return nil
}

// selecting is a dialog that leads to a run, nil for none: it is the selected one when
// the dialog is over.
type selecting interface{ selects() *model.Run }

// returning is a dialog that was opened from another one, to which esc goes back; nil
// for none.
type returning interface{ back() dialog }

// starter is a dialog that asks the server something when it opens.
type starter interface{ start() tea.Cmd }

// beating is a dialog that asks the server something again from time to time.
type beating interface{ beat() tea.Cmd }

func starting(d dialog) tea.Cmd {
	if s, ok := d.(starter); ok {
		return s.start()
	}
	return nil
}

// dialogBox is the open dialog in a frame that fits the screen. What does not fit
// can be scrolled to.
func (a *App) dialogBox(l layout) []line {
	w, h := dialogWidth(l), max(1, l.h-l.header-l.footer-2)
	inner := a.dialog.draw(w-frameCells, h)
	f := frame{title: a.dialog.title(), focused: true}
	a.dialogTop = max(0, min(a.dialogTop, len(inner)-h))
	if over := len(inner) - h; over > 0 {
		f.note = fmt.Sprintf("%d–%d of %d lines, pgup pgdn", a.dialogTop+1, a.dialogTop+h, len(inner))
		inner = inner[a.dialogTop : a.dialogTop+h]
	}
	return f.around(block(inner, w-frameCells, len(inner)), w)
}

// dialogWidth is that of the frame of every dialog.
func dialogWidth(l layout) int { return min(l.w, 110) }

func (a *App) scrollDialog(key tea.KeyType) {
	page := max(1, a.layout().h/2)
	if key == tea.KeyPgUp {
		page = -page
	}
	a.dialogTop = max(0, a.dialogTop+page)
}

// changesServer tells whether an action is for changing something on the server.
func changesServer(act action) bool {
	switch act {
	case actVacuum, actCancel, actSettings, actUndo:
		return true
	}
	return false
}

// act opens the dialog of an action.
func (a *App) act(act action) tea.Cmd {
	actions := a.options.Actions
	var d dialog
	switch act {
	case actVacuum:
		d = a.vacuumDialog()
	case actCancel:
		d = newCancelDialog(actions, a.run)
	case actSettings:
		d = newSettingsDialog(actions, a.run, &a.next)
	case actWhatIf:
		d = newWhatIfDialog(actions, a.acting(), a.run, &a.next)
	case actEnd:
		d = &endDialog{actions: actions, hindered: a.acting()}
	case actUndo:
		d = newUndoDialog(actions, false)
	case actCompare:
		d = a.compareDialog()
	case actCommandLog:
		d = &logDialog{location: a.options.Location}
	}
	return a.openDialog(d, starting(d))
}

// vacuumDialog is for the table under the cursor, where the page has one; else it asks
// for the table.
func (a *App) vacuumDialog() dialog {
	if a.page != nil {
		if p, is := a.page.content.(*queuePage); is {
			if t, ok := p.chosen(); ok {
				plan := planOf(a.next, model.RelationName{Schema: t.Schema, Name: t.Name})
				plan.Analyze = plan.Analyze || t.Analyze
				return newPlanDialog(a.options.Actions, plan, nil)
			}
		}
	}
	return newVacuumTableDialog(a.options.Actions, a.next)
}

// quit leaves, and first asks about what would stay behind: changes that stand and
// VACUUMs that go on. Who is asked already and says so again, leaves.
func (a *App) quit() tea.Cmd {
	actions := a.options.Actions
	if asked, ok := a.dialog.(*undoDialog); ok && asked.quitting {
		return tea.Quit
	}
	if actions != nil && len(actions.Stands())+len(actions.Running()) > 0 {
		return a.openDialog(newUndoDialog(actions, true), nil)
	}
	return tea.Quit
}

// acting says why the screen can change nothing; "" when it can.
func (a *App) acting() string {
	switch {
	case a.options.Actions == nil:
		return "this screen only shows"
	case a.options.Actions.ReadOnly():
		return "vacscope is read-only (--read-only, VACSCOPE_READ_ONLY or the config file)"
	}
	return a.unread()
}

// failure are the lines of what went wrong.
func failure(err error, w int) []line {
	if err == nil {
		return nil
	}
	return wrapped(show(model.Text(err.Error())), styleBad, w)
}

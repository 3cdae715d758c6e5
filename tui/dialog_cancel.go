package tui

import (
	"context"
	"fmt"
	"slices"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// cancelDialog decides on one run, fixed when it was opened: leave it, cancel it,
// cancel it and run it again, end its session.
type cancelDialog struct {
	actions Actions
	key     model.RunKey
	snap    *model.Snapshot
	run     *model.Run // as it is now
	list    list
	asking  bool // the server is asked
	sent    bool // the server was asked: its end is waited for
	err     error
	over    bool
	said    string
	next    dialog
}

// The choices, in their order.
const (
	cancelLeave = iota
	cancelCancel
	cancelRestart
	cancelTerminate
	cancelChoices
)

func newCancelDialog(actions Actions, run *model.Run) *cancelDialog {
	return &cancelDialog{actions: actions, key: run.Key, run: run}
}

func (d *cancelDialog) title() string { return fmt.Sprintf("Cancel pid %d?", d.key.PID) }

func (d *cancelDialog) hint() string { return "↑↓ choose  enter does it  esc closes" }

func (d *cancelDialog) closed() (bool, string, dialog) { return d.over, d.said, d.next }

// setData finds the run again: what is decided on is never another one. What came of
// a signal is what is seen of the run, not that it was sent.
func (d *cancelDialog) setData(s *model.Snapshot) {
	d.snap = s
	if r := findRun(s, d.key); r != nil {
		d.run = r
	}
	if d.sent && d.run.State == model.StateEnded && !d.run.End.Open {
		d.over, d.said = true, fmt.Sprintf("%s, pid %d: %s", d.snap.NameOf(d.run), d.key.PID, d.run.End.How)
	}
}

func (d *cancelDialog) typed(msg tea.KeyMsg) tea.Cmd {
	act := actionOf(msg, false)
	if msg.Type != tea.KeyEnter {
		d.list.move(act, cancelChoices)
		return nil
	}
	switch {
	case d.list.cursor == cancelLeave:
		d.over = true
	case d.asking || d.sent || d.run.State == model.StateEnded:
	case d.list.cursor == cancelRestart:
		if why := d.noRestart(); why == "" {
			d.over, d.next = true, newPlanDialog(d.actions, model.PlanAgain(d.run), d.run)
		}
	default:
		return d.signal(d.list.cursor == cancelTerminate)
	}
	return nil
}

func (d *cancelDialog) signal(terminate bool) tea.Cmd {
	d.asking, d.err = true, nil
	key := d.key
	return asking(d, func(ctx context.Context) (bool, error) {
		return terminate, d.actions.Cancel(ctx, key, terminate)
	})
}

func (d *cancelDialog) answered(body any) tea.Cmd {
	d.asking = false
	switch body := body.(type) {
	case error:
		d.err = body
	case bool:
		d.sent = true
		d.said = fmt.Sprintf("the server was asked to cancel the statement of pid %d", d.key.PID)
		if body {
			d.said = fmt.Sprintf("the server was asked to end the session of pid %d", d.key.PID)
		}
	}
	return nil
}

// noRestart says why the run cannot be started again from here; "" when it can.
func (d *cancelDialog) noRestart() string { return restartHindrance(d.snap, d.run) }

// restartHindrance says why a run cannot be started again from here; "" when it can.
func restartHindrance(s *model.Snapshot, r *model.Run) string {
	switch {
	case r.Key.DatID != s.Server.DatID:
		return "it runs in another database"
	case r.Command != "VACUUM":
		return "it is no plain VACUUM"
	case !r.Table.Known() || r.ToastOf.Known():
		return "it is no table by itself"
	}
	return ""
}

func (d *cancelDialog) draw(w, h int) []line {
	full := d.lines(w, 1, true)
	if len(full) > h {
		full = d.lines(w, 0, true)
	}
	if len(full) > h {
		return d.lines(w, 0, false)
	}
	return full
}

// lines are the choices, with so many empty lines between them, and what comes of
// each of them, or only of the one chosen.
func (d *cancelDialog) lines(w, apart int, every bool) []line {
	out := wrapped(d.heading(), styleStrong, w)
	if d.run.State == model.StateEnded {
		out = append(out, text(styleNote, "It has ended: "+string(d.run.End.How)+". Nothing is left to be done."))
	}
	for i, c := range d.choices() {
		s := stylePlain
		if i == d.list.cursor {
			s = styleStrong
		}
		out = append(out, make([]line, apart)...)
		out = append(out, append(marker(i == d.list.cursor), text(s, " "+c.name)...))
		if !every && i != d.list.cursor {
			continue
		}
		for _, t := range c.says {
			for _, l := range wrap(t, w-4) {
				out = append(out, text(styleDim, "    "+l))
			}
		}
	}
	switch {
	case d.asking:
		out = append(out, text(styleNote, "asking the server ..."))
	case d.sent:
		out = append(out, wrapped(d.said+"; its end is waited for ...", styleNote, w)...)
	}
	return append(out, failure(d.err, w)...)
}

// heading says what is decided on: the process, the table and the statement's start.
func (d *cancelDialog) heading() string {
	r := d.run
	s := fmt.Sprintf("%s of %s, pid %d", r.Command, d.snap.NameOf(r), r.Key.PID)
	if began := r.Key.StatementStart; !began.IsZero() {
		s += ", running for " + model.FormatDuration(d.snap.At.Sub(began))
	}
	return s
}

// cancelChoice is one thing to do and what comes of it.
type cancelChoice struct {
	name string
	says []string
}

func (d *cancelDialog) choices() [cancelChoices]cancelChoice {
	r := d.run
	leave := "How long this phase still takes is not known: " + r.Left.WhyNot + "."
	whole, estimated := r.Whole.Left.Get()
	if estimated {
		leave = "All of it takes about " + coarseRange(whole) + " more."
	} else if left, ok := r.Left.Range.Get(); ok && r.Phase() != nil {
		leave = "This phase (" + show(r.Phase().Phase) + ") takes about " + model.FormatRange(left) + " more; the phases after it are not in that."
	}
	says := []string{"Not from here: " + d.noRestart() + "."}
	if d.noRestart() == "" {
		says = append(append(againSentences(r), d.others("It vacuums this table alone: the others of the command are not run again.")...),
			"Nothing is cancelled unless this role may vacuum the table and nobody waits for a lock on it; both are looked at first.")
	}
	return [cancelChoices]cancelChoice{
		{"leave it", append([]string{leave}, model.EdgeSentences(d.snap, r)...)},
		{"cancel it", slices.Concat(model.Kept(r), comesBack(r), d.others("The whole command ends: what it has not come to yet is not vacuumed."))},
		{"cancel it and run it again with other settings", says},
		{"end its session", []string{"Closes the whole session: its temporary tables, settings and prepared statements go as well."}},
	}
}

// others are what is said of a run whose command vacuums several tables.
func (d *cancelDialog) others(says string) []string {
	if g := d.snap.GroupOf(d.run); g != nil && g.Several() {
		return []string{says}
	}
	return nil
}

// againSentences say which ends first, this run or a new one without cost delay; where
// the whole run is not estimated, what is known of the part that is over.
func againSentences(r *model.Run) []string {
	const begins = "It begins at block 0 with options and settings of your choice. "
	if _, why := r.WhatIf(model.CostSettings{}); why != "" {
		return []string{
			begins + model.SleptPart(r),
			"Which ends first, this one or the new one, is not known: the phases to come are in neither number.",
		}
	}
	return []string{begins + model.WhatIfSentence(r, model.CostSettings{}) + " " + label(actWhatIf) + " shows other settings."}
}

// comesBack says what a cancelled autovacuum does.
func comesBack(r *model.Run) []string {
	switch r.StartedBy.Or(model.ByManual) {
	case model.ByAutovacuum:
		return []string{"Autovacuum will start it again from block 0; its worker goes on with its next table."}
	case model.ByAutovacuumWraparound:
		return []string{"It keeps the table from wraparound: autovacuum will start it again from block 0, and it must end some time."}
	}
	return nil
}

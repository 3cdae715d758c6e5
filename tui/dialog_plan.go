package tui

import (
	"context"
	"fmt"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// planDialog sets a VACUUM's options and shows what will be sent and what stands in
// its way, before it is sent.
type planDialog struct {
	actions Actions
	plan    model.VacuumPlan
	replace *model.Run // the run that is cancelled first; nil for none
	fields  []planField
	list    list
	snap    *model.Snapshot

	review  *model.VacuumReview // of the plan as it stands; nil while it is not known
	stale   bool                // the plan has changed since review was asked for
	waiting bool
	sending bool
	err     error
	over    bool
	said    string
}

func newPlanDialog(actions Actions, plan model.VacuumPlan, replace *model.Run) *planDialog {
	return &planDialog{actions: actions, plan: plan, replace: replace}
}

// restartDialog is for the VACUUM that takes the place of a run.
func restartDialog(actions Actions, run *model.Run) *planDialog {
	plan := model.VacuumPlan{Schema: run.Schema, Table: run.Table.Or(""), Parallel: run.Parallel.Asked}
	return newPlanDialog(actions, plan, run)
}

func (d *planDialog) title() string {
	if d.replace != nil {
		return fmt.Sprintf("Cancel pid %d and vacuum again", d.replace.Key.PID)
	}
	return "Vacuum " + d.name()
}

func (d *planDialog) name() string {
	return model.RelationName{Schema: d.plan.Schema.Or(""), Name: d.plan.Table}.Display()
}

func (d *planDialog) hint() string {
	return "↑↓ choose  + - change or type  enter sends it  esc closes"
}

func (d *planDialog) closed() (bool, string, dialog) { return d.over, d.said, nil }

func (d *planDialog) setData(s *model.Snapshot) {
	d.snap = s
	if d.fields == nil {
		d.fields = planFields(s.Server.VersionNum)
	}
}

// start asks what is to be known of the plan.
func (d *planDialog) start() tea.Cmd {
	d.waiting, d.stale = true, false
	plan := d.plan
	return asking(d, func(ctx context.Context) (model.VacuumReview, error) { return d.actions.Review(ctx, plan) })
}

func (d *planDialog) typed(msg tea.KeyMsg) tea.Cmd {
	if d.sending {
		return nil
	}
	switch msg.Type {
	case tea.KeyUp, tea.KeyDown:
		d.list.move(actionOf(msg, false), len(d.fields))
		return nil
	case tea.KeyEnter:
		return d.send()
	}
	if !d.fields[d.list.cursor].edit(&d.plan, msg) {
		return nil
	}
	d.review, d.err = nil, nil
	if d.waiting {
		d.stale = true
		return nil
	}
	return d.start()
}

// send sends the VACUUM as it was reviewed.
func (d *planDialog) send() tea.Cmd {
	if d.review == nil || d.why() != "" {
		return nil
	}
	d.sending = true
	plan, replace := d.plan, d.replace
	return asking(d, func(ctx context.Context) (bool, error) {
		if replace != nil {
			return true, d.actions.Restart(ctx, replace.Key, plan)
		}
		return true, d.actions.Vacuum(ctx, plan)
	})
}

// why says why the VACUUM cannot be sent as it stands; "" when it can.
func (d *planDialog) why() string {
	r := d.review
	switch {
	case r == nil:
		return ""
	case !r.Allowed:
		return "this role may not vacuum it, and the server would skip it"
	case d.replace != nil && r.Waiting > 0:
		return plural(r.Waiting, "session waits", "sessions wait") + " for a lock on the table and would come before it"
	}
	return ""
}

func (d *planDialog) answered(body any) tea.Cmd {
	switch body := body.(type) {
	case error:
		d.waiting, d.sending, d.err = false, false, body
	case model.VacuumReview:
		d.waiting = false
		if !d.stale {
			d.review = &body
		}
	case bool:
		d.over, d.said = true, "sent: VACUUM of "+d.name()
	}
	if d.stale && !d.waiting {
		return d.start()
	}
	return nil
}

func (d *planDialog) draw(w, h int) []line {
	var out []line
	from, to := d.list.window(len(d.fields), max(3, h-12))
	for i := from; i < to; i++ {
		out = append(out, d.fields[i].line(d.plan, i == d.list.cursor, w))
	}
	out = append(out, nil)
	out = append(out, wrapped(d.fields[d.list.cursor].what, styleDim, w)...)
	out = append(out, nil)
	return append(out, d.fate(w)...)
}

// fate is what will be sent and what stands in its way.
func (d *planDialog) fate(w int) []line {
	switch {
	case d.err != nil:
		return failure(d.err, w)
	case d.sending:
		return []line{text(styleNote, "sending ...")}
	case d.review == nil:
		return []line{text(styleDim, "asking the server ...")}
	}
	r := d.review
	var out []line
	for _, sql := range r.Statements {
		out = append(out, wrapped(show(sql)+";", styleStrong, w)...)
	}
	say := func(s style, t string) { out = append(out, wrapped(t, s, w)...) }
	if n, known := r.Workers.Get(); known {
		say(styleDim, fmt.Sprintf("%s for its indexes at most: %s.", plural(n, "parallel worker", "parallel workers"), r.WorkersWhy))
	}
	if d.plan.Full {
		say(styleBad, "FULL writes the table anew and locks it for everybody, readers as well, until it ends.")
	}
	for _, holder := range d.others(r.Holders) {
		say(styleNote, holdSentence(holder, d.plan.SkipLocked))
	}
	if why := d.why(); why != "" {
		say(styleBad, "It cannot be sent: "+why+".")
	}
	return out
}

// others are the holders but for the run that is cancelled first.
func (d *planDialog) others(holders []model.TableHolder) []model.TableHolder {
	var out []model.TableHolder
	for _, h := range holders {
		if d.replace == nil || h.PID != d.replace.Key.PID {
			out = append(out, h)
		}
	}
	return out
}

// holdSentence says who holds the table and what comes of that.
func holdSentence(h model.TableHolder, skip bool) string {
	who := show(model.Text(h.String()))
	if skip {
		return "It is held by " + who + ": the VACUUM would be skipped."
	}
	return "It is held by " + who + ": the VACUUM waits until it is free, and cancels nobody."
}

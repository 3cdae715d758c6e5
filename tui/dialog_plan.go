package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

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
	asked   time.Time           // when it was asked for, by the server's clock
	stale   bool                // the plan has changed since review was asked for
	waiting bool
	sending bool
	pid     int32 // of the server process that runs it; 0 before it was sent
	sent    *model.Run
	err     error
	over    bool
	said    string
}

func newPlanDialog(actions Actions, plan model.VacuumPlan, replace *model.Run) *planDialog {
	return &planDialog{actions: actions, plan: plan, replace: replace}
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
	if len(d.fields) > 0 && d.fields[d.list.cursor].text != nil {
		return "↑↓ choose  + - or type a value  enter sends it  esc closes"
	}
	return "↑↓ jk choose  ←→ hl + - change  y copies it  enter sends it  esc closes"
}

func (d *planDialog) closed() (bool, string, dialog) { return d.over, d.said, nil }

// setData looks, once the VACUUM was sent, for what came of it: what is said is what
// was seen.
func (d *planDialog) setData(s *model.Snapshot) {
	d.snap = s
	if d.fields == nil {
		d.fields = planFields(s.Server.VersionNum)
	}
	if d.replace != nil {
		if r := findRun(s, d.replace.Key); r != nil {
			d.replace = r
		}
	}
	if d.pid == 0 {
		return
	}
	var said string
	if d.sent, said = cameOf(s, d.pid); said != "" {
		d.over, d.said = true, said
	}
}

// selects is the run that was begun here: the person wants to see it.
func (d *planDialog) selects() *model.Run { return d.sent }

// cameOf says what is seen of a VACUUM that a server process was sent, and the run if it
// goes on; "" for nothing yet.
func cameOf(s *model.Snapshot, pid int32) (*model.Run, string) {
	for _, r := range s.Active {
		if r.Key.PID == pid && r.Own != nil {
			return r, fmt.Sprintf("pid %d vacuums %s", pid, s.NameOf(r))
		}
	}
	for _, e := range s.Commands {
		if e.PID != pid || e.Result == nil || !strings.HasPrefix(string(e.Text), "VACUUM") {
			continue
		}
		if e.Result.How == model.EndCompleted {
			return nil, show(e.Text) + ": completed"
		}
		return nil, show(e.Text) + ": " + commandResult(e) + ", " + show(e.Result.Message)
	}
	return nil, ""
}

// reviewEvery is how often a review is asked for again: who holds the table changes.
const reviewEvery = 3 * time.Second

// beat asks again for what may have changed meanwhile.
func (d *planDialog) beat() tea.Cmd {
	if d.waiting || d.sending || d.pid != 0 || d.err != nil || d.snap.Now.Sub(d.asked) < reviewEvery {
		return nil
	}
	return d.start()
}

// start asks what is to be known of the plan.
func (d *planDialog) start() tea.Cmd {
	d.waiting, d.stale = true, false
	if d.snap != nil {
		d.asked = d.snap.Now
	}
	plan := d.plan
	return asking(d, func(ctx context.Context) (model.VacuumReview, error) { return d.actions.Review(ctx, plan) })
}

func (d *planDialog) typed(msg tea.KeyMsg) tea.Cmd {
	if d.sending || d.pid != 0 || d.snap == nil {
		return nil
	}
	field := d.fields[d.list.cursor]
	typing := field.text != nil && msg.Type == tea.KeyRunes // letters are text there
	switch {
	case msg.Type == tea.KeyEnter:
		return d.send()
	case !typing && msg.String() == "y" && d.review != nil:
		return func() tea.Msg { return copyMsg{d.sql()} }
	case !typing && d.list.move(actionOf(msg, false), len(d.fields)):
		return nil
	case !field.edit(&d.plan, msg):
		return nil
	}
	d.review, d.err = nil, nil
	if d.waiting {
		d.stale = true
		return nil
	}
	return d.start()
}

// sql is what will be sent, to be copied.
func (d *planDialog) sql() string {
	var b strings.Builder
	for _, statement := range d.review.Statements {
		b.WriteString(string(statement) + ";\n")
	}
	return b.String()
}

// send sends the VACUUM as it was reviewed.
func (d *planDialog) send() tea.Cmd {
	if d.review == nil || d.why() != "" {
		return nil
	}
	d.sending = true
	plan, replace := d.plan, d.replace
	return asking(d, func(ctx context.Context) (int32, error) {
		if replace != nil {
			return d.actions.Restart(ctx, replace.Key, plan)
		}
		return d.actions.Vacuum(ctx, plan)
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
		return model.FormatCounted(r.Waiting, "session waits", "sessions wait") + " for a lock on the table and would come before it"
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
			d.review, d.err = &body, nil
		}
	case int32:
		d.sending, d.pid, d.said = false, body, fmt.Sprintf("VACUUM of %s handed to pid %d, which begins when the table is free", d.name(), body)
	}
	if d.stale && !d.waiting {
		return d.start()
	}
	return nil
}

// draw gives the fields what what will be sent leaves of the lines.
func (d *planDialog) draw(w, h int) []line {
	const leastFields = 4
	below := append(wrapped(d.fields[d.list.cursor].what, styleDim, w), d.fate(w)...)
	var out []line
	from, to := d.list.window(len(d.fields), max(leastFields, h-len(below)-2))
	for i := from; i < to; i++ {
		out = append(out, d.fields[i].line(d.plan, i == d.list.cursor, w))
	}
	return append(append(out, text(styleDim, d.list.note())), below...)
}

// fate is what will be sent and what stands in its way.
func (d *planDialog) fate(w int) []line {
	switch {
	case d.err != nil:
		return failure(d.err, w)
	case d.sending:
		return []line{text(styleNote, "sending ...")}
	case d.pid != 0:
		return wrapped(d.said+" ...", styleNote, w)
	case d.review == nil:
		return []line{text(styleDim, "asking the server ...")}
	}
	r := d.review
	var sql []string
	for _, statement := range r.Statements {
		sql = append(sql, show(statement)+";")
	}
	out := []line{nil}
	say := func(s style, t string) { out = append(out, wrapped(t, s, w)...) }
	say(styleStrong, strings.Join(sql, " "))
	if n, known := r.Workers.Get(); known {
		say(styleDim, fmt.Sprintf("%s for its indexes at most: %s.", model.FormatCounted(n, "parallel worker", "parallel workers"), r.WorkersWhy))
	}
	if d.plan.Full {
		say(styleBad, "FULL writes the table anew and locks it for everybody, readers as well, until it ends.")
	}
	if d.replace != nil {
		say(styleNote, fmt.Sprintf("First pid %d is cancelled: what it has done to pages stays, the rest begins again.", d.replace.Key.PID))
		say(styleDim, firstToEnd(d.replace, r.Settings))
	}
	for _, holder := range d.others(r.Holders) {
		say(styleNote, holdSentence(holder, d.plan))
	}
	if why := d.why(); why != "" {
		say(styleBad, "It cannot be sent: "+why+".")
	}
	return out
}

// firstToEnd says which ends first: a run, or a new one with the settings of a session.
func firstToEnd(r *model.Run, settings []model.Setting) string {
	costs, known := model.CostsOf(settings).Get()
	if !known {
		return ""
	}
	return show(model.Text(model.WhatIfSentence(r, costs)))
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
func holdSentence(h model.TableHolder, plan model.VacuumPlan) string {
	held := "It is held by " + show(model.Text(h.String())) + ": "
	switch {
	case plan.SkipLocked:
		return held + "the VACUUM would be skipped."
	case plan.LockTimeout == queueForEver && h.Autovacuum && !h.AntiWraparound:
		return held + "the server cancels it after deadlock_timeout, and its work is lost."
	case plan.LockTimeout == queueForEver:
		return held + "the VACUUM queues behind it, and whoever comes later may wait behind the VACUUM."
	}
	return held + "the VACUUM waits until it is free, and cancels nobody."
}

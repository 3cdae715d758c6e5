package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// lockDetailLines is what the details of a wait get where there are many rows.
const lockDetailLines = 4

// details are what a wait's row has no room for, in the h lines that are left: all
// of its statement, and a line for each blocker.
func (l *locks) details(w model.LockWait, width, h int) []line {
	var lines []line
	if h > 1+len(w.Blockers) {
		lines = append(lines, nil)
	}
	head := fmt.Sprintf("  %d", w.PID)
	if role, ok := w.Role.Get(); ok {
		head += " of " + show(role)
	}
	if mode, ok := w.Mode.Get(); ok {
		head += ": " + show(mode) + " on " + wantedOn(w, width)[0].text
	}
	if w.Kind != "" {
		head += ": " + wants(w, width)[0].text + " of " + wantedOn(w, width)[0].text
	}
	what := statement(w, width)
	if w.MayVacuum() {
		what = plain("not visible: VACUUM, ANALYZE, CREATE INDEX CONCURRENTLY or ALTER TABLE")
	}
	lines = append(lines, append(text(styleDim, head+": "), what...))
	if w.Kind == model.HeldCleanup {
		lines = append(lines, text(styleDim, "    "+suspectsHead(w)))
	}
	for _, b := range w.Blockers {
		lines = append(lines, append(plain("    "), l.blocker(w, b, width-4)...))
	}
	return lines[:max(0, min(len(lines), h))]
}

// blocker is who blocks and what it does, in w cells.
func (l *locks) blocker(wait model.LockWait, b model.Blocker, w int) line {
	who := glyphBlockedBy + " "
	if b.PID != 0 {
		who += fmt.Sprint(b.PID) + " "
	}
	w -= ansi.StringWidth(who)
	switch {
	case b.PID == 0:
		return fitted(who, stylePlain, w, preparedForms(b)...)
	case b.Vacuum || l.isThis(wait, b.PID):
		return fitted(who, styleNote, w, l.vacuumForms(wait, b)...)
	case b.Waits:
		if wait.Ended.Known() {
			return fitted(who, styleDim, w, "waited too")
		}
		return fitted(who, styleDim, w, "waits too")
	}
	return fitted(who, stylePlain, w, l.sessionForms(wait, b, w)...)
}

// fitted is who and, behind it, the first form that fits into w cells.
func fitted(who string, s style, w int, forms ...string) line {
	return line{{who, stylePlain}, {ansi.Truncate(firstFit(w, forms...), max(w, 0), ellipsis), s}}
}

// vacuumForms say of a vacuum that blocks whether it gives way: an autovacuum is
// cancelled for who waits for it, unless it is to prevent wraparound.
func (l *locks) vacuumForms(wait model.LockWait, b model.Blocker) []string {
	who := "a vacuum"
	automatic := b.BackendType.Or("") == "autovacuum worker"
	switch {
	case l.isThis(wait, b.PID):
		who = "this vacuum"
	case automatic:
		who = "autovacuum"
	}
	at, gives := wait.GivesWay.Get()
	switch {
	case b.AntiWraparound:
		return []string{who + " to prevent wraparound: does not give way", "wraparound: does not give way", "never gives way"}
	case !automatic || !gives:
		return []string{who}
	case at.Sub(l.snap.At) < time.Second/20:
		return []string{who + ", gives way now", "gives way now"}
	}
	in := soon(at.Sub(l.snap.At))
	return []string{who + ", gives way in " + in, "gives way in " + in, "gives way " + in}
}

// soon is a time that is known to tenths of seconds only.
func soon(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return model.FormatDuration(d)
}

// sessionForms say what another session does that blocks, since when its
// transaction is open, and with what statement.
func (l *locks) sessionForms(wait model.LockWait, b model.Blocker, w int) []string {
	state, ok := b.State.Get()
	if !ok {
		if role, ok := b.Role.Get(); ok {
			return []string{"of role " + show(role)} // the rest is masked
		}
		return []string{""}
	}
	if state == "disabled" {
		return []string{"state disabled (track_activities is off there)", "track_activities is off", "disabled"}
	}
	does := show(state)
	bare := []string{does, inXact(does)}
	if start, ok := b.XactStart.Get(); ok {
		does += " " + model.FormatDuration(max(0, l.asOf(wait).Sub(start)))
	}
	forms := append([]string{does, inXact(does)}, bare...)
	query, ok := b.Query.Get()
	if !ok {
		return forms
	}
	whose := " its"
	if name := whoIs(b); name != "" {
		whose = " " + name + "'s"
	}
	if state != "active" {
		whose += " last"
	}
	const readable = 12 // cells of a statement that tell something
	with := does + "," + whose + " statement "
	if room := w - ansi.StringWidth(with); room >= readable {
		return []string{with + ansi.Truncate(oneLine(query), room, ellipsis)}
	}
	return forms
}

// whoIs is a session's role and, in parentheses, its application; "" when neither is known.
func whoIs(b model.Blocker) string {
	name := show(b.Role.Or(""))
	if app := b.ApplicationName.Or(""); app != "" {
		name = strings.TrimSpace(name + " (" + show(app) + ")")
	}
	return name
}

// preparedForms name a prepared transaction.
func preparedForms(b model.Blocker) []string {
	forms := []string{"prepared transaction", "prepared xact", "prepared"}
	if gid, ok := b.GID.Get(); ok {
		return append([]string{"prepared transaction " + show(gid)}, forms...)
	}
	return forms
}

// suspectsHead introduces the suspects of a wait whose holder the server does not tell.
func suspectsHead(w model.LockWait) string {
	if len(w.Blockers) == 0 {
		return "holder not visible; no session with a lock on the table is in sight"
	}
	return "holder not visible; suspects, with a lock on the table, most likely first:"
}

// suspects name who may have the page in use, in w cells.
func (l *locks) suspects(wait model.LockWait, w int) line {
	who := glyphBlockedBy + " "
	w -= ansi.StringWidth(who)
	if len(wait.Blockers) == 0 {
		return fitted(who, styleDim, w, "holder not visible")
	}
	first, more := wait.Blockers[0], ""
	if n := len(wait.Blockers) - 1; n > 0 {
		more = fmt.Sprintf(" +%d", n)
	}
	suspect := fmt.Sprintf("suspect %d", first.PID)
	var forms []string
	for _, does := range l.sessionForms(wait, first, w-len("holder not visible; ")-len(suspect)-1-len(more)) {
		forms = append(forms, "holder not visible; "+suspect+" "+does+more)
	}
	return fitted(who, stylePlain, w, append(forms, "not visible; "+suspect+more, suspect+more)...)
}

// inXact is a state for where room lacks.
func inXact(state string) string { return strings.Replace(state, "transaction", "xact", 1) }

// asOf is the time that what is known of a wait is of.
func (l *locks) asOf(w model.LockWait) time.Time {
	if w.Ended.Known() {
		return w.LastSeen()
	}
	return l.snap.At
}

// isThis tells whether a blocker belongs to the selected run, at the time of the wait.
func (l *locks) isThis(w model.LockWait, pid int32) bool {
	r := l.run
	if r == nil || (r.End != nil && !w.Ended.Known()) {
		return false
	}
	if r.FirstSeen.After(l.asOf(w)) || r.LastSeen.Before(w.From) {
		return false
	}
	return r.Key.PID == pid || slices.ContainsFunc(r.Processes, func(m model.Member) bool {
		return m.PID == pid && !m.LastSeen.Before(w.From)
	})
}

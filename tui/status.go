package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// status is one line of what is out of the ordinary about the watching itself,
// what matters most first; nil is good news.
func (a *App) status() line {
	var out line
	add := func(s style, t string) {
		if t == "" {
			return
		}
		if len(out) > 0 {
			out = append(out, seg{" " + glyphSeparator + " ", styleDim})
		}
		out = append(out, seg{t, s})
	}
	add(styleStrong, a.toast.text)
	s := a.latest
	if s == nil {
		return out
	}
	if a.paused {
		add(styleNote, a.pausedFor())
	}
	for _, lost := range a.damage {
		add(styleNote, show(model.Text(lost)))
	}
	if s.Filtered != nil {
		add(styleNote, s.Filtered.Display())
	}
	if !s.Link.Lost {
		add(styleBad, problems(s.Problems))
	}
	if a.run == nil || a.run.State != model.StateHidden { // else the verdict says it
		add(styleNote, privileges(s))
	}
	add(styleNote, show(model.Text(s.Watch.TickRateNote)))
	if n := len(s.Notes); n > 0 && s.Now.Sub(s.Notes[n-1].At) < noteShown {
		add(styleStrong, show(s.Notes[n-1].Text))
	}
	return out
}

// pausedFor says since when drawing is paused, and how it goes on.
func (a *App) pausedFor() string {
	ago := a.latest.Now.Sub(a.snap.Now)
	since := model.FormatMinutes(ago)
	if ago >= time.Hour {
		since = model.FormatDuration(ago)
	}
	return fmt.Sprintf("paused at %s, %s ago; %s goes on", a.snap.Now.In(a.options.Location).Format(time.TimeOnly), since, label(actPause))
}

// noteShown is how long a note is news.
const noteShown = 20 * time.Second

// problems says what could not be read in the last beat.
func problems(problems []model.Problem) string {
	var parts []string
	for _, p := range problems {
		why := show(p.Message)
		if p.SQLState != "" {
			why = show(model.Text(p.SQLState)) + " " + why
		}
		parts = append(parts, fmt.Sprintf("not read: %s (%s)", show(model.Text(p.Part)), why))
	}
	return strings.Join(parts, ", ")
}

// privileges says what is hidden from this role, and the one grant that shows it.
func privileges(s *model.Snapshot) string {
	if s.Server.SeesAll || s.Server.Role == "" { // all is seen, or it is not known
		return ""
	}
	grant := "GRANT pg_monitor TO " + show(s.Server.Role.QuoteIdent())
	hidden := 0
	for _, r := range s.Active {
		if r.State == model.StateHidden {
			hidden++
		}
	}
	if hidden > 0 {
		return fmt.Sprintf("%s that this role may not see: %s", model.FormatCounted(hidden, "vacuum runs", "vacuums run"), grant)
	}
	return "this role sees only its own sessions: " + grant
}

// footer is the keys that matter. On a screen without a status line it carries
// the status as well, and then only the keys without which a person is stuck.
func (a *App) footer(l layout) line {
	status := a.status()
	if l.status > 0 || len(status) == 0 {
		keys := a.footerKeys(func(b binding) bool {
			return l.mode == modeFull || b.action != actNextPane && b.action != actZoom
		})
		for joinKeys(keys).width() > l.w && giveWay(&keys) {
		}
		return fit(joinKeys(keys), l.w)
	}
	keys := joinKeys(a.footerKeys(func(b binding) bool {
		if b.action == actNextPane {
			return l.mode == modeFull
		}
		return b.action == actHelp || b.action == actQuit || b.action == actBack && a.page != nil
	}))
	keys = append(keys, seg{"   ", stylePlain})
	return fit(append(keys, cutWords(status, l.w-keys.width())...), l.w)
}

// footerKey is a key as the footer names it.
type footerKey struct {
	line
	yields int
}

// giveWay takes away the key that matters least; false where all of them stay.
func giveWay(keys *[]footerKey) bool {
	if len(*keys) == 0 {
		return false
	}
	least := slices.MaxFunc(*keys, func(a, b footerKey) int { return a.yields - b.yields })
	*keys = slices.DeleteFunc(*keys, func(k footerKey) bool { return k.yields == least.yields && least.yields > 0 })
	return least.yields > 0
}

func (a *App) footerKeys(wanted func(binding) bool) []footerKey {
	var keys []footerKey
	for _, b := range bindings() {
		if !wanted(b) || !a.inFooter(b) {
			continue
		}
		label, what := b.Help().Key, b.short
		switch {
		case b.action == actDown && a.page != nil:
			label, what = "↑↓", "scroll"
			if _, rows := a.page.content.(*queuePage); rows {
				what = b.short
			}
		case b.action == actBack && a.page != nil:
			what = "back"
		case b.action == actDown:
			label = "↑↓"
		case b.action == actPause && a.replays():
			what = map[bool]string{true: "stop", false: "play"}[a.position != nil && a.position.Playing]
		case b.action == actPause && a.paused:
			what = "go on"
		}
		keys = append(keys, footerKey{line{{label, styleStrong}, {" " + what, styleDim}}, b.yields})
	}
	return keys
}

// inFooter tells whether the footer names a key now, where there is room.
func (a *App) inFooter(b binding) bool {
	switch {
	case !b.Enabled() || b.short == "", changesServer(b.action) && a.options.Actions == nil, a.page != nil && !onPages(b.action):
		return false
	case b.action == actBack:
		return a.page != nil || a.snap != nil && a.selection.strayed(a.snap, a.run)
	case b.action == actWhatIf:
		return a.impossible(actWhatIf) == ""
	}
	return true
}

// onPages tells whether the footer names an action while a page is open.
func onPages(act action) bool {
	switch act {
	case actNextPane, actZoom, actFilter, actDetails:
		return false
	}
	return true
}

func joinKeys(keys []footerKey) line {
	out := plain(" ")
	for i, k := range keys {
		if i > 0 {
			out = append(out, seg{"  ", stylePlain})
		}
		out = append(out, k.line...)
	}
	return out
}

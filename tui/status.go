package tui

import (
	"fmt"
	"strings"

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
			out = append(out, seg{" · ", styleDim})
		}
		out = append(out, seg{t, s})
	}
	s := a.latest
	if s == nil {
		return nil
	}
	if !s.Link.Lost {
		add(styleBad, problems(s.Problems))
	}
	if a.run == nil || a.run.State != model.StateHidden { // else the verdict says it
		add(styleNote, privileges(s))
	}
	add(styleNote, show(model.Text(s.Watch.TickRateNote)))
	if a.paused {
		add(styleNote, "paused at "+clock(a.snap.Now.In(a.options.Location)))
	}
	if n := len(s.Notes); n > 0 {
		add(styleStrong, show(s.Notes[n-1].Text))
	}
	return out
}

// problems says what could not be read in the last beat.
func problems(problems []model.Problem) string {
	var parts []string
	for _, p := range problems {
		why := show(p.Message)
		if p.SQLState != "" {
			why = p.SQLState + " " + why
		}
		parts = append(parts, fmt.Sprintf("not read: %s (%s)", show(model.Text(p.Part)), why))
	}
	return strings.Join(parts, ", ")
}

// privileges says what is hidden from this role, and the one grant that shows it.
func privileges(s *model.Snapshot) string {
	if s.Server.SeesAll {
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
		return fmt.Sprintf("%s that this role may not see: %s", plural(hidden, "vacuum runs", "vacuums run"), grant)
	}
	return "this role sees only its own sessions: " + grant
}

// footer is the keys that matter. On a screen without a status line it carries
// the status as well, and then only the key that tells the others.
func (a *App) footer(l layout) line {
	status := a.status()
	few := l.status == 0 && len(status) > 0
	out := plain(" ")
	for _, b := range bindings() {
		if !b.built || b.short == "" || (few && b.action != actHelp) {
			continue
		}
		what := b.short
		if b.action == actPause && a.paused {
			what = "go on"
		}
		out = append(out, seg{footerLabel(b), styleStrong}, seg{" " + what + "   ", styleDim})
	}
	if few {
		out = append(out, status...)
	}
	return fit(out, l.w)
}

// footerLabel is the key, or both keys of a pair that does one thing.
func footerLabel(b binding) string {
	if b.action == actDown {
		return "↑↓"
	}
	return b.label
}

package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// status is one line of what is out of the ordinary about the watching itself,
// what matters most first; empty is good news.
func (a *App) status(w int) line {
	var parts []line
	add := func(s style, t string) {
		if t != "" {
			parts = append(parts, text(s, t))
		}
	}
	if s := a.latest; s != nil {
		add(styleBad, problems(s.Problems))
		add(styleNote, privileges(s))
		add(styleNote, show(model.Text(s.Watch.TickRateNote)))
		if a.paused && a.snap != nil {
			add(styleNote, "paused at "+clock(a.snap.Now.In(a.options.Location))+", space goes on")
		}
		if n := len(s.Notes); n > 0 {
			add(styleStrong, show(s.Notes[n-1].Text))
		}
	}
	out := plain(" ")
	for i, p := range parts {
		if i > 0 {
			out = append(out, seg{" · ", styleDim})
		}
		out = append(out, p...)
	}
	return fit(out, w)
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

// footer is the keys that matter.
func (a *App) footer(w int) line {
	out := plain(" ")
	for _, b := range bindings() {
		if !b.built || b.short == "" {
			continue
		}
		what := b.short
		if b.action == actPause && a.paused {
			what = "go on"
		}
		out = append(out, seg{footerLabel(b), styleStrong}, seg{" " + what + "   ", styleDim})
	}
	return fit(out, w)
}

func footerLabel(b binding) string {
	if b.action == actDown {
		return "↑↓"
	}
	return b.label
}

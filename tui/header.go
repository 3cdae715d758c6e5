package tui

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// clock writes a time with the zone's offset.
func clock(t time.Time) string {
	if _, offset := t.Zone(); offset%3600 != 0 {
		return t.Format("15:04:05 -07:00")
	}
	return t.Format("15:04:05 -07")
}

// header is one line: the server on the left, how it is watched and its clock on
// the right. Where it does not fit, what matters least goes first.
func (a *App) header(w int) line {
	left, right := a.headerLeft(), a.headerRight()
	for dropped := true; dropped && width(left)+2+width(right) > w; {
		left, right, dropped = dropPart(left, right)
	}
	r := joined(right)
	l := fit(joined(left), max(0, w-r.width()-2))
	return fit(append(append(l, seg{"  ", stylePlain}), r...), w)
}

// part is a piece of the header; of those with a drop the highest goes first.
type part struct {
	line
	drop int
}

func width(parts []part) int { return joined(parts).width() }

func joined(parts []part) line {
	var out line
	for i, p := range parts {
		if i > 0 {
			out = append(out, seg{"  ", stylePlain})
		}
		out = append(out, p.line...)
	}
	return out
}

func dropPart(left, right []part) (l, r []part, dropped bool) {
	most := 0
	for _, p := range append(left[:len(left):len(left)], right...) {
		most = max(most, p.drop)
	}
	if most == 0 {
		return left, right, false
	}
	keep := func(parts []part) (kept []part) {
		for _, p := range parts {
			if p.drop != most {
				kept = append(kept, p)
			}
		}
		return kept
	}
	return keep(left), keep(right), true
}

func (a *App) headerLeft() []part {
	parts := []part{{text(styleStrong, a.options.name()), 4}}
	s := a.latest
	if s == nil {
		return append(parts, part{plain(show(model.Text(a.options.Target))), 0})
	}
	server := s.Server
	version, _, _ := strings.Cut(string(server.Version), " ")
	parts = append(parts, part{plain("PostgreSQL " + show(model.Text(version))), 3})
	if server.InRecovery {
		parts = append(parts, part{text(styleNote, "standby"), 0})
	}
	where := show(server.Database) + "@" + show(model.Text(server.Address)) + " as " + show(server.Role)
	return append(parts, part{plain(where), 0})
}

func (a *App) headerRight() []part {
	s := a.latest
	if s == nil {
		return []part{{text(styleDim, "connecting"), 0}}
	}
	rates := shortInterval(s.Watch.Interval)
	if s.Watch.TickRate > 0 {
		rates += fmt.Sprintf(" · %g Hz", float64(s.Watch.TickRate))
	}
	parts := []part{{a.state(), 0}, {text(styleDim, rates), 1}}
	if cost, ok := s.Watch.ServerTime.Get(); ok {
		parts = append(parts, part{text(styleDim, fmt.Sprintf("watching costs %.1f ms/s", float64(cost)*1000)), 2})
	}
	return append(parts, part{plain(clock(s.Now.In(a.options.Location))), 0})
}

// state says whether what is seen is now.
func (a *App) state() line {
	switch {
	case a.err != nil:
		return text(styleBad, glyphLost+" ended")
	case a.latest.Link.Lost:
		return text(styleBad, glyphLost+" lost")
	case a.paused:
		return text(styleNote, glyphPaused+" PAUSED")
	}
	return text(styleGood, glyphLive+" live")
}

// shortInterval writes the beat: 1 s, 500 ms, 2.5 s.
func shortInterval(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%g s", d.Seconds())
}

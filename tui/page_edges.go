package tui

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// edgeLines are ages, and how far they are from where the server acts on them.
func edgeLines(s *model.Snapshot, edges []model.Edge, w int) []line {
	if len(edges) == 0 {
		return nil
	}
	t := newTable(edgeColumns(s), w-1)
	lines := []line{text(styleDim, " "+idRate(s)), append(plain(" "), t.heading()...)}
	for _, e := range edges {
		lines = append(lines, append(plain(" "), t.row(e)...))
		if rateOf(s, e).Or(model.IDRate{}).PerSecond > 0 {
			lines = append(lines, append(plain(" "), t.rowBelow(e)...))
		}
	}
	return lines
}

func rateOf(s *model.Snapshot, e model.Edge) model.Opt[model.IDRate] {
	if e.Multixacts {
		return s.MXIDRate
	}
	return s.XIDRate
}

// idRate says at what rate ids are used up, and over which time that was seen.
func idRate(s *model.Snapshot) string {
	r, ok := s.XIDRate.Get()
	if !ok {
		return "ids left until …; the time to it follows once half a minute was watched"
	}
	return fmt.Sprintf("ids left until …, and %s the time: %s%s transaction ids/s over the last %s",
		glyphEstimate, glyphEstimate, model.FormatRate(r.PerSecond), model.FormatDuration(r.Window))
}

func edgeColumns(s *model.Snapshot) []column[model.Edge] {
	limit := func(title, name string, passed style, drop int) column[model.Edge] {
		return column[model.Edge]{
			title: title, min: 13, max: 16, right: true, drop: drop,
			cell:  func(e model.Edge, _ int) line { return idsLeft(s, e, name, passed) },
			below: func(e model.Edge, _ int) line { return timeLeft(e, name) },
		}
	}
	return []column[model.Edge]{
		{title: "", min: 16, max: 40, first: true, cell: func(e model.Edge, _ int) line { return plain(edgeName(e)) },
			below: func(model.Edge, int) line { return nil }},
		{title: "age", min: 13, max: 14, right: true, cell: func(e model.Edge, _ int) line { return plain(model.FormatCount(e.Age)) },
			below: func(model.Edge, int) line { return nil }},
		limit("autovacuum", model.LimitAutovacuum, styleNote, 0),
		limit("failsafe", model.LimitFailsafe, styleBad, 0),
		limit("warnings", model.LimitWarning, styleBad, 1),
		limit("stop", model.LimitStop, styleBad, 0),
	}
}

func edgeName(e model.Edge) string {
	name := "table"
	switch e.Of {
	case model.EdgeTable:
		if e.Name != "" { // of the queue: one count of each
			name = show(e.Name)
			if e.Multixacts {
				name += ", multixacts"
			}
			return name
		}
	case model.EdgeDatabase:
		name = "database " + show(e.Name.QuoteIdent())
	case model.EdgeOldest:
		name = "oldest: " + show(e.Name.QuoteIdent())
	}
	if e.Multixacts {
		return "  multixacts"
	}
	return name
}

// idsLeft is how many ids are left until a limit.
func idsLeft(s *model.Snapshot, e model.Edge, name string, passed style) line {
	l, ok := e.LimitOf(name).Get()
	switch {
	case !ok && name == model.LimitFailsafe && s.Server.VersionNum < 140000:
		return text(styleDim, naOn(s.Server.VersionNum))
	case !ok:
		return absent()
	case l.Left == 0:
		return text(passed, "passed")
	}
	return plain(model.FormatCount(l.Left))
}

// timeLeft is the estimate of when that will be.
func timeLeft(e model.Edge, name string) line {
	l, ok := e.LimitOf(name).Get()
	in, known := l.In.Get()
	switch {
	case l.Far:
		return text(styleDim, "over 10 years")
	case !ok || l.Left == 0 || !known:
		return nil
	}
	return text(styleDim, glyphEstimate+roughly(in))
}

// roughly is a long time with what matters of it.
func roughly(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 100*day:
		return model.FormatCounted(int(d/day), "day", "days")
	case d >= 2*time.Hour && d < 2*day:
		return fmt.Sprintf("%.0f hours", d.Hours())
	}
	return model.FormatDuration(d)
}

package tui

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// clock writes a time with the zone's offset.
func clock(t time.Time) string {
	if _, offset := t.Zone(); offset%3600 != 0 {
		return t.Format("15:04:05 -07:00")
	}
	return t.Format("15:04:05 -07")
}

// part is a piece of the header. Where space lacks, the part with the lowest
// yield gives way first: to its short form, which has a yield of its own, or
// whole. A yield of 0 stays.
type part struct {
	line  line
	yield int
	short *part
}

// lastYield is the highest yield of a part.
const lastYield = 9

// yields are those that have given way.
type yields [lastYield + 1]bool

// header is one line: the server on the left, how it is watched and its clock on
// the right.
func (a *App) header(w int) line {
	left, right := a.headerLeft(), a.headerRight()
	var given yields
	fits := func() bool { return given.join(left).width()+2+given.join(right).width() <= w }
	most := 0
	for ; most < lastYield && !fits(); most++ {
		given[most+1] = true
	}
	for y := most; y > 0; y-- { // what gave way in vain comes back
		given[y] = false
		given[y] = !fits()
	}
	r := given.join(right)
	l := fit(given.join(left), max(0, w-r.width()-2))
	return fit(append(append(l, seg{"  ", stylePlain}), r...), w)
}

// join sets the parts side by side, each in the form that has not given way.
func (y yields) join(parts []part) line {
	var out line
	for i := range parts {
		p := &parts[i]
		for p != nil && y[p.yield] {
			p = p.short
		}
		if p == nil {
			continue
		}
		if len(out) > 0 {
			out = append(out, seg{"  ", stylePlain})
		}
		out = append(out, p.line...)
	}
	return out
}

func (a *App) headerLeft() []part {
	parts := []part{{line: text(styleStrong, a.options.name()), yield: 4}}
	s := a.latest
	if s == nil || s.At.IsZero() { // nothing was read yet
		return append(parts, part{line: plain(show(model.Text(a.options.Target)))})
	}
	server := s.Server
	number, _, _ := strings.Cut(string(server.Version), " ")
	version := show(model.Text(number))
	parts = append(parts, part{line: plain("PostgreSQL " + version), yield: 3, short: &part{line: plain("PG " + version), yield: 6}})
	where := func(address string) line {
		return plain(show(server.Database) + "@" + show(model.Text(address)) + " as " + show(server.Role))
	}
	parts = append(parts, part{line: where(server.Address), yield: 2, short: &part{line: where(shortAddress(server.Address))}})
	if a.options.Actions != nil && a.options.Actions.ReadOnly() {
		parts = append(parts, part{line: text(styleNote, "read-only"), yield: 9})
	}
	if server.InRecovery {
		parts = append(parts, part{line: text(styleNote, "standby")})
	}
	if r := a.options.Recorder; r != nil && r.Recording() {
		parts = append(parts, part{line: text(styleNote, glyphLive+" rec")})
	}
	return parts
}

func (a *App) headerRight() []part {
	s := a.latest
	if s == nil {
		return []part{{line: text(styleDim, "connecting")}}
	}
	rates := shortInterval(s.Watch.Interval)
	if s.Watch.TickRate > 0 {
		rates += fmt.Sprintf(" %s %.3g Hz", glyphSeparator, float64(s.Watch.TickRate))
	}
	parts := []part{{line: a.state()}, {line: text(styleDim, rates), yield: 7}}
	if cost, ok := s.Watch.ServerTime.Get(); ok {
		ms := fmt.Sprintf("%.1f ms/s", float64(cost)*1000)
		parts = append(parts, part{
			line: text(styleDim, "watching costs "+ms), yield: 1,
			short: &part{
				line: text(styleDim, "costs "+ms), yield: 5,
				short: &part{line: text(styleDim, ms), yield: 8},
			},
		})
	}
	if a.bell {
		parts = append(parts, part{line: text(styleNote, "bell"), yield: 9})
	}
	now := part{line: plain(clock(s.Now.In(a.options.Location)))}
	if a.paused { // beside the time of what is drawn
		now = part{line: append(text(styleDim, "now "), now.line...), yield: 9}
	}
	return append(parts, now)
}

// longestName is what is left of a directory in a short address.
const longestName = 16

// shortAddress leaves out the middle directories of a socket and the ends of long
// names, and the domain of a host; an address of numbers stays.
func shortAddress(address string) string {
	place, port := address, ""
	if i := strings.LastIndexByte(address, ':'); i >= 0 {
		place, port = address[:i], address[i:]
	}
	if strings.HasPrefix(place, "/") {
		names := strings.Split(place, "/")
		if len(names) > 3 {
			names = []string{"", names[1], ellipsis, names[len(names)-1]}
		}
		for i, name := range names {
			names[i] = ansi.Truncate(name, longestName, ellipsis)
		}
		return strings.Join(names, "/") + port
	}
	host, domain, _ := strings.Cut(place, ".")
	if domain == "" || strings.Trim(domain, "0123456789.") == "" {
		return address
	}
	return host + ellipsis + port
}

// state says whether what is seen is now.
func (a *App) state() line {
	switch {
	case a.err != nil:
		return text(styleBad, glyphLost+" ended")
	case a.latest.Link.Lost:
		return text(styleBad, glyphLost+" lost")
	case a.latest.Overdue().Known():
		return text(styleBad, glyphLost+" no answer")
	case a.replays():
		return text(styleNote, glyphPlaying+" replay")
	case a.paused:
		return text(styleNote, glyphPaused+" PAUSED at "+a.snap.Now.In(a.options.Location).Format(time.TimeOnly))
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

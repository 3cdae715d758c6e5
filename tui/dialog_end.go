package tui

import (
	"context"
	"fmt"
	"slices"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// endDialog shows who keeps dead rows of the connected database from being removed, and
// ends one of them when that was asked for twice.
type endDialog struct {
	actions  Actions
	hindered string // why nothing can be ended from here; "" when it can
	snap     *model.Snapshot
	holders  []model.XminHolder
	list     list             // nobody, then the holders
	at       model.XminHolder // the one under the cursor
	armed    bool             // enter was pressed on it once
	asking   bool             // the server is asked
	err      error
	over     bool
	said     string
}

func (d *endDialog) title() string {
	return "Who keeps dead rows of database " + show(d.snap.Server.Database.QuoteIdent())
}

func (d *endDialog) hint() string {
	if d.armed {
		return "enter ends it now  ↑↓ leaves it  esc closes"
	}
	return "↑↓ choose  enter would end it  esc closes"
}

func (d *endDialog) closed() (bool, string, dialog) { return d.over, d.said, nil }

// setData finds the one under the cursor again; when it is gone, nobody is chosen.
func (d *endDialog) setData(s *model.Snapshot) {
	d.snap, d.holders = s, s.HoldersHere()
	if d.list.cursor == 0 || d.asking {
		return
	}
	i := slices.IndexFunc(d.holders, d.at.Same)
	d.list.cursor = i + 1
	if i < 0 {
		d.armed = false
		return
	}
	d.armed = d.armed && sameTransaction(d.at, d.holders[i])
	d.at = d.holders[i]
}

// sameTransaction tells that what was read of a holder is what will be ended.
func sameTransaction(a, b model.XminHolder) bool {
	return a.XID == b.XID && a.Since == b.Since && a.Active == b.Active
}

func (d *endDialog) typed(msg tea.KeyMsg) tea.Cmd {
	if d.asking {
		return nil
	}
	if msg.Type != tea.KeyEnter {
		d.armed = false
		d.list.move(actionOf(msg, false), 1+len(d.holders))
		if d.list.cursor > 0 {
			d.at = d.holders[d.list.cursor-1]
		}
		return nil
	}
	switch {
	case d.list.cursor == 0:
		d.over = true
	case d.why() != "":
	case !d.armed:
		d.armed, d.err = true, nil
	default:
		return d.end()
	}
	return nil
}

// why says why the one under the cursor cannot be ended; "" when it can.
func (d *endDialog) why() string {
	if d.hindered != "" {
		return d.hindered
	}
	return d.at.NotEnded()
}

func (d *endDialog) end() tea.Cmd {
	d.asking, d.armed, d.err = true, false, nil
	h := d.at
	return asking(d, func(ctx context.Context) (model.XminHolder, error) { return h, d.actions.End(ctx, h) })
}

func (d *endDialog) answered(body any) tea.Cmd {
	d.asking = false
	switch body := body.(type) {
	case error:
		d.err = body
	case model.XminHolder:
		d.over, d.said = true, body.Name()+" is gone; the next vacuum can remove what it kept"
	}
	return nil
}

func (d *endDialog) draw(w, h int) []line {
	out := wrapped(d.heading(), stylePlain, w)
	below := d.below(w)
	const ages, least = 13, 3 // cells of an age; rows that are listed
	out = append(out, append(plain("  "), alignRight(text(styleDim, "transactions"), ages)...))
	names := []string{"leave all of them"}
	for _, holder := range d.holders {
		names = append(names, fmt.Sprintf("%*s  %s", ages, model.FormatCount(holder.Age), holder.Who(d.snap.At)))
	}
	from, to := d.list.window(len(names), max(least, h-len(out)-len(below)-1))
	for i := from; i < to; i++ {
		s := stylePlain
		if i == d.list.cursor {
			s = styleStrong
		}
		out = append(out, append(marker(i == d.list.cursor), text(s, " "+show(model.Text(names[i])))...))
	}
	return append(append(out, text(styleDim, d.list.note())), below...)
}

func (d *endDialog) heading() string {
	if len(d.holders) == 0 {
		return "Nobody keeps dead rows from being removed."
	}
	return "Dead rows of the last so many transactions are kept for these. What a vacuum can remove is fixed when its table begins: only the next one profits."
}

// below is what is to be known of the one under the cursor, and what would be sent.
func (d *endDialog) below(w int) []line {
	if d.list.cursor == 0 || d.list.cursor > len(d.holders) {
		return failure(d.err, w)
	}
	var out []line
	say := func(s style, t string) {
		if t != "" {
			out = append(out, wrapped(show(model.Text(t)), s, w)...)
		}
	}
	if !d.at.Keeps(d.snap.Server.DatID) {
		say(styleDim, "It keeps rows of the catalogs only.")
	}
	if query, ok := d.at.Query.Get(); ok && query != "" {
		say(styleDim, "Its statement: "+oneLine(query))
	}
	if why := d.why(); why != "" {
		say(styleNote, "Not from here: "+why)
		return append(out, failure(d.err, w)...)
	}
	say(styleNote, d.at.Consequence())
	if sql, err := d.actions.EndStatement(d.at); err == nil {
		say(styleStrong, sql+";")
	}
	switch {
	case d.asking:
		say(styleNote, "asking the server ...")
	case d.armed:
		say(styleBad, "enter once more ends it; any other key leaves it.")
	}
	return append(out, failure(d.err, w)...)
}

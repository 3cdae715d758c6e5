package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// queuePage lists what autovacuum has to do next in the connected database, and how old
// databases and tables are. Its cursor stands on a table.
type queuePage struct {
	snap   *model.Snapshot
	tables []model.QueuedTable
	list   list
	at     uint32 // the relid under the cursor
	below  int    // lines scrolled beyond the last table, to the ages
	lines  pageList
}

func (p *queuePage) title() string {
	return "What comes next: autovacuum of database " + show(p.snap.Server.Database.QuoteIdent())
}

// note says how old the reading is, and which rows are in sight.
func (p *queuePage) note() string {
	if p.snap.Queue == nil {
		return ""
	}
	return notes("read "+model.FormatMinutes(p.snap.Now.Sub(p.snap.Queue.ReadAt))+" ago", p.lines.note())
}

// setData takes the snapshot, and finds the table under the cursor again.
func (p *queuePage) setData(s *model.Snapshot, _ *model.Run) {
	p.snap, p.tables = s, s.Queued()
	if i := slices.IndexFunc(p.tables, func(t model.QueuedTable) bool { return t.RelID == p.at }); i >= 0 {
		p.list.cursor = i
	}
	p.list.cursor = max(0, min(p.list.cursor, len(p.tables)-1))
	p.mark()
}

// mark notes which table the cursor is on.
func (p *queuePage) mark() {
	if len(p.tables) > 0 {
		p.at = p.tables[p.list.cursor].RelID
	}
}

// handle moves the cursor, and beyond the last table scrolls to the ages.
func (p *queuePage) handle(a action) bool {
	switch {
	case a == actUp && p.below > 0:
		p.below--
	case a == actDown && p.list.cursor >= len(p.tables)-1:
		p.below++ // drawing keeps it in bounds
	case !p.list.move(a, len(p.tables)):
		return false
	case a == actLast:
		p.below = 1 << 16
	default:
		p.below = 0
	}
	p.mark()
	return true
}

func (p *queuePage) keys() []paneKey {
	return append(moveKeys("table"), paneKey{actVacuum, "vacuum this table"}, paneKey{actBack, "back to the panes"})
}

// chosen is the table under the cursor; ok is false where there is none.
func (p *queuePage) chosen() (table model.QueuedTable, ok bool) {
	if len(p.tables) == 0 {
		return table, false
	}
	return p.tables[p.list.cursor], true
}

// queueDetails is how many lines are kept for what is said of the table under the cursor.
const queueDetails = 5

func (p *queuePage) draw(w, h int, _ bool) []line {
	const roomy, low = 14, 3 // lines of a page that has room for the details; of a heading where there is none
	lines, details := p.heading(w), p.details(w)
	if h < roomy {
		lines, details = lines[:min(len(lines), max(1, h-low))], nil
	}
	if len(p.tables) == 0 {
		return append(append(lines, nil), p.lines.window(p.ages(w), h-len(lines)-1)...)
	}
	t := newTable(p.columns(), w-2)
	lines = append(lines, append(plain("  "), t.heading()...))
	return append(append(lines, p.scrolled(t, w, h-len(lines)-len(details))...), details...)
}

// scrolled are the tables, and below them the ages, in h lines. Of the tables, of which
// there can be many, only those in sight are drawn.
func (p *queuePage) scrolled(t table[model.QueuedTable], w, h int) []line {
	rows := len(p.tables)
	all := append(make([]line, rows+1), p.ages(w)...)
	h = max(0, h)
	from, _ := p.list.window(rows, min(h, rows))
	p.below = min(p.below, max(0, len(all)-h-from))
	p.lines.top = from + p.below
	inSight := p.lines.window(all, h)
	for i := range inSight[:max(0, min(len(inSight), rows-p.lines.top))] {
		inSight[i] = p.row(t, p.lines.top+i)
	}
	return block(inSight, w, h)
}

// heading says how many tables are due, and what autovacuum has for them.
func (p *queuePage) heading(w int) []line {
	s := p.snap
	if s.Queue == nil {
		return wrapped("What comes next has not been read yet.", styleDim, w)
	}
	first, style := model.QueueSentence(s)+".", styleStrong
	if first == "." {
		first, style = "Nothing is due for autovacuum in this database.", styleGood
	}
	lines := wrapped(show(model.Text(first)), style, w)
	var facts []string
	busy, most := s.Workers()
	if n, ok := most.Get(); ok {
		facts = append(facts, fmt.Sprintf("%s of %s at work", opts(busy, countOf), model.FormatCounted(n, "worker", "workers")))
	}
	if !s.Queue.HoldersRead {
		facts = append(facts, "who has locks could not be read")
	}
	lines = append(lines, flow(facts, w)...)
	if h, ok := s.OldestHere().Get(); ok {
		held := fmt.Sprintf("%s keeps the dead rows of the last %s transactions: no vacuum can remove those (%s).", h.Who(s.At), model.FormatCount(h.Age), label(actEnd))
		lines = append(lines, wrapped(show(model.Text(held)), styleNote, w)...)
	}
	return lines
}

func countOf(n int) string { return model.FormatCount(int64(n)) }

func (p *queuePage) row(t table[model.QueuedTable], i int) line {
	row := t.row(p.tables[i])
	selected := i == p.list.cursor
	switch {
	case selected:
		row = row.strengthen()
	case !p.tables[i].Over():
		row = row.in(styleDim)
	}
	return append(append(marker(selected), plain(" ")...), row...)
}

// details are all counts of the table under the cursor, and why autovacuum does not begin.
func (p *queuePage) details(w int) []line {
	t, ok := p.chosen()
	if !ok {
		return nil
	}
	var facts []string
	for _, c := range t.Pressures {
		facts = append(facts, c.String())
	}
	last := func(what string, at model.Opt[time.Time]) string {
		return "last " + what + " " + opts(at, func(at time.Time) string { return model.FormatDuration(p.snap.Now.Sub(at)) + " ago" })
	}
	facts = append(facts, last("vacuum", t.LastVacuum), last("analyze", t.LastAnalyze))
	lines := []line{text(styleFrame, strings.Repeat("─", w))}
	if why := p.snap.Why(t); why != "" {
		lines = append(lines, wrapped(show(model.Text(why)), styleNote, w)...)
	}
	lines = append(lines, flow(facts, w)...)
	return block(lines, w, max(queueDetails, len(lines)))
}

// ages are how far databases and the oldest tables are from where the server acts on
// their age.
func (p *queuePage) ages(w int) []line {
	edges := edgeLines(p.snap, p.snap.OldestEdges(), w)
	if len(edges) == 0 {
		return nil
	}
	return append([]line{text(styleStrong, "Distance to the edge")}, edges...)
}

func (p *queuePage) terms(w int) []model.Explanation {
	return newTable(p.columns(), w-2).terms(model.SubjectQueue)
}

// explains are the columns, and what stands among the ages.
func (p *queuePage) explains(w int) ([]model.Explanation, int) {
	edges := model.ExplainSubject(model.PageSubject("Distance to the edge"))
	return append(append(paneTexts(nil, model.SubjectQueue, p.terms(w)), edges.About), edges.Of...), 0
}

func (p *queuePage) columns() []column[model.QueuedTable] {
	fullest := func(t model.QueuedTable) model.Pressure {
		if len(t.Pressures) == 0 {
			return model.Pressure{}
		}
		return t.Pressures[0]
	}
	columns := []column[model.QueuedTable]{
		{title: "table", min: 20, max: 50, first: true,
			cell: func(t model.QueuedTable, _ int) line { return plain(show(model.Text(t.Display()))) }},
		{title: "due for", min: 10, max: 16,
			cell: func(t model.QueuedTable, _ int) line { return dueFor(t) }},
		{title: "because of", min: 13, max: 14,
			cell: func(t model.QueuedTable, _ int) line { return plain(fullest(t).Of.Words()) }},
		{title: "count", min: 13, max: 15, drop: 2, right: true,
			cell: func(t model.QueuedTable, _ int) line { return plain(model.FormatCount(fullest(t).Have)) }},
		{title: "threshold", min: 13, max: 15, drop: 1, right: true,
			cell: func(t model.QueuedTable, _ int) line { return plain(model.FormatThreshold(fullest(t).Threshold)) }},
		{title: "full", min: 6, max: 7, right: true,
			cell: func(t model.QueuedTable, _ int) line { return plain(model.FormatFull(t.Fullest())) }},
		{title: "now", min: 19, max: 40,
			cell: func(t model.QueuedTable, _ int) line { return p.now(t) }},
	}
	if len(p.tables) > 0 && p.tables[0].Score != nil {
		columns = append(columns, column[model.QueuedTable]{title: "score", min: 7, max: 9, drop: 3, right: true,
			cell: func(t model.QueuedTable, _ int) line { return plain(fmt.Sprintf("%.2f", t.Score.Score)) }})
	}
	return columns
}

// dueFor is what autovacuum would do with a table.
func dueFor(t model.QueuedTable) line {
	switch {
	case t.Wraparound:
		return text(styleBad, "wraparound")
	case t.Vacuum && t.Analyze:
		return text(styleNote, "both")
	case t.Vacuum:
		return text(styleNote, "vacuum")
	case t.Analyze:
		return text(styleNote, "analyze")
	case t.Over():
		return text(styleNote, "nothing")
	}
	return text(styleDim, "not yet")
}

// now is, in short, who works on a table or what keeps autovacuum from it.
func (p *queuePage) now(t model.QueuedTable) line {
	if pids := p.snap.WorksOn(t); len(pids) > 0 {
		return text(styleGood, fmt.Sprintf("pid %d at work", pids[0]))
	}
	hindrance, ok := p.snap.Hindrance(t).Get()
	switch {
	case !ok:
		return nil
	case hindrance == model.HinderedByServer:
		return text(styleNote, p.snap.Queue.Off+" off")
	case hindrance == model.HinderedByTable:
		return text(styleNote, "off for this table")
	case hindrance == model.HinderedByWorkers:
		return text(styleNote, "no worker free")
	}
	return text(styleBad, lockedBy(p.snap.InTheWay(t)))
}

// lockedBy names the first of those whose lock is in the way.
func lockedBy(who []model.Blocker) string {
	out := "locked: prepared transaction"
	if who[0].PID != 0 {
		out = fmt.Sprintf("locked by %d", who[0].PID)
	}
	if n := len(who) - 1; n > 0 {
		out += fmt.Sprintf(" +%d", n)
	}
	return out
}

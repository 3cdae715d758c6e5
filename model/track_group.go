package model

import (
	"slices"
	"time"
)

// maxGroups is how many commands that are over are kept.
const maxGroups = 200

// groupState is a command being folded. It exists for every statement, as nobody
// knows beforehand that another relation follows.
type groupState struct {
	group  Group
	tables int            // tables seen, without TOAST relations
	names  []RelationName // in the statement
	named  bool           // names were read
	more   Blocks         // that vacuums found in tables, beyond what the catalog has for them
}

// groups gives the runs of this poll, and those that only its ticks saw, to the
// command that they are part of.
func (t *Tracker) groupRuns(at time.Time, p *Poll) {
	for _, r := range t.active {
		if r.run.Key.StatementStart.IsZero() || r.run.State == StateHidden {
			continue
		}
		g := t.groupOf(&r.run)
		if r.run.Group == 0 {
			r.run.Group = g.group.ID
			g.group.Seen++
		}
		t.takeGroup(g, r)
		if r.run.LastSeen.Equal(at) {
			g.locate(r, p.Listings)
		}
	}
}

// groupOf is the command that a run is part of, opened where it is the first one seen.
func (t *Tracker) groupOf(run *Run) *groupState {
	statement, session := run.Key.statement(), run.Key.session()
	var connection *groupState
	for _, g := range t.groups {
		switch {
		case run.Group == 0 && g.group.Key.Same(session):
			connection = g
		case g.group.ID == run.Group || run.Group == 0 && g.group.Key.Same(statement):
			return g
		}
	}
	if connection != nil && t.oneOfVacuumdb(run) {
		return connection
	}
	return t.openGroup(run)
}

// takeGroup notes what a run tells of its command.
func (t *Tracker) takeGroup(g *groupState, r *runState) {
	run, group := &r.run, &g.group
	group.LastSeen = latest(group.LastSeen, run.LastSeen)
	group.Database = run.Database
	if run.Key.Analyze {
		group.Analyzing = true
	} else {
		group.Command = run.Command
	}
	if !g.named && run.Statement.Known() {
		g.named = true
		g.names, g.group.Kind, g.group.Total = t.parseGroup(run)
	}
	if !r.placed && run.Table.Known() && !run.ToastOf.Known() && !run.Key.Analyze {
		r.placed = true
		g.tables++
	}
	if !group.Number.Known() || group.AtLeast {
		group.Number, group.AtLeast = Some(max(1, g.tables)), true
	}
}

// parseGroup reads a command's tables, and so its kind, out of its text.
func (t *Tracker) parseGroup(run *Run) (names []RelationName, kind GroupKind, total Opt[int]) {
	if run.StartedBy.Or(ByManual) != ByManual {
		return nil, GroupTable, None[int]()
	}
	names, ok := t.tablesOf(run)
	switch {
	case !ok:
	case len(names) == 0 && run.Command != "CLUSTER" && run.Command != "REPACK":
		return names, GroupDatabase, None[int]()
	case len(names) == 1:
		return names, GroupTable, None[int]()
	case len(names) > 1:
		return names, GroupList, Some(len(names))
	}
	return names, GroupUnknown, None[int]()
}

// locate tells where in the command a run stands, by the catalog or the statement.
func (g *groupState) locate(r *runState, listings []Listing) {
	run, group := &r.run, &g.group
	if group.Kind == GroupList {
		g.locateInList(run, listings)
		return
	}
	for i := range listings {
		l := &listings[i]
		place, in := l.place(run.Key.RelID)
		switch {
		case !in || (l.RelID == 0) != (group.Kind == GroupDatabase):
		case l.RelID == 0:
			g.at(r, l, place)
		case len(g.names) == 1 && g.names[0].names(l.root()):
			group.Kind, group.Root = GroupTree, Some(l.root())
			g.at(r, l, place)
		}
	}
	if group.Kind == GroupTable && run.Table.Known() && !group.Root.Known() && !run.ToastOf.Known() {
		group.Root = Some(RelationName{run.Schema.Or(""), run.Table.Or("")})
	}
}

// at takes the place of the current relation in a listing.
func (g *groupState) at(r *runState, l *Listing, place Place) {
	run, group := &r.run, &g.group
	number := place.Number
	if !group.AtLeast {
		number = max(number, group.Number.Or(0))
	}
	group.Number, group.AtLeast = Some(number), false
	group.Total, group.PagesTotal = Some(l.Relations), Some(l.RelPages)
	done := place.PagesBefore
	if part, known := run.heapDone().Get(); known {
		done += Blocks(float64(place.RelPages) * float64(part))
	}
	if run.Key.Analyze || run.ToastOf.Known() { // its table is done
		done = place.PagesBefore + place.RelPages
	}
	group.PagesDone = Some(max(done, group.PagesDone.Or(0)))
	g.compare(r, place)
}

// mostMore is how much larger than in the catalog the tables may be, as a part of all
// its pages, for these to tell how far a command is. A table that was never vacuumed
// or analyzed has none there.
const mostMore = 0.1

// compare takes what the vacuum of a table found beyond the catalog's pages.
func (g *groupState) compare(r *runState, place Place) {
	if p := r.run.Progress; p != nil && !r.run.ToastOf.Known() && !r.run.Key.Analyze {
		more := max(0, p.HeapBlksTotal.Or(0)-place.RelPages)
		g.more += more - r.more
		r.more = more
	}
	if float64(g.more) > mostMore*float64(g.group.PagesTotal.Or(0)) {
		g.group.PagesDone, g.group.PagesTotal = None[Blocks](), None[Blocks]()
	}
}

// heapDone is how much of the heap is done with: scanned, and of what has dead rows
// vacuumed.
func (r *Run) heapDone() Opt[Ratio] {
	p := r.Progress
	if p == nil || p.HeapBlksTotal.Or(0) == 0 {
		return None[Ratio]()
	}
	return Some(min(1, Ratio(p.HeapBlksScanned.Or(0))/Ratio(p.HeapBlksTotal.Or(0))))
}

// locateInList finds the run's table, or the root of its tree, among the names.
func (g *groupState) locateInList(run *Run, listings []Listing) {
	owners := []RelationName{{run.Schema.Or(""), run.Table.Or("")}}
	if table, is := run.ToastOf.Get(); is {
		owners = append(owners, table)
	}
	for i := range listings {
		if _, in := listings[i].place(run.Key.RelID); in && listings[i].RelID != 0 {
			owners = append(owners, listings[i].root())
		}
	}
	for i, name := range g.names {
		if run.Table.Known() && slices.ContainsFunc(owners, name.names) {
			g.group.Number, g.group.AtLeast = Some(i+1), false
		}
	}
}

// closeGroups ends the commands whose statement is over.
func (t *Tracker) closeGroups(at time.Time) {
	keep := t.groups[:0:0]
	for _, g := range t.groups {
		if t.goesOn(g) {
			g.group.LastSeen = at
			keep = append(keep, g)
			continue
		}
		t.closeGroup(g)
	}
	t.groups = keep
}

// goesOn tells that a run of the command is in sight, or its process is between two.
func (t *Tracker) goesOn(g *groupState) bool {
	g.group.Analyzing = false
	found := false
	for _, r := range t.active {
		if r.run.Group == g.group.ID {
			found = true
			g.group.Analyzing = g.group.Analyzing || r.run.Key.Analyze
		}
	}
	proc, there := t.sessions[g.group.Key.PID]
	return found || there && g.group.holds(proc)
}

// closeGroup keeps a command that is over, if it was more than one run.
func (t *Tracker) closeGroup(g *groupState) {
	group := g.group
	group.Analyzing = false
	if !group.Several() {
		return
	}
	for _, run := range t.ended {
		if run.Group == group.ID {
			group.End, group.LastSeen = run.End, run.LastSeen
			break // the last one first
		}
	}
	past := append([]*Group{&group}, t.pastGroups...)
	t.pastGroups = past[:min(len(past), maxGroups)]
}

// count notes in a run's command how the run ended, once that is decided.
func (t *Tracker) countEnding(run *Run) {
	if run.Group == 0 || run.End.Open {
		return
	}
	for _, g := range t.groups {
		if g.group.ID == run.Group {
			g.group.count(run.End.How)
			return
		}
	}
	for i, past := range t.pastGroups {
		if past.ID == run.Group {
			counted := *past
			counted.count(run.End.How)
			if past.End != nil && past.End.At.Equal(run.End.At) {
				counted.End = run.End
			}
			t.pastGroups = slices.Clone(t.pastGroups)
			t.pastGroups[i] = &counted
			return
		}
	}
}

func (g *Group) count(how Ending) {
	switch how {
	case EndCompleted:
		g.Completed++
	case EndNotCompleted, EndGaveWay:
		g.Unfinished++
	default:
		g.Unclear++
	}
}

// publishGroups are the commands over several relations: those that go on first.
func (t *Tracker) publishGroups() []*Group {
	var out []*Group
	for _, g := range t.groups {
		if g.group.Several() {
			group := g.group
			out = append(out, &group)
		}
	}
	return append(out, t.pastGroups...)
}

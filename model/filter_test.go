package model

import (
	"slices"
	"testing"
	"time"
)

func TestTablePatternsAreQuotedAsInSQL(t *testing.T) {
	orders, mixed, dotted := RelationName{"public", "orders"}, RelationName{"Sales Dept", "Orders"}, RelationName{"public", `a.b"c*`}
	for pattern, want := range map[string][]RelationName{
		`orders`:                  {orders},
		`ORDERS`:                  {orders},
		`public.orders`:           {orders},
		`other.orders`:            nil,
		`"Orders"`:                {mixed},
		`"Sales Dept"."Orders"`:   {mixed},
		`*."Orders"`:              {mixed},
		`order?`:                  {orders},
		`ord*`:                    {orders},
		`*`:                       {orders, mixed, dotted},
		`public.*`:                {orders, dotted},
		`"a.b""c*"`:               {dotted},
		`a*`:                      {dotted},
		`"a*"`:                    nil,
		`order`:                   nil,
		`public."or"der"s"`:       {orders},
		`"Sales Dept".*`:          {mixed},
		`[o]rders`:                nil,
		`or.ders`:                 nil,
		`public.orders|something`: nil,
	} {
		p, err := ParseTablePattern(pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		for _, n := range []RelationName{orders, mixed, dotted} {
			if got := p.Matches(n); got != slices.Contains(want, n) {
				t.Errorf("%s matches %s: %v", pattern, n.Display(), got)
			}
		}
	}
	for _, wrong := range []string{"", ".", "a.", ".a", `"a`, "a.b.c", "a(b)", `""`} {
		if _, err := ParseTablePattern(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

func tables(t *testing.T, patterns ...string) Filter {
	t.Helper()
	var f Filter
	for _, text := range patterns {
		p, err := ParseTablePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		f.Tables = append(f.Tables, p)
	}
	return f
}

func namedRun(pid int32, relid uint32, database, schema, table Text) *Run {
	r := &Run{Key: RunKey{PID: pid, RelID: relid}, Database: database, State: StateRunning, FirstSeen: at(0), LastSeen: at(1000)}
	if table != "" {
		r.Schema, r.Table = Some(schema), Some(table)
	}
	return r
}

func pids(runs []*Run) (out []int32) {
	for _, r := range runs {
		out = append(out, r.Key.PID)
	}
	return out
}

// What cannot be told apart is not hidden: a masked vacuum may be the one that is
// asked for. A partition and a TOAST table belong to their table.
func TestAFilterLeavesTheChosenRuns(t *testing.T) {
	orders, lines := namedRun(1, 11, "app", "public", "orders"), namedRun(2, 12, "app", "public", "lines")
	toast, part := namedRun(3, 13, "app", "pg_toast", "pg_toast_11"), namedRun(4, 14, "app", "public", "orders_2026")
	toast.ToastOf = Some(RelationName{"public", "orders"})
	part.Relation = &Relation{PartitionOf: &RelationName{"public", "orders"}}
	masked, elsewhere := namedRun(5, 0, "app", "", ""), namedRun(6, 11, "other", "", "")
	masked.State = StateHidden
	s := &Snapshot{Active: []*Run{orders, lines, toast, part, masked, elsewhere}, Ended: []*Run{lines, orders}}
	for _, c := range []struct {
		filter        Filter
		active, ended []int32
		says          string
	}{
		{tables(t, "orders"), []int32{1, 3, 4, 5}, []int32{1}, "only orders: 2 other vacuums run"},
		{tables(t, "public.lines", "orders_*"), []int32{2, 4, 5}, []int32{2}, "only public.lines, orders_*: 3 other vacuums run"},
		{Filter{Databases: []string{"app"}}, []int32{1, 2, 3, 4, 5}, []int32{2, 1}, "only in app: 1 other vacuum runs"},
		{Filter{Databases: []string{"other", "app"}}, []int32{1, 2, 3, 4, 5, 6}, []int32{2, 1}, "only in other, app"},
	} {
		v := c.filter.View(s)
		if !slices.Equal(pids(v.Active), c.active) || !slices.Equal(pids(v.Ended), c.ended) || v.Filtered.Display() != c.says {
			t.Errorf("%s: %v and %v, %q", c.filter, pids(v.Active), pids(v.Ended), v.Filtered.Display())
		}
	}
	if len(s.Active) != 6 || s.Filtered != nil || (Filter{}).View(s) != s {
		t.Error("the snapshot itself has changed")
	}
}

// The lock waits in the view are those of its vacuums and tables, through any
// number of steps.
func TestAFilterLeavesTheLockWaitsAroundThem(t *testing.T) {
	orders, lines := namedRun(1, 11, "app", "public", "orders"), namedRun(2, 12, "app", "public", "lines")
	waits := []LockWait{
		{PID: 101, BlockedBy: []int32{1}, Around: true},
		{PID: 102, BlockedBy: []int32{101}, Around: true},
		{PID: 201, BlockedBy: []int32{2}, Around: true},
		{PID: 301, BlockedBy: []int32{302}, Database: Some[Text]("app"), Schema: Some[Text]("public"), Table: Some[Text]("orders")},
		{PID: 401, BlockedBy: []int32{402}},
	}
	past := []LockWait{
		{PID: 103, BlockedBy: []int32{1}, From: at(200), Ended: Some(at(500))},
		{PID: 203, BlockedBy: []int32{2}, From: at(200), Ended: Some(at(500))},
		{PID: 104, BlockedBy: []int32{1}, From: at(-9000), Ended: Some(at(-8000))}, // that pid was another process's
	}
	s := &Snapshot{Active: []*Run{orders, lines}, LockWaits: waits, PastWaits: past}
	v := tables(t, "orders").View(s)
	var now, before []int32
	for _, w := range v.LockWaits {
		now = append(now, w.PID)
	}
	for _, w := range v.PastWaits {
		before = append(before, w.PID)
	}
	if !slices.Equal(now, []int32{101, 102, 301}) || !slices.Equal(before, []int32{103}) {
		t.Errorf("waits %v, past %v", now, before)
	}
	if len(s.LockWaits) != 5 || !s.LockWaits[2].Around {
		t.Error("the snapshot itself has changed")
	}
}

// ended is the run, over.
func ended(r *Run, how Ending, open bool) *Run {
	over := *r
	over.State, over.End = StateEnded, &End{At: at(2000), How: how, Open: open}
	return &over
}

func TestWhatWasChosenIsFollowedToItsEnd(t *testing.T) {
	first, second := namedRun(1, 11, "app", "public", "orders"), namedRun(2, 12, "app", "public", "lines")
	next, later := namedRun(1, 15, "app", "public", "more"), namedRun(3, 13, "app", "public", "later")
	waiting := namedRun(1, 0, "app", "", "")
	waiting.State = StateWaiting
	type step struct {
		active, ended []*Run
		done          bool
	}
	for name, c := range map[string]struct {
		steps []step
		want  map[Ending]int
	}{
		"all that run at the start, and no other": {[]step{
			{active: []*Run{first, second}},
			{active: []*Run{second, later}, ended: []*Run{ended(first, EndCompleted, false)}},
			{active: []*Run{later}, ended: []*Run{ended(second, EndNotCompleted, false), ended(first, EndCompleted, false)}},
			{active: []*Run{later}, ended: []*Run{ended(second, EndNotCompleted, false), ended(first, EndCompleted, false)}, done: true},
		}, map[Ending]int{EndCompleted: 1, EndNotCompleted: 1}},
		"the first that starts": {[]step{
			{}, {},
			{active: []*Run{first}},
			{active: []*Run{second}, ended: []*Run{ended(first, EndCompleted, false)}},
			{active: []*Run{second}, ended: []*Run{ended(first, EndCompleted, false)}, done: true},
		}, map[Ending]int{EndCompleted: 1}},
		"one too short for a beat": {[]step{
			{},
			{ended: []*Run{ended(second, EndCompleted, false), ended(first, EndNotVisible, false)}},
			{ended: []*Run{ended(second, EndCompleted, false), ended(first, EndNotVisible, false)}, done: true},
		}, map[Ending]int{EndNotVisible: 1}},
		"the next table of a command, after a moment without": {[]step{
			{active: []*Run{first}},
			{ended: []*Run{ended(first, EndCompleted, false)}},
			{active: []*Run{next}, ended: []*Run{ended(first, EndCompleted, false)}},
			{ended: []*Run{ended(next, EndCompleted, false), ended(first, EndCompleted, false)}},
			{ended: []*Run{ended(next, EndCompleted, false), ended(first, EndCompleted, false)}, done: true},
		}, map[Ending]int{EndCompleted: 2}},
		"until its result shows": {[]step{
			{active: []*Run{first}},
			{ended: []*Run{ended(first, EndNotVisible, true)}},
			{ended: []*Run{ended(first, EndNotVisible, true)}},
			{ended: []*Run{ended(first, EndCompleted, false)}},
			{ended: []*Run{ended(first, EndCompleted, false)}, done: true},
		}, map[Ending]int{EndCompleted: 1}},
		"one that waits for its lock": {[]step{
			{active: []*Run{waiting}},
			{active: []*Run{first}},
			{ended: []*Run{ended(first, EndCompleted, false)}},
			{ended: []*Run{ended(first, EndCompleted, false)}, done: true},
		}, map[Ending]int{EndCompleted: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var chosen Chosen
			for i, s := range c.steps {
				if done := chosen.Step(&Snapshot{At: at(i * 1000), Active: s.active, Ended: s.ended}); done != s.done {
					t.Fatalf("step %d: done %v", i+1, done)
				}
			}
			got := chosen.Endings()
			for how, n := range c.want {
				if got[how] != n || len(got) != len(c.want) || len(chosen.Runs()) == 0 {
					t.Errorf("endings %v, want %v; %d runs", got, c.want, len(chosen.Runs()))
				}
			}
		})
	}
}

// A connection that is lost, and a reading that failed, tell nothing about an end.
func TestWhatIsNotSeenHasNotEnded(t *testing.T) {
	first := namedRun(1, 11, "app", "public", "orders")
	over := []*Run{ended(first, EndLost, false)}
	var chosen Chosen
	chosen.Step(&Snapshot{At: at(0), Active: []*Run{first}})
	for i, s := range []*Snapshot{{}, {At: at(0), Blind: true}, {At: at(0), Link: Link{Lost: true}}, {At: at(5000), Ended: over}} {
		if chosen.Step(s) {
			t.Errorf("done at %d", i)
		}
	}
	if !chosen.Step(&Snapshot{At: at(6000), Ended: over}) || chosen.Endings()[EndLost] != 1 {
		t.Errorf("endings %v", chosen.Endings())
	}
}

// What is kept of a command over very many tables is bounded.
func TestChosenKeepsTheLatestRunsAndCountsAll(t *testing.T) {
	var chosen Chosen
	var over []*Run
	chosen.Step(&Snapshot{At: at(0), Active: []*Run{namedRun(1, 1, "app", "public", "t")}})
	for i := range 3 * maxChosen {
		over = append([]*Run{ended(namedRun(1, uint32(i+1), "app", "public", "t"), EndCompleted, false)}, over...)
		over = over[:min(len(over), 10)]
		chosen.Step(&Snapshot{At: at(i).Add(time.Second), Active: []*Run{namedRun(1, uint32(i+2), "app", "public", "t")}, Ended: over})
	}
	if n := chosen.Endings()[EndCompleted]; n != 3*maxChosen || len(chosen.Runs()) > maxChosen {
		t.Errorf("%d completed, %d kept", n, len(chosen.Runs()))
	}
}

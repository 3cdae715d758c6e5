package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// typeText types letters one by one.
func typeText(a *App, t string) {
	for _, r := range t {
		press(a, string(r))
	}
}

// listedTables are the tables of the rows in the vacuums pane.
func listedTables(a *App) []string {
	var out []string
	for _, r := range a.panes[paneVacuums].content.(*vacuums).runs {
		out = append(out, string(r.Table.Or("")))
	}
	return out
}

// Every field that is promised is searched, in any case.
func TestFilterFindsRunsByWhatStandsInTheirRow(t *testing.T) {
	s := manySnapshot()
	odd := parallelRun()
	odd.Database, odd.Key.PID = "Warehouse", 777123
	s.Active = append(s.Active, odd)
	s.Server.Database = "app"
	for _, sought := range []string{"LARGE_TBL", "ware", "777123", "dba", "vacuuming ind", "453223", "public.large"} {
		a := screen(s)
		press(a, "/")
		typeText(a, sought)
		if got := listedTables(a); !slices.Equal(got, []string{"large_tbl"}) {
			t.Errorf("%q lists %q", sought, got)
		}
		if lineWith(a, "1 of 17 match: "+sought) == "" {
			t.Errorf("%q: the frame does not say how many match:\n%s", sought, a.View())
		}
	}
}

func TestFilterHasTheKeysWhileItIsTyped(t *testing.T) {
	a := screen(manySnapshot())
	press(a, "/")
	typeText(a, "q")
	if _, cmd := a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("z ?")}); isQuit(cmd) {
		t.Fatal("a letter in the filter is a key")
	}
	if lineWith(a, "/ qz ?"+glyphCursor) == "" || a.zoomed || a.help || a.paused {
		t.Errorf("typed q, z, space and ?:\n%s", a.View())
	}
	if _, cmd := a.Update(tea.KeyMsg{Type: tea.KeyCtrlC}); !isQuit(cmd) {
		t.Error("ctrl-c does not quit while the filter is typed")
	}
}

func TestFilterStaysVisibleUntilEscClearsIt(t *testing.T) {
	a := screen(manySnapshot())
	press(a, "/")
	typeText(a, "2026_07")
	press(a, "enter")
	if lineWith(a, "Vacuums", "1 of 16 match: 2026_07") == "" || lineWith(a, "tab pane", "q quit") == "" {
		t.Errorf("a filter that was kept:\n%s", a.View())
	}
	s := manySnapshot()
	s.Seq++
	a.Update(SnapshotMsg{s})
	if got := listedTables(a); len(got) != 1 {
		t.Errorf("the next snapshot lists %q", got)
	}
	press(a, "esc")
	if got := listedTables(a); len(got) != 16 || lineWith(a, "match:") != "" {
		t.Errorf("esc leaves %q:\n%s", got, a.View())
	}
	press(a, "/")
	typeText(a, "2026_07")
	press(a, "esc")
	if got := listedTables(a); len(got) != 16 {
		t.Errorf("esc at the prompt leaves %q", got)
	}
}

// A filter that hides all that runs does not make the screen say that nothing runs.
func TestFilterNeverHidesThatSomethingRuns(t *testing.T) {
	a := screen(manySnapshot())
	press(a, "/")
	typeText(a, "nothing is called like this")
	if lineWith(a, "16 running vacuums hidden by the filter") == "" || strings.Contains(strings.ToLower(a.View()), "no vacuum is running") {
		t.Errorf("all are hidden:\n%s", a.View())
	}
	if lineWith(a, "20 sessions wait, hidden by the filter") == "" || lineWith(a, "no one waits") != "" {
		t.Errorf("all waits are hidden:\n%s", a.View())
	}
}

func TestFilterHoldsForLockWaits(t *testing.T) {
	a := screen(manySnapshot())
	press(a, "/")
	typeText(a, "470004")
	if lineWith(a, "Lock waits", "1 of 20 match: 470004") == "" || lineWith(a, "now", "470004") == "" || lineWith(a, "now", "470005") != "" {
		t.Errorf("one waiter by its pid:\n%s", a.View())
	}
}

// The selection is a run, not a place in the list: not filter nor order move it.
func TestSelectionStaysThroughFilterAndOrder(t *testing.T) {
	a := screen(manySnapshot())
	press(a, "j", "j", "j")
	chosen := a.run.Key
	for range orders {
		press(a, "o")
		if a.run.Key != chosen || lineWith(a, glyphSelected, "orders_2026_04") == "" {
			t.Fatalf("sorted %s the selection is %v:\n%s", a.narrowing.order, a.run.Key, a.View())
		}
	}
	press(a, "/")
	typeText(a, "2026_09")
	if lineWith(a, glyphSelected, "orders_2026_09") == "" {
		t.Errorf("a row in sight is selected while the chosen one is hidden:\n%s", a.View())
	}
	press(a, "esc")
	if a.run.Key != chosen {
		t.Errorf("after the filter the selection is %v, was %v", a.run.Key, chosen)
	}
}

func TestOrders(t *testing.T) {
	s := emptySnapshot()
	for i, name := range []model.Text{"b", "c", "a", "unknown"} {
		r := autovacuumRun()
		r.Key.PID, r.Table = int32(100+i), model.Some(name)
		s.Active = append(s.Active, r)
	}
	left := func(i int, seconds int) {
		high := time.Duration(seconds) * time.Second
		s.Active[i].Left.Range = model.Some(model.Range{Low: high / 2, High: high})
	}
	left(0, 10)
	left(1, 30)
	left(2, 20)
	s.Active[3].Left = model.Left{}
	for i, done := range []model.Ratio{0.5, 0.1, 0.9} {
		s.Active[i].Left.Done = model.Some(done)
	}
	for i, slept := range []int{600, 1200, 900} {
		s.Active[i].Phases[0].Delay = model.Delay{Sampled: model.Some(time.Duration(slept) * time.Second)}
	}
	s.Active[3].Phases = nil
	w := waiter(900, 5*time.Second, "AccessExclusiveLock", "ALTER TABLE c", vacuumBlocker(102, "autovacuum worker"))
	s.LockWaits = []model.LockWait{w}
	a := screen(s)
	for _, want := range []struct {
		frame  string
		tables []string
	}{
		{"oldest first", []string{"b", "c", "a", "unknown"}},
		{"most waited for first", []string{"a", "b", "c", "unknown"}},
		{"most delayed first", []string{"c", "a", "b", "unknown"}},
		{"most left first", []string{"c", "a", "b", "unknown"}},
		{"least progress first", []string{"c", "b", "a", "unknown"}},
		{"by table", []string{"a", "b", "c", "unknown"}},
		{"oldest first", []string{"b", "c", "a", "unknown"}},
	} {
		if got := listedTables(a); !slices.Equal(got, want.tables) || lineWith(a, "Vacuums", want.frame) == "" {
			t.Errorf("%s: %q:\n%s", want.frame, got, a.View())
		}
		press(a, "o")
	}
}

// Letters that arrive together are typed one after the other, also where the first
// opens the filter; a paste is one line of text.
func TestFilterTakesWhatArrivesTogether(t *testing.T) {
	a := screen(manySnapshot())
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/q2026_0")})
	press(a, "home")
	a.Update(tea.KeyMsg{Type: tea.KeyDelete})
	press(a, "end")
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("7\x1b[31m\n"), Paste: true})
	if got := a.narrowing.filter.text; got != "2026_07[31m " {
		t.Errorf("the filter is %q", got)
	}
	checkFrame(t, a.View(), 120, 40)
}

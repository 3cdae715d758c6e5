package tui

import (
	"slices"
	"strings"
	"testing"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// v vacuums the table under the cursor, and analyzes it too where that is due.
func TestTheTableUnderTheCursorIsVacuumed(t *testing.T) {
	f := serverOfActions()
	a := acted(New(Options{}), f, 120, 40, queueSnapshot())
	act(a, "N", "j", "v")
	d, is := a.dialog.(*planDialog)
	if !is || d.plan.Table != "orders" || d.plan.Schema.Or("") != "public" || !d.plan.Analyze {
		t.Fatalf("%#v", a.dialog)
	}
	act(a, "esc", "j", "v")
	if d, is = a.dialog.(*planDialog); !is || d.plan.Table != "pg_toast_16601" || d.plan.Schema.Or("") != "pg_toast" || d.plan.Analyze {
		t.Errorf("%#v", a.dialog)
	}
}

// The cursor stays with its table when the order changes, and goes on to the ages.
func TestTheCursorOfTheQueueStaysWithItsTable(t *testing.T) {
	a := screen(queueSnapshot())
	press(a, "N", "j")
	s := queueSnapshot()
	slices.Reverse(s.Queue.Tables)
	a.Update(SnapshotMsg{s})
	if lineWith(a, glyphSelected, "public.orders", "locked by 460112") == "" {
		t.Errorf("%s", a.View())
	}
	resize(a, 80, 24)
	press(a, "G")
	if lineWith(a, "public.staging", "20,597,883") == "" {
		t.Errorf("the end is\n%s", a.View())
	}
	press(a, "g")
	if lineWith(a, glyphSelected, "public.sessions") == "" {
		t.Errorf("the top is\n%s", a.View())
	}
}

func TestAStandbyHasNothingNext(t *testing.T) {
	a := screen(standbySnapshot())
	press(a, "N")
	if a.page != nil || lineWith(a, "autovacuum works on its primary") == "" {
		t.Errorf("%s", a.View())
	}
}

// Nobody is ended before it was asked for twice, nor whoever changed in between.
func TestAHolderIsEndedWhenAskedTwice(t *testing.T) {
	f := serverOfActions()
	a := acted(New(Options{}), f, 120, 40, endSnapshot())
	act(a, "H", "enter")
	if a.dialog != nil || len(f.asked) > 0 {
		t.Fatalf("to leave all of them: %v", f.asked)
	}
	act(a, "H", "j", "enter", "j", "k", "enter")
	changed := endSnapshot()
	changed.Horizon.Holders[0].Since = model.Some(ago(0))
	answer(a, func() tea.Cmd { _, cmd := a.Update(SnapshotMsg{changed}); return cmd }())
	act(a, "enter")
	if slices.Contains(f.asked, "end pid 460100") {
		t.Fatalf("ended after one enter, or in another transaction: %v", f.asked)
	}
	act(a, "enter")
	if !slices.Contains(f.asked, "end pid 460100") || a.dialog != nil || !strings.Contains(a.View(), "pid 460100 is gone") {
		t.Errorf("%v\n%s", f.asked, a.View())
	}
}

// Who cannot be ended from here is not, however often enter is pressed.
func TestWhoCannotBeEndedIsNot(t *testing.T) {
	f := serverOfActions()
	a := acted(New(Options{}), f, 120, 40, endSnapshot())
	act(a, "H", "G", "enter", "enter", "enter")
	f.readOnly = true
	act(a, "esc", "H", "j", "enter", "enter")
	if len(f.asked) > 0 {
		t.Errorf("%v", f.asked)
	}
}

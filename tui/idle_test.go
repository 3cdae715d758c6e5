package tui

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

func TestIdleScreenTellsTheLastVacuums(t *testing.T) {
	a := screen(idleSnapshot())
	for _, row := range [][]string{
		{"┃ No vacuum is running in sight."},
		{"The last one in this database: autovacuum of public.orders, 3:12 ago."},
		{"last vacuums", "mean time"},
		{"public.orders", "03-02 12:11:31", "3:12", "autovacuum", "1,204", "41.0 s"},
		{"public.large_tbl", "4:00:00", "manual", "3", "23:40"},
	} {
		if lineWith(a, row...) == "" {
			t.Errorf("no line has %q:\n%s", row, a.View())
		}
	}
}

// How long they took is not there before 18: a dash and why, not zero.
func TestIdleScreenSaysWhyThereAreNoTimes(t *testing.T) {
	a := screen(idleOn16Snapshot())
	if lineWith(a, "public.orders", "1,204", model.Absent) == "" || lineWith(a, "keeps it from version 18 on") == "" {
		t.Errorf("%s", a.View())
	}
}

// A run that was watched stands there with its own time, once.
func TestIdleScreenPrefersWhatWasSeen(t *testing.T) {
	s := idleSnapshot()
	s.Ended = endedSnapshot().Ended[:1]
	s.LastVacuums[0].RelID = s.Ended[0].Key.RelID
	s.LastVacuums[0].Auto.Last = model.Some(s.Ended[0].End.At.Add(-time.Second))
	s.LastVacuums[0].Schema, s.LastVacuums[0].Name = "public", "seen_itself"
	a := screen(s)
	press(a, "z")
	if lineWith(a, "public.large_tbl", "ended", "11:40") == "" || lineWith(a, "seen_itself") != "" || lineWith(a, "order lines", "1 d 02:00") == "" {
		t.Errorf("%s", a.View())
	}
}

func TestIdleScreenWakes(t *testing.T) {
	a := screen(idleSnapshot())
	s := parallelSnapshot()
	s.LastVacuums = idleSnapshot().LastVacuums
	a.Update(SnapshotMsg{s})
	if lineWith(a, "last vacuums") != "" || lineWith(a, "Processes") == "" || lineWith(a, "9/21 idx") == "" {
		t.Errorf("%s", a.View())
	}
}

func TestIdleListObeysTheFilter(t *testing.T) {
	a := screen(idleSnapshot())
	press(a, "/")
	typeText(a, "order")
	if lineWith(a, "public.orders", "3:12") == "" || lineWith(a, "pg_class") != "" || lineWith(a, "Vacuums", "2 of 4 match: order") == "" {
		t.Errorf("%s", a.View())
	}
}

// A standby vacuums nothing: that is said before a table was chosen, not after.
func TestNoVacuumIsOfferedOnAStandby(t *testing.T) {
	a := acted(New(Options{}), serverOfActions(), 120, 40, standbySnapshot())
	act(a, "v")
	if a.dialog != nil || !strings.Contains(a.View(), "this server is a standby: VACUUM runs on its primary") {
		t.Errorf("%s", a.View())
	}
}

package tui

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// lockScreen has the focus on the lock waits.
func lockScreen(s *model.Snapshot, w, h int) *App {
	a := screen(s)
	resize(a, w, h)
	press(a, "shift+tab")
	return a
}

var frameSizes = [][2]int{{80, 24}, {120, 40}, {200, 60}}

// Who waits behind whom is to be seen at every size.
func TestWaitersStandUnderWhomTheyWaitFor(t *testing.T) {
	for _, size := range frameSizes {
		a, branch := lockScreen(chainSnapshot(), size[0], size[1]), "└ "
		if size[0] == 80 {
			branch = "└"
		}
		for _, words := range [][]string{{"460112", "ALTER", "large_tbl", "◂ 452996 this vacuum"}, {"  " + branch + "460201", "SELECT", "◂ 460112 waits too"}} {
			if lineWith(a, words...) == "" {
				t.Errorf("%v: no line with %q:\n%s", size, words, a.View())
			}
		}
		press(a, "j", "j")
		if lineWith(a, glyphSelected, "    "+branch+"460333", "◂ 460201 waits too +2") == "" {
			t.Errorf("%v: the third in the chain:\n%s", size, a.View())
		}
	}
}

func TestBlockersSayWhoTheyAre(t *testing.T) {
	for _, c := range []struct {
		name     string
		snapshot *model.Snapshot
		narrow   string // at 80 x 24
		wide     string
	}{
		{"gives way soon", givesWaySnapshot(), "◂ 451007 gives way 0.6 s", "◂ 451007 autovacuum, gives way in 0.6 s"},
		{"gives way now", givesWaySnapshot(), "◂ 451007 gives way now", "◂ 451007 autovacuum, gives way now"},
		{"wraparound", wraparoundSnapshot(), "◂ 451007 never gives way", "◂ 451007 autovacuum to prevent wraparound: does not give way"},
		{"prepared", preparedSnapshot(), "◂ prepared xact +2", "◂ prepared transaction +2 more"},
		{"idle", waitingSnapshot(), "◂ 460001 idle in xact +1", "◂ 460001 idle in transaction 3:12, app's last statement UPDATE large_tbl"},
		{"active", preparedSnapshot(), "◂ prepared", "◂ 460002 active 20.0 s, its statement SELECT pg_sleep(100)"},
		{"masked", preparedSnapshot(), "◂ prepared", "◂ 460003 of role other"},
	} {
		if a := lockScreen(c.snapshot, 80, 24); lineWith(a, c.narrow) == "" {
			t.Errorf("%s: no %q:\n%s", c.name, c.narrow, a.View())
		}
		if a := lockScreen(c.snapshot, 200, 60); lineWith(a, c.wide) == "" {
			t.Errorf("%s: no %q:\n%s", c.name, c.wide, a.View())
		}
	}
}

// Of an autovacuum that is selected, it is this vacuum that gives way.
func TestTheSelectedAutovacuumGivesWay(t *testing.T) {
	s := givesWaySnapshot()
	s.Active = s.Active[:1]
	if a := lockScreen(s, 200, 60); lineWith(a, "◂ 451007 this vacuum, gives way in 0.6 s") == "" {
		t.Errorf("%s", a.View())
	}
}

func TestWaitsThatAreOverStayBelow(t *testing.T) {
	for _, size := range frameSizes {
		a := lockScreen(chainSnapshot(), size[0], size[1])
		press(a, "G", "k")
		if lineWith(a, glyphSelected+" 12:09", "≥3.1 s", "459980", "large_tbl", "this vacuum") == "" || lineWith(a, "4 now", "2 ended") == "" {
			t.Errorf("%v:\n%s", size, a.View())
		}
		press(a, "G")
		if lineWith(a, glyphSelected+" 12:09", "459981", "◂ 459980 waited too") == "" {
			t.Errorf("%v, one that waited behind it:\n%s", size, a.View())
		}
		a = lockScreen(pastSnapshot(), size[0], size[1])
		if lineWith(a, "no one waits") == "" || lineWith(a, "14 ended") == "" || lineWith(a, "12:14", "≥700 ms") == "" {
			t.Errorf("%v, only past waits:\n%s", size, a.View())
		}
	}
}

// How long a wait lasted after it was last seen is not made up.
func TestAWaitThatWasSeenOnceHasNoDuration(t *testing.T) {
	s := pastSnapshot()
	w := &s.PastWaits[0]
	w.SeenFor, w.From = 0, w.Ended.Or(s.At).Add(-time.Second)
	w.BlockedBy = []int32{470000}
	w.Blockers = []model.Blocker{{PID: 470000, State: model.Some[model.Text]("active"), XactStart: model.Some(w.From.Add(-300 * time.Millisecond))}}
	for _, size := range frameSizes {
		a := lockScreen(s, size[0], size[1])
		if lineWith(a, "12:14", "once", "459980") == "" {
			t.Errorf("%v:\n%s", size, a.View())
		}
		if size[0] == 200 && lineWith(a, "459980", "active 300 ms", "ended") == "" {
			t.Errorf("its blocker, as of then:\n%s", a.View())
		}
	}
}

// A pid that is a vacuum's again later was another one in the log.
func TestAnEarlierVacuumIsNotThisOne(t *testing.T) {
	a := lockScreen(pastSnapshot(), 120, 40)
	press(a, "j", "j")
	if lineWith(a, glyphSelected+" 11:42", "◂ 452996 a vacuum", "ended") == "" {
		t.Errorf("a wait before the vacuum began:\n%s", a.View())
	}
}

// From any pane, one key shows all waits, and those around vacuums again.
func TestAllLockWaits(t *testing.T) {
	for _, pane := range []string{"esc", "tab", "shift+tab"} {
		a := screen(chainSnapshot())
		resize(a, 200, 60)
		press(a, pane)
		if lineWith(a, "LOCK TABLE other") != "" || lineWith(a, "Lock waits around vacuums", "1 elsewhere") == "" {
			t.Fatalf("at first:\n%s", a.View())
		}
		press(a, "a")
		if lineWith(a, "460400", "LOCK TABLE other", "idle in transaction") == "" || lineWith(a, "All lock waits", "5 now") == "" {
			t.Errorf("all:\n%s", a.View())
		}
		press(a, "a")
		if lineWith(a, "LOCK TABLE other") != "" {
			t.Errorf("and back:\n%s", a.View())
		}
	}
}

func TestNoOneWaits(t *testing.T) {
	s := chainSnapshot()
	s.PastWaits, s.LockWaits = nil, s.LockWaits[2:3]
	if a := lockScreen(s, 80, 24); lineWith(a, "no one waits around a vacuum; 1 session waits for locks") == "" {
		t.Errorf("one elsewhere:\n%s", a.View())
	}
	s.LockWaits = nil
	if a := lockScreen(s, 80, 24); lineWith(a, "no one waits  ") == "" || lineWith(a, "blocked by") != "" {
		t.Errorf("none at all:\n%s", a.View())
	}
}

// What was not read yet is no zero.
func TestAFreshWaitIsNotReadYet(t *testing.T) {
	a := lockScreen(chainSnapshot(), 200, 60)
	if lineWith(a, "460350", ellipsis, "not read yet") == "" || lineWith(a, "0 ms") != lineWith(a, "900 ms") {
		t.Errorf("%s", a.View())
	}
}

// The cursor stays on its wait while others come and go, and when it ends.
func TestTheCursorStaysOnItsWait(t *testing.T) {
	a := lockScreen(crowdSnapshot(), 120, 40)
	press(a, "j", "j")
	s := crowdSnapshot()
	s.LockWaits = append(s.LockWaits[:1:1], s.LockWaits[2:]...)
	a.Update(SnapshotMsg{s})
	if lineWith(a, glyphSelected, "461001") == "" {
		t.Errorf("after the row above went:\n%s", a.View())
	}
	press(a, "G")
	if lineWith(a, glyphSelected, "459967") == "" {
		t.Errorf("the last of 513:\n%s", a.View())
	}
	longer := crowdSnapshot()
	longer.PastWaits = append([]model.LockWait{over(waiter(1, time.Second, "ShareLock", "x"), time.Second)}, longer.PastWaits...)
	a.Update(SnapshotMsg{longer})
	if lineWith(a, glyphSelected, "459967") == "" {
		t.Errorf("after another wait ended:\n%s", a.View())
	}
}

// A range that ends with the memory, not with the phase, is marked at every width.
func TestTimeUntilTheMemoryIsFullIsMarked(t *testing.T) {
	v, r := &vacuums{snap: emptySnapshot()}, autovacuumRun()
	r.Left.UntilFull = true
	for w := leastLeft; w < 16; w++ {
		if l := v.left(r, w); l.width() > w || l[len(l)-1].text != glyphUntilFull {
			t.Errorf("%d cells: %q", w, l)
		}
	}
	a := screen(parallelSnapshot())
	if strings.Contains(a.View(), glyphUntilFull) {
		t.Errorf("marked without reason:\n%s", a.View())
	}
}

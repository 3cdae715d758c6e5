package tui

import (
	"fmt"
	"strings"
	"testing"

	"example.com/vacscope/model"
)

// What runs is never scrolled out of sight by what has ended.
func TestRunningVacuumsStayInSight(t *testing.T) {
	a := screen(roundsSnapshot())
	resize(a, 80, 24)
	for range len(roundsSnapshot().Ended) {
		press(a, "j")
		if lineWith(a, "large_tbl", "9/21 idx") == "" || lineWith(a, glyphSelected, "ended") == "" {
			t.Fatalf("the running vacuum or the selected one is not in sight:\n%s", a.View())
		}
	}
	if lineWith(a, "Vacuums", "ended 5–6 of 6") == "" {
		t.Errorf("the title does not say which are in sight:\n%s", a.View())
	}
}

// Where even those that run are too many, both parts scroll, and the title counts both.
func TestTooManyRunningVacuumsScroll(t *testing.T) {
	s := manySnapshot()
	s.Ended = endedSnapshot().Ended
	a := screen(s)
	resize(a, 80, 24)
	press(a, "G")
	if lineWith(a, glyphSelected, "orders", "lost") == "" || lineWith(a, "Vacuums", "15–16 of 16 · ended 2 of 2") == "" {
		t.Errorf("at the last row:\n%s", a.View())
	}
	press(a, "g")
	if lineWith(a, glyphSelected, "orders_2026_01") == "" || lineWith(a, "1–3 of 16 · ended none of 2") == "" {
		t.Errorf("at the first row:\n%s", a.View())
	}
}

func TestBackToWhatRuns(t *testing.T) {
	for _, key := range []string{"esc", "g"} {
		a := screen(endedSnapshot())
		press(a, "j") // the second that has ended
		next := endedSnapshot()
		next.Active = []*model.Run{autovacuumRun()}
		next.Active[0].Key.PID++
		a.Update(SnapshotMsg{next})
		if lineWith(a, glyphSelected, "orders", "lost") == "" {
			t.Fatalf("the chosen run lost the selection to one that began:\n%s", a.View())
		}
		if lineWith(a, "esc to what runs") == "" {
			t.Errorf("the footer does not tell the way back:\n%s", a.View())
		}
		press(a, key)
		if lineWith(a, glyphSelected, "orders", "scanning heap") == "" {
			t.Fatalf("%s does not go to the running vacuum:\n%s", key, a.View())
		}
		later := parallelSnapshot()
		later.Active = later.Active[:1]
		a.Update(SnapshotMsg{later})
		if lineWith(a, glyphSelected, "large_tbl", "9/21 idx") == "" || lineWith(a, "esc to what runs") != "" {
			t.Errorf("after %s the next vacuum is not followed:\n%s", key, a.View())
		}
	}
}

// esc undoes one thing at a time.
func TestBackEndsZoomBeforeTheChoice(t *testing.T) {
	a := screen(roundsSnapshot())
	press(a, "j", "z", "esc")
	if lineWith(a, glyphSelected, "ended") == "" {
		t.Errorf("esc ends zoom and the choice at once:\n%s", a.View())
	}
	press(a, "esc")
	if lineWith(a, glyphSelected, "9/21 idx") == "" {
		t.Errorf("the second esc does not follow:\n%s", a.View())
	}
}

func TestFollowingTakesTheNewestVacuum(t *testing.T) {
	s := parallelSnapshot() // large_tbl began after orders
	s.Active[0], s.Active[1] = s.Active[1], s.Active[0]
	if a := screen(s); lineWith(a, glyphSelected, "large_tbl") == "" {
		t.Errorf("selected:\n%s", a.View())
	}
}

// Commands that write the table anew are told from VACUUM at every size, their
// phases and workers are shown.
func TestRewritesAreRecognized(t *testing.T) {
	for _, size := range [][2]int{{80, 40}, {120, 40}, {200, 60}} {
		a := screen(rewriteSnapshot())
		resize(a, size[0], size[1])
		for _, words := range [][]string{{"large_tbl", "FULL", "rebuilding index"}, {"CLUSTER", "rebuilding index"}, {"public.t", "REPACK"}} {
			if lineWith(a, words...) == "" {
				t.Errorf("%v: no line with %q:\n%s", size, words, a.View())
			}
		}
	}
	if a := screen(rewriteSnapshot()); !strings.HasSuffix(strings.TrimRight(lineWith(a, "FULL", "rebuilding"), " ║"), " 1") {
		t.Errorf("the worker at work is not counted:\n%s", a.View())
	}
}

func TestAnalyzeIsNamedWithItsProgress(t *testing.T) {
	a := screen(rewriteSnapshot())
	if lineWith(a, "ANALYZE public.events: acquiring sample rows 45 % (13,500 of 30,000 pages)") == "" {
		t.Errorf("the ANALYZE:\n%s", a.View())
	}
	s := rewriteSnapshot()
	s.Analyzes[0].Table, s.Analyzes[0].Database = model.None[model.Text](), "other"
	s.Analyzes = append(s.Analyzes, s.Analyzes[0])
	if a := screen(s); lineWith(a, "2 ANALYZEs run: relation 16800 in other: acquiring sample rows") == "" {
		t.Errorf("ANALYZEs of tables without a name:\n%s", a.View())
	}
}

// How a run ended is said whole at every width.
func TestEndingsAreNotCut(t *testing.T) {
	v := &vacuums{snap: endedSnapshot()}
	for w := counterWidth; w < 40; w++ {
		for _, r := range v.snap.Ended {
			if l := v.progress(r, w); l.width() > w || l.width() == 0 {
				t.Errorf("%s in %d cells: %q", r.End.How, w, l)
			}
		}
	}
}

// Both profiles stand side by side where there is room.
func TestWideScreensShowBothProfiles(t *testing.T) {
	a := screen(parallelSnapshot())
	resize(a, 200, 60)
	if lineWith(a, "≈% of phase", "≈% of run") == "" {
		t.Errorf("200x60:\n%s", a.View())
	}
	s := parallelSnapshot()
	s.Active[0].Schema, s.Active[0].Table, s.Active[0].Database = model.None[model.Text](), model.None[model.Text](), "another_database_of_this_server"
	a.Update(SnapshotMsg{s})
	if lineWith(a, "relation 16500 in another_database_of_this_server") == "" {
		t.Errorf("a table of another database:\n%s", a.View())
	}
}

func TestElapsedHasAPlaceAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 40}, {200, 60}} {
		a := screen(parallelSnapshot())
		resize(a, size[0], size[1])
		if lineWith(a, "elapsed") == "" || lineWith(a, "11:47") == "" {
			t.Errorf("%s:\n%s", fmt.Sprint(size), a.View())
		}
	}
}

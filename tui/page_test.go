package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// pageText is the whole page on a screen that is high enough for it.
func pageText(s *model.Snapshot, w int) string {
	a := screen(s)
	resize(a, w, 300)
	press(a, "enter")
	return a.View()
}

func TestEnterOpensThePageAndEscLeavesIt(t *testing.T) {
	a := screen(pageParallelSnapshot())
	before := a.View()
	press(a, "enter")
	if lineWith(a, "Distance to the edge") == "" && lineWith(a, "Process") == "" || lineWith(a, "Lock waits") != "" {
		t.Fatalf("not a page:\n%s", a.View())
	}
	press(a, "?", "esc")
	if lineWith(a, "Statement") == "" {
		t.Error("esc closed more than the help")
	}
	press(a, "esc")
	if strings.ReplaceAll(a.View(), "\n", "") == "" || a.page != nil || len(a.View()) != len(before) {
		t.Errorf("back is\n%s\nbefore it was\n%s", a.View(), before)
	}
}

func TestPageScrollsWithinItsText(t *testing.T) {
	a := screen(pageParallelSnapshot())
	press(a, "enter", "k")
	top := a.View()
	press(a, "G")
	end := a.View()
	if !strings.Contains(end, "started_by") || strings.Contains(end, "VACUUM (PARALLEL 8)") {
		t.Errorf("the end is\n%s", end)
	}
	press(a, "j")
	if a.View() != end {
		t.Error("scrolled past the end")
	}
	press(a, "k", "k")
	if a.View() == end {
		t.Error("up does not scroll back")
	}
	press(a, "g")
	if a.View() != top {
		t.Errorf("the top is\n%s", a.View())
	}
}

// A page is about its run until it is left: it shows what comes, the run's end, and
// the last that was known when the run is no longer listed.
func TestPageStaysWithItsRun(t *testing.T) {
	s := pageParallelSnapshot()
	a := screen(s)
	press(a, "enter")
	later := pageParallelSnapshot()
	later.Now = later.Now.Add(time.Second)
	later.Active[0].Phases[1].Moved.To = 17
	a.Update(SnapshotMsg{later})
	if lineWith(a, "vacuuming indexes", "17 of 21") == "" {
		t.Errorf("not up to date:\n%s", a.View())
	}
	ended := pageEndedSnapshot()
	ended.Active = []*model.Run{autovacuumRun()}
	a.Update(SnapshotMsg{ended})
	if lineWith(a, "══", "large_tbl", "completed") == "" {
		t.Errorf("the run has ended:\n%s", a.View())
	}
	gone := emptySnapshot()
	gone.Active = []*model.Run{autovacuumRun()}
	a.Update(SnapshotMsg{gone})
	if lineWith(a, "══", "large_tbl", "no longer listed") == "" || lineWith(a, "VACUUM (PARALLEL 8) large_tbl") == "" {
		t.Errorf("the run is no longer listed:\n%s", a.View())
	}
}

func TestWhatThePanesDoWaitsForThePageToClose(t *testing.T) {
	for _, key := range []string{"tab", "z", "/", "o", "a"} {
		a := screen(pageParallelSnapshot())
		press(a, "enter", key)
		if lineWith(a, "goes back to the panes first") == "" || a.page == nil {
			t.Errorf("after %s:\n%s", key, a.View())
		}
	}
}

func TestEnterWithoutAVacuumSaysWhy(t *testing.T) {
	a := screen(emptySnapshot())
	press(a, "enter")
	if a.page != nil || lineWith(a, "no vacuum is selected") == "" {
		t.Errorf("%s", a.View())
	}
}

// What one copies, the pid and the statement, stands without a frame and unbroken.
func TestStatementCanBeCopied(t *testing.T) {
	for name, statement := range map[string]string{
		"one line":      "VACUUM (PARALLEL 8, VERBOSE) public.large_tbl",
		"lines":         "VACUUM -- nightly\n  (FREEZE)\n  large_tbl;",
		"longer than w": "VACUUM (FREEZE, VERBOSE, INDEX_CLEANUP on) " + strings.Repeat("some_schema.some_table_name, ", 20) + "last_one",
	} {
		t.Run(name, func(t *testing.T) {
			s := pageParallelSnapshot()
			s.Active[0].Statement = model.Some(model.Text(statement))
			_, rest, _ := strings.Cut(pageText(s, 80), "Statement")
			text, _, _ := strings.Cut(rest, "Process")
			var got []string
			for l := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
				if ansi.StringWidth(l) > 80 {
					t.Errorf("a line is too long: %q", l)
				}
				got = append(got, strings.TrimRight(l, " "))
			}
			// Broken at blanks only, it means the same.
			if strings.Join(strings.Fields(strings.Join(got, "\n")), " ") != strings.Join(strings.Fields(statement), " ") {
				t.Errorf("%q\nis shown as\n%q", statement, got)
			}
			for i, row := range strings.Split(statement, "\n") {
				if ansi.StringWidth(row) <= 80 && got[i] != row {
					t.Errorf("line %d is %q, want %q", i, got[i], row)
				}
			}
		})
	}
}

func TestBreakAtBlanks(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "abc": "abc", "abcde fgh": "abcde|fgh", "a b c d e f": "a b c|d e f", "abcdefghij k": "abcdefghij k",
	} {
		if got := strings.Join(breakAtBlanks(text, 5), "|"); got != want {
			t.Errorf("%q in 5 cells is %q, want %q", text, got, want)
		}
	}
}

func TestPageSaysWhatAVersionLacks(t *testing.T) {
	for version, want := range map[int][]string{
		130023: {"delay_time                n/a on 13 (18 brings it)", "mode                      n/a on 13 (19 brings it)", "failsafe", "n/a on 13"},
		160014: {"indexes_total             n/a on 16 (17 brings it)", "num_dead_tuples           1200345"},
		180004: {"num_dead_tuples           n/a on 18 (up to 16)", "started_by                n/a on 18 (19 brings it)"},
	} {
		s := page13Snapshot()
		s.Server.VersionNum = version
		if version > 170000 {
			s = pageParallelSnapshot()
		}
		text := pageText(s, 120)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%d lacks %q:\n%s", version, w, text)
			}
		}
	}
}

// Columns that came after this program are shown under the server's names.
// The catalog's 0 pages of a table that nobody has vacuumed or analyzed are no size.
func TestPageOfATableThatWasNeverMeasured(t *testing.T) {
	never := pageParallelSnapshot()
	never.Active[0].Relation.RelPages, never.Active[0].Relation.RelTuples = 0, model.None[float64]()
	if got := pageText(never, 120); !strings.Contains(got, "– (not vacuumed or analyzed before)") {
		t.Error(got)
	}
	empty := pageParallelSnapshot()
	empty.Active[0].Relation.RelPages, empty.Active[0].Relation.RelTuples = 0, model.Some(0.0)
	if got := pageText(empty, 120); !strings.Contains(got, "0 B, 0 pages as of the last vacuum or analyze") {
		t.Error(got)
	}
	empty.Server.VersionNum = 130023
	if got := pageText(empty, 120); !strings.Contains(got, "– (not vacuumed or analyzed before, or empty then)") {
		t.Error(got)
	}
}

func TestPageShowsUnknownColumns(t *testing.T) {
	text := pageText(page19Snapshot(), 120)
	for _, want := range []string{"eager_pages               128", `\x1b[31mred`, "not known to this program"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestPageOfManyIndexesScrolls(t *testing.T) {
	s := pageParallelSnapshot()
	run := s.Active[0]
	run.Indexes = nil
	for i := range 60 {
		run.Indexes = append(run.Indexes, model.Index{Name: model.Text(fmt.Sprintf("mi_%03d", i+1)), AccessMethod: "btree", RelPages: 200})
	}
	run.Progress.IndexesTotal, run.Progress.IndexesProcessed = model.Some[int64](60), model.Some[int64](17)
	a := screen(s)
	resize(a, 80, 24)
	press(a, "enter")
	seen := map[string]bool{}
	for range 300 {
		for l := range strings.SplitSeq(a.View(), "\n") {
			if name, _, _ := strings.Cut(strings.TrimSpace(l), " "); strings.HasPrefix(name, "mi_") {
				seen[name] = true
			}
		}
		press(a, "j")
	}
	if len(seen) != 60 {
		t.Errorf("%d of 60 indexes can be reached", len(seen))
	}
	if !strings.Contains(pageText(s, 80), "17 of 60 done in this pass") {
		t.Error("the page does not say how many are done")
	}
}

func TestHelpOfThePageFitsATerminal(t *testing.T) {
	a := screen(page19Snapshot())
	resize(a, 80, 90)
	press(a, "enter", "?")
	for _, term := range a.page.content.terms(80) {
		if lineWith(a, term.Name, term.What) == "" {
			t.Errorf("the help lacks %q: %q\n%s", term.Name, term.What, a.View())
		}
	}
}

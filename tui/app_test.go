package tui

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// screen is an App at 120x40 without colours, with a snapshot.
func screen(s *model.Snapshot) *App {
	a := newApp(termenv.Ascii, false)
	resize(a, 120, 40)
	a.Update(SnapshotMsg{s})
	return a
}

// lineWith is the first line of the screen that contains all the words.
func lineWith(a *App, words ...string) string {
next:
	for l := range strings.SplitSeq(a.View(), "\n") {
		for _, w := range words {
			if !strings.Contains(l, w) {
				continue next
			}
		}
		return l
	}
	return ""
}

func isQuit(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		for _, c := range msg {
			if isQuit(c) {
				return true
			}
		}
	}
	return false
}

func TestSelectionStaysOnItsRun(t *testing.T) {
	a := screen(manySnapshot())
	press(a, "j", "j")
	if lineWith(a, glyphSelected, "orders_2026_03") == "" {
		t.Fatalf("two down is not the third run:\n%s", a.View())
	}
	s := manySnapshot()
	s.Active = append(s.Active[5:], s.Active[:5]...)
	a.Update(SnapshotMsg{s})
	if lineWith(a, glyphSelected, "orders_2026_03") == "" {
		t.Errorf("the selection left its run when the list changed:\n%s", a.View())
	}
	s = manySnapshot()
	s.Ended, s.Active = s.Active[2:3], append(s.Active[:2:2], s.Active[3:]...)
	s.Ended[0].State, s.Ended[0].End = model.StateEnded, &model.End{At: ago(time.Second), How: model.EndNotVisible}
	a.Update(SnapshotMsg{s})
	if lineWith(a, glyphSelected, "orders_2026_03", "ended") == "" {
		t.Errorf("the selection left the chosen run when it ended:\n%s", a.View())
	}
}

func TestUnchosenSelectionGoesToTheNextRun(t *testing.T) {
	a := screen(endedSnapshot())
	if lineWith(a, glyphSelected, "large_tbl", "ended") == "" {
		t.Fatalf("with nothing running the last ended run is not selected:\n%s", a.View())
	}
	s := endedSnapshot()
	s.Active = []*model.Run{autovacuumRun()}
	a.Update(SnapshotMsg{s})
	if lineWith(a, glyphSelected, "orders", "scanning heap") == "" {
		t.Errorf("a run that begins is not selected:\n%s", a.View())
	}
}

func TestAfterACommandItsTableIsSelectedAndNotItsTOAST(t *testing.T) {
	s := endedSnapshot()
	toast := *s.Ended[0]
	toast.Key.RelID, toast.ProcessTime = 16503, 15*time.Millisecond
	toast.Table = model.Some[model.Text]("pg_toast_16500")
	s.Ended = append([]*model.Run{&toast}, s.Ended...)
	if a := screen(s); lineWith(a, glyphSelected, "large_tbl") == "" {
		t.Errorf("selected:\n%s", a.View())
	}
}

func TestWaitingRunKeepsTheSelectionWhenItLearnsItsRelation(t *testing.T) {
	s := waitingSnapshot()
	s.Active = append(s.Active, autovacuumRun())
	s.Active[0].Key.RelID = 0
	a := screen(s)
	press(a, "g")
	s = waitingSnapshot()
	s.Active = append([]*model.Run{autovacuumRun()}, s.Active...)
	a.Update(SnapshotMsg{s})
	if lineWith(a, glyphSelected, "waiting for lock") == "" {
		t.Errorf("the waiting run lost the selection:\n%s", a.View())
	}
}

func TestPauseStopsDrawing(t *testing.T) {
	a := screen(parallelSnapshot())
	press(a, " ")
	later := endedSnapshot()
	later.Now = later.Now.Add(time.Minute)
	a.Update(SnapshotMsg{later})
	if lineWith(a, "PAUSED") == "" || lineWith(a, "9/21 idx") == "" || lineWith(a, "PAUSED at 12:14:43") == "" {
		t.Errorf("paused:\n%s", a.View())
	}
	if lineWith(a, "now 12:15:43") == "" {
		t.Errorf("the clock stands while paused:\n%s", a.View())
	}
	press(a, " ")
	if lineWith(a, "PAUSED") != "" || lineWith(a, glyphSelected, "ended") == "" {
		t.Errorf("going on does not show the newest snapshot:\n%s", a.View())
	}
}

func TestHelpIsAboutTheFocusedPane(t *testing.T) {
	a := screen(parallelSnapshot())
	press(a, "?")
	if lineWith(a, "Help: Vacuums") == "" || lineWith(a, "vacuum below") == "" {
		t.Errorf("help:\n%s", a.View())
	}
	press(a, "tab")
	if lineWith(a, "Help: Phases") == "" {
		t.Errorf("help after tab:\n%s", a.View())
	}
	s := parallelSnapshot()
	s.Now = s.Now.Add(time.Second)
	a.Update(SnapshotMsg{s})
	if lineWith(a, "live", "12:14:44") == "" {
		t.Errorf("the screen under the help stands still:\n%s", a.View())
	}
	press(a, "esc")
	if lineWith(a, "Help:") != "" {
		t.Errorf("esc does not close the help:\n%s", a.View())
	}
}

// Whatever a pane shows under a heading, its help says in a line what it is.
func TestHelpExplainsEveryColumn(t *testing.T) {
	const room = 60 // at 80 columns, beside the name
	a := screen(parallelSnapshot())
	resize(a, 120, 60)
	for _, p := range a.panes {
		terms := p.terms(a.widthInFront())
		for _, term := range terms {
			if term.Name == "" || term.What == "" || len([]rune(term.What)) > room {
				t.Errorf("%s: %q is explained by %q", p.title(), term.Name, term.What)
			}
		}
		press(a, "?")
		for _, term := range terms {
			if lineWith(a, term.Name, term.What) == "" {
				t.Errorf("the help on %s lacks %q:\n%s", p.title(), term.Name, a.View())
			}
		}
		press(a, "esc", "tab")
	}
}

func TestHelpScrollsWithinItsBounds(t *testing.T) {
	a := screen(parallelSnapshot())
	resize(a, 80, 20)
	rows := func() (from, to, of int) {
		t.Helper()
		shown := regexp.MustCompile(`Help.* (\d+)–(\d+) of (\d+) `).FindStringSubmatch(a.View())
		if shown == nil {
			t.Fatalf("the help does not say which rows are in sight:\n%s", a.View())
		}
		from, _ = strconv.Atoi(shown[1])
		to, _ = strconv.Atoi(shown[2])
		of, _ = strconv.Atoi(shown[3])
		return from, to, of
	}
	press(a, "?", "G", "j", "j", "k")
	if _, to, of := rows(); to != of {
		t.Errorf("help scrolled to its end: %d of %d", to, of)
	}
	press(a, "g")
	if from, to, _ := rows(); from != 1 || to != 16 {
		t.Errorf("help scrolled back: %d to %d", from, to)
	}
}

func TestReservedKeysDoNothing(t *testing.T) {
	a := screen(parallelSnapshot())
	before := a.View()
	for _, b := range bindings() {
		if b.Enabled() {
			continue
		}
		press(a, b.Keys()...)
		if a.View() != before {
			t.Errorf("%s (%s) changes the screen", b.Help().Key, b.Help().Desc)
		}
	}
}

// Letters that arrive together are keys one after the other.
func TestKeysThatArriveTogether(t *testing.T) {
	a := screen(manySnapshot())
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjkj")})
	if lineWith(a, glyphSelected, "orders_2026_03") == "" {
		t.Errorf("after jjkj:\n%s", a.View())
	}
	if _, cmd := a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jq")}); !isQuit(cmd) {
		t.Error("q after j does not quit")
	}
}

func TestQuit(t *testing.T) {
	for _, k := range []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune("q")}, {Type: tea.KeyCtrlC}} {
		if _, cmd := screen(parallelSnapshot()).Update(k); !isQuit(cmd) {
			t.Errorf("%s does not quit", k)
		}
	}
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q"), Paste: true}
	if _, cmd := screen(parallelSnapshot()).Update(paste); isQuit(cmd) {
		t.Error("a pasted q quits")
	}
	a := screen(parallelSnapshot())
	resize(a, 20, 5)
	if _, cmd := a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")}); !isQuit(cmd) {
		t.Error("q does not quit a terminal that is too small")
	}
}

func TestStreamThatEnds(t *testing.T) {
	failure := errors.New("server closed the connection")
	a := newApp(termenv.Ascii, false)
	if _, cmd := a.Update(FailMsg{failure}); !isQuit(cmd) {
		t.Error("a stream that ends before its first snapshot does not quit")
	}
	a = screen(parallelSnapshot())
	if _, cmd := a.Update(FailMsg{failure}); isQuit(cmd) {
		t.Error("a stream that ends takes the screen with it")
	}
	if lineWith(a, "Watching has ended", failure.Error()) == "" || lineWith(a, "9/21 idx") == "" {
		t.Errorf("after the end of the stream:\n%s", a.View())
	}
	if !errors.Is(a.Err(), failure) {
		t.Errorf("Err() = %v", a.Err())
	}
}

func TestWindowTitleIsSetOnceAndSafe(t *testing.T) {
	a := newApp(termenv.Ascii, false)
	_, cmd := a.Update(SnapshotMsg{parallelSnapshot()})
	if cmd == nil {
		t.Fatal("no title is set")
	}
	if want := "43 % vacuuming indexes, public.large_tbl – vacscope"; a.windowTitle != want {
		t.Errorf("title %q, want %q", a.windowTitle, want)
	}
	if _, cmd := a.Update(SnapshotMsg{parallelSnapshot()}); cmd != nil {
		t.Error("an unchanged title is set again")
	}
	for _, run := range hostileSnapshot().Active {
		s := emptySnapshot()
		s.Active = []*model.Run{run}
		a.Update(SnapshotMsg{s})
		checkControls(t, a.windowTitle)
	}
}

func TestUnchangedSnapshotBuildsNothing(t *testing.T) {
	a := screen(parallelSnapshot())
	first := a.View()
	for _, p := range a.panes {
		p.lines = nil // what would be drawn again would show
	}
	if a.View() != first || a.dirty {
		t.Error("View draws though nothing changed")
	}
	press(a, "0") // a key that does nothing
	if a.dirty {
		t.Error("a key that does nothing makes View draw")
	}
}

func TestNothingIsVacuumedIsNotSaidOfHiddenRuns(t *testing.T) {
	a := screen(hiddenSnapshot())
	if strings.Contains(strings.ToLower(a.View()), "no vacuum is running") {
		t.Errorf("a hidden vacuum runs:\n%s", a.View())
	}
	s := hiddenSnapshot()
	s.Active = append(s.Active, parallelRun())
	a = screen(s)
	if lineWith(a, "1 vacuum runs that this role may not see: GRANT pg_monitor TO app") == "" {
		t.Errorf("one of two vacuums is hidden:\n%s", a.View())
	}
}

func TestClockNamesItsOffset(t *testing.T) {
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for zone, want := range map[*time.Location]string{
		time.UTC: "12:00:00 +00", time.FixedZone("", 19800): "17:30:00 +05:30", time.FixedZone("", -18000): "07:00:00 -05",
	} {
		if got := clock(at.In(zone)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A read that failed is not a server on which nothing runs.
func TestWhatCouldNotBeReadIsNotNothing(t *testing.T) {
	s := emptySnapshot()
	s.Blind = true
	s.Problems = []model.Problem{{Part: "progress and activity", SQLState: "42501", Message: "permission denied for view pg_stat_progress_vacuum"}}
	a := screen(s)
	if strings.Contains(strings.ToLower(a.View()), "no vacuum is running") {
		t.Errorf("says that nothing runs:\n%s", a.View())
	}
	if lineWith(a, "no one waits") != "" || lineWith(a, "who waits could not be read") == "" {
		t.Errorf("says that no one waits:\n%s", a.View())
	}
	if lineWith(a, "cannot be read now") == "" || lineWith(a, "permission denied for view") == "" {
		t.Errorf("does not say why:\n%s", a.View())
	}
}

func TestAStandbySaysWhereVacuumsRun(t *testing.T) {
	s := emptySnapshot()
	s.Server.InRecovery = true
	if a := screen(s); lineWith(a, "VACUUM runs on the primary") == "" {
		t.Errorf("%s", a.View())
	}
}

func TestSuspend(t *testing.T) {
	_, cmd := screen(emptySnapshot()).Update(tea.KeyMsg{Type: tea.KeyCtrlZ})
	if cmd == nil {
		t.Fatal("ctrl-z does nothing")
	}
	for _, msg := range messages(cmd) {
		if _, ok := msg.(tea.SuspendMsg); ok {
			return
		}
	}
	t.Error("ctrl-z does not suspend")
}

// messages runs a command, and those of its batch.
func messages(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	batch, ok := msg.(tea.BatchMsg)
	if !ok {
		return []tea.Msg{msg}
	}
	var out []tea.Msg
	for _, c := range batch {
		out = append(out, messages(c)...)
	}
	return out
}

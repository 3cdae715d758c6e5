package tui

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// onTerminal is an App with a snapshot, and what it writes beside its frames.
func onTerminal(s *model.Snapshot) (*App, *bytes.Buffer) {
	a := newApp(termenv.Ascii, false)
	var out bytes.Buffer
	a.options.Terminal = &out
	resize(a, 120, 40)
	a.Update(SnapshotMsg{s})
	return a, &out
}

// update gives the App a message and does what it asks for.
func update(a *App, msg tea.Msg) []tea.Msg {
	_, cmd := a.Update(msg)
	return messages(cmd)
}

// turn is a snapshot changed.
func turn(change func(s *model.Snapshot)) *model.Snapshot {
	s := parallelSnapshot()
	s.LockWaits = nil
	change(s)
	return s
}

func waitsFor(seconds int) func(s *model.Snapshot) {
	return func(s *model.Snapshot) {
		d := time.Duration(seconds) * time.Second
		s.LockWaits = []model.LockWait{waiter(460112, d, "AccessExclusiveLock", "ALTER TABLE large_tbl", vacuumBlocker(452996, "client backend"))}
	}
}

func inPass(pass int) func(s *model.Snapshot) {
	return func(s *model.Snapshot) { s.Active[0].Phases[1].Pass = pass }
}

func ended(s *model.Snapshot) {
	run := s.Active[0]
	run.State, run.End = model.StateEnded, &model.End{At: s.Now, How: model.EndCompleted}
	s.Active, s.Ended = s.Active[1:], []*model.Run{run}
}

// It rings when something begins, and once.
func TestBellRingsForTransitionsOfTheSelectedRun(t *testing.T) {
	for name, c := range map[string]struct {
		before, after func(s *model.Snapshot)
		says          string // "" when it does not ring
	}{
		"it ends":                       {waitsFor(1), ended, "large_tbl completed after 11:47"},
		"somebody has waited 10 s":      {waitsFor(9), waitsFor(10), "Somebody has waited 10.0 s for public.large_tbl."},
		"somebody waits, not yet 10 s":  {waitsFor(8), waitsFor(9), ""},
		"somebody has waited for long":  {waitsFor(10), waitsFor(11), ""},
		"another pass":                  {inPass(1), inPass(2), "Another index pass of public.large_tbl has begun."},
		"the same pass":                 {inPass(2), inPass(2), ""},
		"another vacuum ends":           {waitsFor(1), func(s *model.Snapshot) { s.Active = s.Active[:1] }, ""},
		"a long wait when it is turned": {waitsFor(60), waitsFor(61), ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, out := onTerminal(turn(c.before))
			press(a, "g", "b")
			if lineWith(a, "bell", "live") == "" {
				t.Errorf("the header does not say that the bell is on:\n%s", a.View())
			}
			update(a, SnapshotMsg{turn(c.after)})
			rang := out.String()
			if (c.says != "") != strings.HasSuffix(rang, "\a\a") || !strings.Contains(rang, c.says) {
				t.Errorf("wrote %q, want one that says %q", rang, c.says)
			}
			update(a, SnapshotMsg{turn(c.after)})
			if again := out.String()[len(rang):]; again != "" {
				t.Errorf("rang again: %q", again)
			}
		})
	}
}

func TestBellIsOffAtStart(t *testing.T) {
	a, out := onTerminal(turn(waitsFor(1)))
	update(a, SnapshotMsg{turn(ended)})
	if out.Len() > 0 {
		t.Errorf("wrote %q", out)
	}
	press(a, "b", "b")
	update(a, SnapshotMsg{turn(waitsFor(1))})
	update(a, SnapshotMsg{turn(ended)})
	if out.Len() > 0 {
		t.Errorf("turned off again it wrote %q", out)
	}
}

// Paused, the screen stands still; the bell does not.
func TestBellRingsWhilePaused(t *testing.T) {
	a, out := onTerminal(turn(waitsFor(1)))
	press(a, "b", " ")
	update(a, SnapshotMsg{turn(waitsFor(12))})
	if !strings.HasSuffix(out.String(), "\a") {
		t.Errorf("wrote %q", out)
	}
}

// What is copied is what a person sees of the run, and what is printed on quitting.
func TestCopyTakesTheSummary(t *testing.T) {
	a, out := onTerminal(parallelSnapshot())
	update(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jy")})
	encoded, ok := strings.CutPrefix(out.String(), "\x1b]52;c;")
	copied, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(encoded, "\a"))
	if !ok || err != nil {
		t.Fatalf("wrote %q: %v", out, err)
	}
	if string(copied) != a.Summary() || !strings.HasPrefix(a.Summary(), "VACUUM of public.orders\n") {
		t.Errorf("copied %q, the summary is %q", copied, a.Summary())
	}
	if lineWith(a, "copied ", " characters; your terminal must allow OSC 52") == "" {
		t.Errorf("nothing says that it was copied:\n%s", a.View())
	}
}

func TestNothingIsCopiedWithoutASelection(t *testing.T) {
	a, out := onTerminal(emptySnapshot())
	update(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y")})
	if out.Len() > 0 || lineWith(a, "y: no vacuum is selected") == "" || a.Summary() != "" {
		t.Errorf("wrote %q:\n%s", out, a.View())
	}
}

// Whatever a name holds, nothing of it acts on the terminal.
func TestWhatLeavesTheScreenIsSafe(t *testing.T) {
	for _, run := range hostileSnapshot().Active {
		s := hostileSnapshot()
		s.Active = []*model.Run{run}
		a, out := onTerminal(s)
		press(a, "b")
		for line := range strings.Lines(a.Summary()) {
			checkControls(t, strings.TrimSuffix(line, "\n"))
			if strings.Contains(line, "\x1b") {
				t.Errorf("an escape in %q", line)
			}
		}
		over := *run
		over.State, over.End = model.StateEnded, &model.End{How: model.EndCompleted}
		after := hostileSnapshot()
		after.Active, after.Ended = nil, []*model.Run{&over}
		update(a, SnapshotMsg{after})
		inside, ok := strings.CutPrefix(out.String(), "\x1b]9;")
		inside, rang := strings.CutSuffix(inside, "\a\a")
		if !ok || !rang || strings.ContainsAny(inside, "\x1b\a\u009c") {
			t.Errorf("the notification is %q", out)
		}
		checkControls(t, inside)
	}
}

package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
)

// fakePlayer answers every move with one snapshot, and keeps what was asked for.
type fakePlayer struct {
	recording bool
	snapshot  *model.Snapshot
	err       error
	moves     []model.Move
	playing   []bool
	faster    []bool
}

func (p *fakePlayer) Recording() bool    { return p.recording }
func (p *fakePlayer) Play(playing bool)  { p.playing = append(p.playing, playing) }
func (p *fakePlayer) Faster(faster bool) { p.faster = append(p.faster, faster) }

func (p *fakePlayer) Move(_ context.Context, m model.Move) (*model.Snapshot, model.Position, error) {
	p.moves = append(p.moves, m)
	return p.snapshot, positionOf(p.snapshot), p.err
}

// positionOf is a place two minutes behind the start of five.
func positionOf(s *model.Snapshot) model.Position {
	if s == nil {
		return model.Position{}
	}
	return model.Position{
		Sample: 120, Samples: 300, At: s.Now, From: s.Now.Add(-2 * time.Minute), To: s.Now.Add(3 * time.Minute),
		Event: "public.large_tbl: vacuuming indexes, pass 2",
	}
}

func appWithPlayer(p *fakePlayer) *App {
	a := newApp(termenv.Ascii, false)
	a.options.Player = p
	resize(a, 120, 40)
	a.Update(SnapshotMsg{parallelSnapshot()})
	return a
}

func TestPausedTheScreenGoesBackInWhatWasSeen(t *testing.T) {
	past := *parallelSnapshot()
	past.Seq, past.Now, past.At = 7, past.Now.Add(-time.Minute), past.At.Add(-time.Minute)
	player := &fakePlayer{snapshot: &past}
	a := appWithPlayer(player)
	act(a, ",")
	if len(player.moves) != 0 || a.snap == &past {
		t.Fatal("it goes back without a pause")
	}
	press(a, " ")
	act(a, ",")
	if want := (model.Move{Samples: -1, Seq: a.latest.Seq}); len(player.moves) != 1 || player.moves[0] != want {
		t.Fatalf("moved by %+v", player.moves)
	}
	if a.snap != &past {
		t.Fatal("the moment before is not drawn")
	}
	act(a, ">")
	if want := (model.Move{Events: 1, From: model.Some(120)}); player.moves[1] != want {
		t.Errorf("moved by %+v", player.moves[1])
	}
	act(a, "]")
	if m := player.moves[2]; m.Phases != 1 || m.Run != a.run.Key {
		t.Errorf("moved by %+v", m)
	}
	a.Update(SnapshotMsg{parallelSnapshot()})
	if a.snap != &past {
		t.Error("the next snapshot is drawn over the past")
	}
	press(a, " ")
	if a.snap != a.latest || a.position != nil {
		t.Error("going on does not show what is now")
	}
}

// Keys that come faster than moments are reached are not lost, and keep their order.
func TestMovesAreMadeOneAfterAnother(t *testing.T) {
	player := &fakePlayer{snapshot: parallelSnapshot()}
	a := appWithPlayer(player)
	press(a, " ")
	_, first := a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(",")})
	for _, key := range []string{">", "."} {
		if _, cmd := a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}); cmd != nil {
			t.Errorf("%s is not waited with", key)
		}
	}
	for cmd := first; cmd != nil; {
		came := messages(cmd)
		cmd = nil
		for _, msg := range came {
			if _, is := msg.(movedMsg); is {
				_, cmd = a.Update(msg)
			}
		}
	}
	at := model.Some(120)
	want := []model.Move{{Samples: -1, Seq: a.latest.Seq}, {Events: 1, From: at}, {Samples: 1, From: at}}
	if !slices.Equal(player.moves, want) {
		t.Errorf("moved by %+v", player.moves)
	}
}

func TestATimeIsGoneTo(t *testing.T) {
	s := parallelSnapshot()
	for typed, want := range map[string]time.Duration{"-30s": -30 * time.Second, "+1m": time.Minute, "0%": -2 * time.Minute, "100%": 3 * time.Minute} {
		player := &fakePlayer{snapshot: s}
		a := appWithPlayer(player)
		press(a, " ")
		act(a, ",")
		press(a, "@")
		for _, r := range typed {
			press(a, string(r))
		}
		act(a, "enter")
		if n := len(player.moves); n != 2 || !player.moves[1].To.Or(time.Time{}).Equal(s.Now.Add(want)) {
			t.Errorf("%s moves by %+v", typed, player.moves)
		}
	}
	player := &fakePlayer{snapshot: s}
	a := appWithPlayer(player)
	press(a, " ", "@", "x")
	if a.Update(tea.KeyMsg{Type: tea.KeyEnter}); len(player.moves) != 0 || !strings.Contains(a.toast.text, "no time: x") {
		t.Errorf("moved by %+v, said %q", player.moves, a.toast.text)
	}
}

// A time that was being typed when somebody wanted to quit, and stayed, is over: the next
// prompt is for what its key says.
func TestAPromptForATimeEndsWithTheQuestionWhetherToQuit(t *testing.T) {
	f := serverOfActions()
	f.stands = []model.Done{{Change: model.Change{Scope: model.ScopeServer, Name: "vacuum_cost_limit"}, Before: model.Stood{Known: true}}}
	a := acted(appWithPlayer(&fakePlayer{snapshot: parallelSnapshot()}), f, 120, 40, parallelSnapshot())
	press(a, " ", "@", "1", "ctrl+c", "esc", "/", "z")
	if a.prompt == nil || a.narrowing.filter.text != "z" {
		t.Errorf("the filter is %q:\n%s", a.narrowing.filter.text, a.View())
	}
}

func TestWhatCannotBeReachedIsSaid(t *testing.T) {
	a := appWithPlayer(&fakePlayer{err: errors.New("the file is gone")})
	press(a, " ")
	act(a, "<")
	if !strings.Contains(ansi.Strip(a.View()), "cannot go there: the file is gone") {
		t.Error(ansi.Strip(a.View()))
	}
}

func TestARecordingIsPlayed(t *testing.T) {
	player := &fakePlayer{recording: true}
	a := newApp(termenv.Ascii, false)
	a.options.Player = player
	at := positionOf(parallelSnapshot())
	at.Recording, at.Playing, at.Speed = true, true, 0.25
	a.Update(PlayedMsg{Snapshot: parallelSnapshot(), Position: at})
	press(a, " ")
	at.Playing = false
	a.Update(PlayedMsg{Snapshot: parallelSnapshot(), Position: at})
	press(a, " ", "+", "-")
	if len(player.playing) != 2 || player.playing[0] || !player.playing[1] || len(player.faster) != 2 || !player.faster[0] || player.faster[1] {
		t.Errorf("playing %v, faster %v", player.playing, player.faster)
	}
}

func TestFramesOfOtherMoments(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {60, 8}} {
		for _, recording := range []bool{false, true} {
			player := &fakePlayer{recording: recording, snapshot: parallelSnapshot()}
			a := appWithPlayer(player)
			resize(a, size[0], size[1])
			at := positionOf(player.snapshot)
			if recording {
				at.Recording, at.Playing, at.Speed, at.Event = true, true, 4, ""
				a.Update(PlayedMsg{Snapshot: player.snapshot, Position: at, Lost: []string{"The file is damaged: 12 kB cannot be read."}})
			} else {
				press(a, " ")
				act(a, ",")
			}
			frame := ansi.Strip(a.View())
			if lines := strings.Split(frame, "\n"); len(lines) != size[1] {
				t.Errorf("%v: %d lines", size, len(lines))
			}
			name := map[bool]string{false: "past", true: "recording"}[recording]
			t.Run(fmt.Sprintf("%s_%dx%d", name, size[0], size[1]), func(t *testing.T) { golden.RequireEqual(t, []byte(frame)) })
		}
	}
}

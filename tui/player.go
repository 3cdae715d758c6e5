package tui

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// Player goes to other moments of what was seen: in a recording, or, while drawing is
// paused, in what is being watched.
type Player interface {
	// Recording tells that it plays a recording: its snapshots come by messages, each
	// with its position.
	Recording() bool
	// Move goes to another moment. It may wait, so it is called from a command. Of a
	// recording the snapshot comes by itself, and is nil here.
	Move(ctx context.Context, m model.Move) (*model.Snapshot, model.Position, error)
	// Play plays the recording, or stops; Faster plays it faster, or slower. They do not
	// block, and do nothing for what is no recording.
	Play(playing bool)
	Faster(faster bool)
}

// movedMsg brings the moment that was moved to.
type movedMsg struct {
	snapshot *model.Snapshot
	position model.Position
	err      error
}

// replays tells that a recording is shown.
func (a *App) replays() bool { return a.options.Player != nil && a.options.Player.Recording() }

// seeks tells that the keys for going back and on have their meaning.
func (a *App) seeks() bool { return a.paused || a.replays() }

// move goes to another moment, once those that were asked for before are reached: it
// starts from the last of them.
func (a *App) move(m model.Move) tea.Cmd {
	if a.moves = append(a.moves, m); len(a.moves) > 1 {
		return nil
	}
	return a.nextMove()
}

// nextMove starts the first of the moves that were asked for; nil where none is left.
func (a *App) nextMove() tea.Cmd {
	if len(a.moves) == 0 {
		return nil
	}
	m := a.moves[0]
	if a.position != nil {
		m.From = model.Some(a.position.Sample)
	} else if a.snap != nil {
		m.Seq = a.snap.Seq
	}
	player := a.options.Player
	return func() tea.Msg {
		snapshot, position, err := player.Move(context.Background(), m)
		return movedMsg{snapshot, position, err}
	}
}

// moved draws the moment that was moved to, unless drawing goes on again, and starts the
// next move.
func (a *App) moved(msg movedMsg) tea.Cmd {
	a.moves = a.moves[1:]
	switch {
	case msg.err != nil:
		a.say("cannot go there: " + oneLine(model.Text(msg.err.Error())))
	case msg.snapshot != nil && a.paused:
		a.position, a.dirty = &msg.position, true
		a.show(msg.snapshot)
	}
	return a.nextMove()
}

// seek does what a key for going back and on asks for.
func (a *App) seek(act action) tea.Cmd {
	var run model.RunKey
	if a.run != nil {
		run = a.run.Key
	}
	switch act {
	case actSampleBack:
		return a.move(model.Move{Samples: -1})
	case actSampleOn:
		return a.move(model.Move{Samples: 1})
	case actEventBack:
		return a.move(model.Move{Events: -1})
	case actEventOn:
		return a.move(model.Move{Events: 1})
	case actPhaseBack:
		return a.move(model.Move{Phases: -1, Run: run})
	case actPhaseOn:
		return a.move(model.Move{Phases: 1, Run: run})
	case actFaster, actSlower:
		a.options.Player.Faster(act == actFaster)
	case actGoTo:
		a.openTimePrompt()
	}
	return nil
}

// unseekable says why there is no going back and on; "" when there is.
func (a *App) unseekable(act action) string {
	switch {
	case a.options.Player == nil:
		return "nothing is kept of what was seen"
	case (act == actFaster || act == actSlower) && !a.replays():
		return "only a recording is played (vacscope replay)"
	case !a.seeks():
		return "only while drawing is paused: " + label(actPause) + " pauses it"
	}
	return ""
}

// openTimePrompt opens a prompt for a time to go to.
func (a *App) openTimePrompt() {
	a.prompt = newPrompt(label(actGoTo), "", promptUse{
		hint: func() string { return "12:14:05  +5m  -30s  40%   enter goes there  esc closes" },
		ended: func(typed string, kept bool) tea.Cmd {
			if !kept || typed == "" {
				return nil
			}
			return a.goTo(typed)
		},
	})
}

// goTo moves to the time that was typed.
func (a *App) goTo(typed string) tea.Cmd {
	at, ok := a.typedTime(strings.TrimSpace(typed))
	if !ok {
		a.say("no time: " + oneLine(model.Text(typed)) + " (12:14:05, +5m, -30s and 40% are)")
		return nil
	}
	return a.move(model.Move{To: model.Some(at)})
}

// typedTime reads a time of day, of the day of what is drawn; a duration from it on or
// back; or a share of what can be gone to.
func (a *App) typedTime(typed string) (time.Time, bool) {
	now := a.snap.Now.In(a.options.Location)
	if share, is := strings.CutSuffix(typed, "%"); is {
		n, err := strconv.ParseFloat(share, 64)
		if err != nil || !(n >= 0 && n <= 100) || a.position == nil {
			return time.Time{}, false
		}
		whole := a.position.To.Sub(a.position.From)
		return a.position.From.Add(time.Duration(n / 100 * float64(whole))), true
	}
	if strings.HasPrefix(typed, "+") || strings.HasPrefix(typed, "-") {
		d, err := time.ParseDuration(typed)
		return now.Add(d), err == nil
	}
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		if t, err := time.Parse(layout, typed); err == nil {
			return time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, now.Location()), true
		}
	}
	return time.Time{}, false
}

// positionLine says where in what was seen the screen is: time, a bar, what happened.
func (a *App) positionLine(w int) line {
	p := a.position
	out := plain(" ")
	switch {
	case p.Playing:
		out = append(out, seg{glyphPlaying + " " + speedText(p.Speed), styleGood})
	case p.Recording:
		out = append(out, seg{glyphPaused + " " + speedText(p.Speed), styleNote})
	default:
		out = append(out, seg{glyphPaused + " back in time", styleNote})
	}
	passed, whole := p.At.Sub(p.From), p.To.Sub(p.From)
	times := model.FormatDuration(max(0, passed).Round(time.Second)) + " of " + model.FormatDuration(max(0, whole).Round(time.Second))
	const longestBar = 40
	bar := min(longestBar, max(8, w/4))
	at := int(float64(p.Share()) * float64(bar-1))
	out = append(out, seg{"  ", stylePlain}, seg{strings.Repeat(glyphPast, at), styleFocus}, seg{glyphHere, styleStrong},
		seg{strings.Repeat(glyphToCome, bar-1-at), styleDim}, seg{"  " + times, stylePlain})
	if p.Event != "" {
		out = append(out, seg{"  " + p.Event, styleStrong})
	} else {
		keys := fmt.Sprintf("  %s %s sample  %s %s event  %s %s phase  %s time",
			label(actSampleBack), label(actSampleOn), label(actEventBack), label(actEventOn), label(actPhaseBack), label(actPhaseOn), label(actGoTo))
		if out.width()+len(keys) <= w {
			out = append(out, seg{keys, styleDim})
		}
	}
	return cutWords(fit(out, max(w, out.width())), w)
}

// speedText writes a speed: 1/4x, 1x, 64x.
func speedText(speed float64) string {
	if speed < 1 {
		return fmt.Sprintf("1/%.0fx", 1/speed)
	}
	return fmt.Sprintf("%.0fx", speed)
}

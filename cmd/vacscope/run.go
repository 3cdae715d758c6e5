package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/tui"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
)

// framesPerSecond is how often the screen is written at most. What moves on it, moves
// once a beat; a key's answer waits for the next frame, and is there within 50 ms.
const framesPerSecond = 30

// closingTime is how long a stream may take to end after the screen has gone.
const closingTime = 2 * time.Second

// checkTerminal tells, before anything is done, whether there is a screen to draw on,
// and a keyboard; instead is what works without.
func checkTerminal(instead string) error {
	lacks := ""
	switch {
	case !term.IsTerminal(os.Stdout.Fd()):
		lacks = "a terminal on standard output"
	case os.Getenv("TERM") == "dumb":
		lacks = "a terminal that can move its cursor, and TERM is dumb"
	case !term.IsTerminal(os.Stdin.Fd()) && !hasKeyboard():
		lacks = "a terminal for its keys, and standard input is none"
	default:
		return nil
	}
	return errors.New("the screen needs " + lacks + "; " + instead)
}

// hasKeyboard tells whether keys can be read from the terminal that the program was
// started on, whatever its standard input is: in a container there may be none.
func hasKeyboard() bool {
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	keys, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	keys.Close()
	return true
}

// errQuit is the end of the screen by the person at it.
var errQuit = errors.New("quit")

// watch shows the stream on the screen, on which the person can go back in what was
// seen, as showScreen does.
func watch(ctx context.Context, s stream, options tui.Options, v *viewing) error {
	var err error
	if v.past, err = newPast(v.filter); err != nil {
		return err
	}
	options.Player = v.past
	return showScreen(ctx, options, v.feeder(s, v.past.step))
}

// showScreen shows what is fed to it until the person quits, what is waited for has
// ended, ctx ends, or there is a panic anywhere (panicError). What was selected when the
// person quit is printed to the normal screen.
func showScreen(ctx context.Context, options tui.Options, feed feeder) error {
	defer stopInBackground(ctx)()
	options.Terminal = os.Stdout
	app := tui.New(options)
	byPerson, err := show(ctx, app, feed)
	if byPerson {
		fmt.Print(app.Summary())
	}
	return err
}

// feeder sends a screen what it is to draw, until ctx ends or there is no more. It ends
// the screen by end, with the reason.
type feeder func(ctx context.Context, send func(tea.Msg), end func(error)) error

// show runs a screen, and tells whether the person ended it. A feeder that fails leaves
// its last snapshot on the screen, with the error, which is returned when the person
// quits. The terminal is restored and the feeder has ended before show returns; one that
// does not end is not waited for longer than closingTime.
func show(ctx context.Context, screen tea.Model, feed feeder) (byPerson bool, err error) {
	ctx, end := context.WithCancelCause(ctx)
	program := tea.NewProgram(guard{screen, end},
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond))
	go func() {
		<-ctx.Done()
		program.Quit()
	}()
	streamEnd := make(chan error, 1)
	go func() {
		streamEnd <- feed.run(ctx, program, end)
	}()
	_, err = program.Run()
	fmt.Print(tui.Untitled())
	end(errQuit)
	var streamErr error
	select {
	case streamErr = <-streamEnd:
	case <-time.After(closingTime):
	}
	cause := context.Cause(ctx)
	if !errors.Is(cause, errQuit) && !errors.Is(cause, errDone) {
		return false, cause
	}
	if err != nil {
		return false, fmt.Errorf("show the screen: %w", err)
	}
	return errors.Is(cause, errQuit), streamErr
}

// feeder brings the stream's snapshots.
func (v *viewing) feeder(s stream, step folding) feeder {
	return func(ctx context.Context, send func(tea.Msg), end func(error)) error {
		return feed(ctx, s, step, func(snapshot *model.Snapshot) {
			view, done := v.next(snapshot)
			send(tui.SnapshotMsg{Snapshot: view})
			if done {
				end(errDone)
			}
		})
	}
}

// run feeds the program until it ends, and tells the program of an end by an error. A
// panic ends both.
func (f feeder) run(ctx context.Context, program *tea.Program, end func(error)) error {
	err := caught(func() error { return f(ctx, program.Send, end) })
	switch {
	case err == nil || ctx.Err() != nil:
		return nil // the end was asked for
	case errors.As(err, new(*panicError)):
		end(err)
	default:
		program.Send(tui.FailMsg{Err: err})
	}
	return err
}

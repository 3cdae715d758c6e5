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

// watch shows the stream on the screen until the person quits, what is waited for
// has ended, ctx ends, or there is a panic anywhere (panicError). What was selected
// when the person quit is printed to the normal screen.
func watch(ctx context.Context, s stream, options tui.Options, v *viewing) error {
	defer stopInBackground(ctx)()
	options.Terminal = os.Stdout
	app := tui.New(options)
	byPerson, err := show(ctx, s, app, v)
	if byPerson {
		fmt.Print(app.Summary())
	}
	return err
}

// show runs a screen on the stream, and tells whether the person ended it. A stream
// that fails leaves its last snapshot on the screen, with the error, which is
// returned when the person quits. The terminal is restored and the stream has ended
// before show returns; a stream that does not end is not waited for longer than
// closingTime.
func show(ctx context.Context, s stream, screen tea.Model, v *viewing) (byPerson bool, err error) {
	ctx, end := context.WithCancelCause(ctx)
	program := tea.NewProgram(guard{screen, end},
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond))
	go func() {
		<-ctx.Done()
		program.Quit()
	}()
	streamEnd := make(chan error, 1)
	go func() {
		streamEnd <- feedScreen(ctx, s, v, program, end)
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

// feedScreen brings the stream to the program until it ends, and tells the program
// of an end by an error. A panic ends both.
func feedScreen(ctx context.Context, s stream, v *viewing, program *tea.Program, end func(error)) error {
	err := feed(ctx, s, func(snapshot *model.Snapshot) {
		view, done := v.next(snapshot)
		program.Send(tui.SnapshotMsg{Snapshot: view})
		if done {
			end(errDone)
		}
	})
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

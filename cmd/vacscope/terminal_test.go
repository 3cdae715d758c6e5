//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal is a pseudo-terminal of 80x24 with a program on it.
type terminal struct {
	t       *testing.T
	master  *os.File // what the person at the terminal holds
	slave   *os.File // what the program has as its input and output
	before  *term.State
	program *exec.Cmd
	ended   chan struct{} // closed when the program has ended
	err     error         // of the program; valid after ended

	mu      sync.Mutex
	screen  *vt.Emulator
	written bytes.Buffer       // everything the program wrote
	modes   map[ansi.Mode]bool // the modes that it set (true) or reset
	changed chan struct{}      // closed and made anew at every write
}

// onTerminal starts a command on a terminal. A mute one answers no question.
func onTerminal(t *testing.T, mute bool, command *exec.Cmd) *terminal {
	t.Helper()
	return onTerminalOf(t, 80, 24, mute, command)
}

// onTerminalOf is onTerminal, on one that tells that it has this size.
func onTerminalOf(t *testing.T, columns, rows uint16, mute bool, command *exec.Cmd) *terminal {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatalf("open a pseudo-terminal: %v", err)
	}
	x := &terminal{
		t: t, master: master, slave: slave, program: command,
		ended: make(chan struct{}), changed: make(chan struct{}), modes: map[ansi.Mode]bool{}, screen: vt.NewEmulator(80, 24),
	}
	x.screen.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { x.modes[m] = true },
		DisableMode: func(m ansi.Mode) { x.modes[m] = false },
	})
	x.resize(columns, rows)
	if x.before, err = term.GetState(slave.Fd()); err != nil {
		t.Fatal(err)
	}
	command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
	command.Env = append(environmentWithout("CI", "TMUX", "NO_COLOR", "COLORFGBG"), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	command.Env = append(command.Env, "TZ=UTC")
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	answers := io.Writer(master)
	if mute {
		answers = io.Discard
	}
	go io.Copy(answers, x.screen)
	go x.read()
	go func() {
		x.err = command.Wait()
		close(x.ended)
	}()
	t.Cleanup(x.close)
	return x
}

func environmentWithout(names ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(names, name)
	})
}

// read shows what the program writes until the terminal is closed.
func (x *terminal) read() {
	buffer := make([]byte, 4096)
	for {
		n, err := x.master.Read(buffer)
		if err != nil {
			return
		}
		x.mu.Lock()
		x.written.Write(buffer[:n])
		_, _ = x.screen.Write(buffer[:n])
		close(x.changed)
		x.changed = make(chan struct{})
		x.mu.Unlock()
	}
}

func (x *terminal) close() {
	_ = x.program.Process.Kill()
	<-x.ended
	_ = x.master.Close()
	_ = x.slave.Close()
	_ = x.screen.InputPipe().(io.Closer).Close() // its Close races with its Read
}

// resize makes the terminal tell another size. What shows it stays 80x24.
func (x *terminal) resize(columns, rows uint16) {
	x.t.Helper()
	if err := pty.Setsize(x.master, &pty.Winsize{Rows: rows, Cols: columns}); err != nil {
		x.t.Fatal(err)
	}
}

// press sends keys.
func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		x.t.Fatalf("press %q: %v", keys, err)
	}
}

// waitFor returns when ok, which may look at screen, written and modes, does.
func (x *terminal) waitFor(what string, ok func() bool) {
	x.t.Helper()
	limit := time.After(time.Minute)
	for {
		x.mu.Lock()
		is, changed := ok(), x.changed
		x.mu.Unlock()
		if is {
			return
		}
		select {
		case <-changed:
		case <-limit:
			x.mu.Lock()
			defer x.mu.Unlock()
			x.t.Fatalf("waited a minute for %s on the screen:\n%s\nmodes %v, written: %q", what, x.screen, x.modes, x.written.String())
		}
	}
}

// waitForText returns when the screen shows text.
func (x *terminal) waitForText(text string) {
	x.t.Helper()
	x.waitFor(text, func() bool { return strings.Contains(x.screen.String(), text) })
}

// waitForLast returns when the program has written text after it left the
// alternate screen.
func (x *terminal) waitForLast(text string) {
	x.t.Helper()
	x.waitFor(text+" after the screen was left", func() bool {
		_, after, left := strings.Cut(x.written.String(), ansi.ResetModeAltScreenSaveCursor)
		return left && strings.Contains(after, text)
	})
}

// bytes is everything that the program wrote.
func (x *terminal) bytes() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.written.String()
}

// status waits for the end of the program and returns its exit status.
func (x *terminal) status() int {
	x.t.Helper()
	select {
	case <-x.ended:
	case <-time.After(time.Minute):
		x.t.Fatal("the program does not end")
	}
	var failed *exec.ExitError
	if errors.As(x.err, &failed) {
		return failed.ExitCode()
	}
	if x.err != nil {
		x.t.Fatal(x.err)
	}
	return 0
}

// requireRestored fails unless the ended program left the terminal as it was.
func (x *terminal) requireRestored() {
	x.t.Helper()
	after, err := term.GetState(x.slave.Fd())
	if err != nil {
		x.t.Fatal(err)
	}
	if !reflect.DeepEqual(x.before, after) {
		x.t.Errorf("terminal modes before %+v, after %+v", x.before, after)
	}
	x.waitFor("the normal screen and its modes", func() bool {
		for mode, set := range x.modes {
			if set != (mode == ansi.ModeTextCursorEnable) {
				return false
			}
		}
		return !x.screen.IsAltScreen()
	})
}

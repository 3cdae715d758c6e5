//go:build unix

package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/tui"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
)

// The whole way: a vacuum moves on the screen, help opens and closes, q leaves the
// terminal as it was.
func TestWatchOnATerminal(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.HeldVacuum(t, "watched_table")
	x := onTerminal(t, false, exec.Command(program(t), s.ConnString()))
	x.waitForText("public.watched_table")
	x.waitForText("scanning heap")
	x.waitForText("VacuumDelay")
	x.waitFor("the alternate screen", x.screen.IsAltScreen)
	x.press("?")
	x.waitForText("quit")
	x.waitForText(tui.KeyTable()[0][1])
	x.press("\x1b")
	x.waitForText("watched_table")
	x.press("y")
	x.waitFor("the clipboard's text", func() bool { return strings.Contains(x.written.String(), "\x1b]52;c;") })
	x.press("q")
	if got := x.status(); got != 0 {
		t.Errorf("q exits with %d", got)
	}
	x.requireRestored()
	x.waitForLast("VACUUM of public.watched_table") // what was selected stays on the normal screen
	if mouse := regexp.MustCompile(`\x1b\[\?100[0236]h`).FindString(x.bytes()); mouse != "" {
		t.Errorf("the mouse was taken from the terminal: %q", mouse)
	}
	requireGone(t, s)
}

// ^C in the screen is a key like q.
func TestControlCQuits(t *testing.T) {
	s := pgtest.Shared(t, 18)
	x := onTerminal(t, false, exec.Command(program(t), s.ConnString()))
	x.waitForText("live")
	x.press("\x03")
	if got := x.status(); got != 0 {
		t.Errorf("^C exits with %d", got)
	}
	x.requireRestored()
}

// A signal ends the program in order and shows in its status.
func TestSignalsRestoreTheTerminal(t *testing.T) {
	s, path := pgtest.Shared(t, 18), program(t)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			x := onTerminal(t, false, exec.Command(path, s.ConnString()))
			x.waitForText("live")
			if err := x.program.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if got := x.status(); got != 128+int(sig) {
				t.Errorf("exits with %d", got)
			}
			x.requireRestored()
			requireGone(t, s)
		})
	}
}

// A terminal that is gone (a closed window, a lost ssh) ends the program.
func TestClosedTerminalEndsTheProgram(t *testing.T) {
	s := pgtest.Shared(t, 18)
	x := onTerminal(t, false, exec.Command(program(t), s.ConnString()))
	x.waitForText("live")
	if err := x.master.Close(); err != nil {
		t.Fatal(err)
	}
	x.status()
	requireGone(t, s)
}

// requireGone waits until the server has no session of vacscope.
func requireGone(t *testing.T, s *pgtest.Server) {
	t.Helper()
	conn := s.Conn(t)
	pgtest.Eventually(t, "vacscope's session ends", func() bool {
		var n int
		if err := conn.QueryRow(t.Context(), "select count(*) from pg_stat_activity where application_name = 'vacscope'").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n == 0
	})
}

// queries are what asks a terminal for an answer: colours, the cursor's position,
// device attributes, a mode.
var queries = regexp.MustCompile(`\x1b\](10|11|12);\?|\x1b\[\??6n|\x1b\[[>=]?0?c|\x1b\[\??[0-9]+\$p|\x1b\[>0?q`)

// A terminal that answers nothing is not waited for: nothing is asked, not by the
// libraries' init either, which runs before any command.
func TestNothingIsAskedOfAMuteTerminal(t *testing.T) {
	path := program(t)
	t.Run("version", func(t *testing.T) {
		x := onTerminal(t, true, exec.Command(path, "version"))
		x.waitForText("vacscope")
		if got := x.status(); got != 0 {
			t.Errorf("exits with %d", got)
		}
		if asked := queries.FindString(x.bytes()); asked != "" {
			t.Errorf("asks %q", asked)
		}
	})
	t.Run("watch", func(t *testing.T) {
		x := onTerminal(t, true, exec.Command(path, pgtest.Shared(t, 18).ConnString()))
		x.waitForText("live")
		if asked := queries.FindString(x.bytes()); asked != "" {
			t.Errorf("asks %q", asked)
		}
		x.press("q")
		x.status()
	})
}

// A password that is needed is asked for without echo; whatever ends the prompt
// leaves the terminal with its echo.
func TestPasswordPrompt(t *testing.T) {
	s, path := pgtest.Start(t, 18), program(t)
	s.Exec(t, "create role locked login password 'open sesame'")
	requirePassword(t, s)
	target := s.ConnStringFor("locked", "postgres")

	x := onTerminal(t, false, exec.Command(path, target))
	x.waitForText("Password for locked at " + s.SocketDir)
	x.press("open sesame\r")
	x.waitForText("live")
	if strings.Contains(x.bytes(), "sesame") {
		t.Error("the password is shown")
	}
	x.press("q")
	x.status()
	x.requireRestored()

	x = onTerminal(t, false, exec.Command(path, target))
	x.waitForText("Password for")
	x.press("wrong\r")
	if got := x.status(); got != 1 {
		t.Errorf("a wrong password exits with %d", got)
	}
	x.waitFor("the refusal", func() bool { return strings.Contains(x.written.String(), "password authentication failed") })

	x = onTerminal(t, false, exec.Command(path, target))
	x.waitForText("Password for")
	x.press("\x03")
	if got := x.status(); got != 128+int(syscall.SIGINT) {
		t.Errorf("^C at the prompt exits with %d", got)
	}
	x.requireRestored()

	x = onTerminal(t, false, exec.Command(path, target))
	x.waitForText("Password for")
	if err := x.program.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := x.status(); got != 128+int(syscall.SIGTERM) {
		t.Errorf("SIGTERM at the prompt exits with %d", got)
	}
	x.requireRestored()
}

// requirePassword lets the role locked in by password only.
func requirePassword(t *testing.T, s *pgtest.Server) {
	t.Helper()
	conn := s.Conn(t)
	var file string
	if err := conn.QueryRow(t.Context(), "show hba_file").Scan(&file); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append([]byte("local all locked scram-sha-256\n"), before...), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, "select pg_reload_conf()")
	pgtest.Eventually(t, "the server wants the password", func() bool {
		var n int
		if err := conn.QueryRow(t.Context(), "select count(*) from pg_hba_file_rules where user_name = '{locked}'").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n == 1
	})
}

// The trace of a panic in a goroutine of ours stands on the normal screen.
func TestPanicRestoresTheTerminal(t *testing.T) {
	x := onTerminal(t, false, testStreamCommand(t, streamPanics))
	if got := x.status(); got != 1 {
		t.Errorf("a panic exits with %d", got)
	}
	x.waitForLast("internal error: the stream is broken")
	x.waitForLast("showTestStream") // the trace
	x.requireRestored()
}

// So does that of a panic in the screen itself, or in a command of it.
func TestPanicInTheScreenRestoresTheTerminal(t *testing.T) {
	for _, place := range []string{"Init", "Update", "View", "a command", "a batch"} {
		t.Run(place, func(t *testing.T) {
			x := onTerminal(t, false, testStreamCommand(t, screenPanics+place))
			if got := x.status(); got != 1 {
				t.Errorf("a panic exits with %d", got)
			}
			x.waitForLast("internal error: " + place)
			x.waitForLast("brokenModel") // the trace
			x.requireRestored()
		})
	}
}

// ^Z gives a sane terminal back to the shell; fg draws the whole screen anew, at the
// size that the terminal has by then, and takes the mouse again.
func TestSuspendAndForeground(t *testing.T) {
	s := pgtest.Shared(t, 18)
	t.Setenv("PS1", "ready> ")
	x := onTerminal(t, false, exec.Command("sh", "-i"))
	prompt := func() bool { return strings.HasSuffix(strings.TrimSpace(x.screen.String()), "ready>") }
	x.waitFor("the shell", prompt)
	x.press(program(t) + " '" + s.ConnString() + "'\r")
	x.waitForText("● live")
	x.press("m")
	x.waitForText("mouse on")
	for _, size := range [][2]uint16{{70, 20}, {80, 24}} {
		x.press("\x1a")
		x.waitFor("the normal screen without mouse", func() bool { return !x.screen.IsAltScreen() && !x.modes[ansi.ModeMouseButtonEvent] && prompt() })
		x.press("stty -a; echo is $((6*7))\r")
		x.waitForText("is 42")
		x.waitFor("sane modes of the terminal", func() bool {
			modes := strings.Fields(x.screen.String())
			return slices.Contains(modes, "icanon") && slices.Contains(modes, "echo") && slices.Contains(modes, "isig")
		})
		x.waitFor("the shell's prompt", prompt)
		x.resize(size[0], size[1])
		x.press("clear; fg\r")
		x.waitFor("the whole screen again", func() bool {
			return x.screen.IsAltScreen() && x.modes[ansi.ModeMouseButtonEvent] && strings.Contains(x.screen.String(), "● live") && strings.Contains(x.screen.String(), "Lock waits")
		})
	}
	x.press("q")
	x.waitFor("the shell again", func() bool { return !x.screen.IsAltScreen() && prompt() })
	x.press("exit\r")
	x.status()
	x.requireRestored()
	requireGone(t, s)
}

// A terminal that tells no size is taken for 80x24; one that is too small says what
// it takes, and the keys still work.
func TestOddTerminalSizes(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.HeldVacuum(t, "odd_sizes")
	x := onTerminalOf(t, 0, 0, false, exec.Command(program(t), s.ConnString()))
	for _, essential := range []string{"public.odd_sizes", "scanning heap", "phase progress", "phase left", "Processes", "q quit"} {
		x.waitForText(essential)
	}
	x.resize(20, 5)
	x.waitForText("need 30x6, has 20x5")
	x.resize(1, 1)
	x.resize(0, 0)
	x.waitForText("q quit")
	x.resize(20, 5)
	x.waitForText("need 30x6, has 20x5")
	x.press("q")
	if got := x.status(); got != 0 {
		t.Errorf("q on a small terminal exits with %d", got)
	}
	x.requireRestored()
}

// timeout ends what it started by SIGTERM; the shell gets its terminal back, and is
// told which way it ended.
func TestUnderTimeout(t *testing.T) {
	s := pgtest.Shared(t, 18)
	x := onTerminal(t, false, exec.Command("timeout", "--foreground", "3", program(t), s.ConnString()))
	x.waitForText("live")
	if got, timedOut := x.status(), 124; got != timedOut {
		t.Errorf("exits with %d", got)
	}
	x.requireRestored()
	requireGone(t, s)
}

// A stream that fails leaves what was seen on the screen; the error is printed when
// the person quits.
func TestFailedStreamStaysOnTheScreen(t *testing.T) {
	x := onTerminal(t, false, testStreamCommand(t, streamFails))
	x.waitForText("out of samples")
	x.press("q")
	if got := x.status(); got != 1 {
		t.Errorf("exits with %d", got)
	}
	x.requireRestored()
	x.waitForLast("vacscope: out of samples")
}

// testStreamCommand is this test binary, told to show a stream of tests.
func testStreamCommand(t *testing.T, how string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(testStream, how)
	return exec.Command(self)
}

// In a container there can be a terminal to write to and none to read from, and a
// terminal can be too simple: that is one line, before anything is connected to.
func TestTerminalsThatCannotShowTheScreen(t *testing.T) {
	for want, prepare := range map[string]func(*exec.Cmd){
		"a terminal for its keys, and standard input is none":   func(c *exec.Cmd) { c.Env = append(c.Env, "TERM=xterm") },
		"a terminal that can move its cursor, and TERM is dumb": func(c *exec.Cmd) { c.Env = append(c.Env, "TERM=dumb") },
	} {
		master, slave, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer master.Close()
		defer slave.Close()
		command := exec.Command(program(t), "-h", "127.0.0.1", "-p", "1")
		var messages strings.Builder
		command.Stdout, command.Stderr, command.Env = slave, &messages, os.Environ()
		command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // of no terminal
		prepare(command)
		err = command.Run()
		if got := messages.String(); err == nil || got != "vacscope: the screen needs "+want+"; vacscope snapshot and vacscope snapshot --watch work without one\n" {
			t.Errorf("%v: %s", err, got)
		}
	}
}

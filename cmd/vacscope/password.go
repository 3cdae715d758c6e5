package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
)

// readPassword asks on the terminal and reads a line without echo. The echo is off
// before the prompt shows: what is typed at once is not shown either. When it
// returns the terminal is as it was before, also when ctx ended first.
func readPassword(ctx context.Context, prompt string) (string, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", errors.New("there is no terminal to ask for it; .pgpass or PGPASSWORD can give it")
	}
	defer tty.Close()
	before, err := term.MakeRaw(tty.Fd())
	if err != nil {
		return "", fmt.Errorf("switch the terminal's echo off: %w", err)
	}
	defer func() {
		_ = term.Restore(tty.Fd(), before) // its error would hide the one that matters
		fmt.Fprintln(tty)
	}()
	if _, err := fmt.Fprint(tty, prompt); err != nil {
		return "", fmt.Errorf("ask on the terminal: %w", err)
	}
	type answer struct {
		line string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		line, err := readLine(tty)
		answered <- answer{line, err}
	}()
	select {
	case a := <-answered:
		return a.line, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// What keys send to a raw terminal.
const (
	keyInterrupt  = 0x03 // ^C
	keyEnd        = 0x04 // ^D
	keyBackspace  = 0x08
	keyDelete     = 0x7f
	keyDeleteLine = 0x15 // ^U
)

// readLine reads the keys of one line from a raw terminal.
func readLine(keys io.Reader) (string, error) {
	var line []byte
	for key := make([]byte, 1); ; {
		if _, err := io.ReadFull(keys, key); err != nil {
			return "", fmt.Errorf("read from the terminal: %w", err)
		}
		switch key[0] {
		case '\r', '\n', keyEnd:
			return string(line), nil
		case keyInterrupt:
			return "", signalError{syscall.SIGINT}
		case keyDeleteLine:
			line = nil
		case keyBackspace, keyDelete:
			_, size := utf8.DecodeLastRune(line)
			line = line[:len(line)-size]
		default:
			line = append(line, key[0])
		}
	}
}

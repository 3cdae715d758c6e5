package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
)

// readPassword asks on the terminal and reads a line without echo. When ctx ends
// first, the terminal is as it was before.
func readPassword(ctx context.Context, prompt string) (string, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", errors.New("there is no terminal to ask for it; .pgpass or PGPASSWORD can give it")
	}
	defer tty.Close()
	before, err := term.GetState(tty.Fd())
	if err != nil {
		return "", fmt.Errorf("read the terminal's modes: %w", err)
	}
	if _, err := fmt.Fprint(tty, prompt); err != nil {
		return "", fmt.Errorf("ask on the terminal: %w", err)
	}
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(tty.Fd())
		read <- line{text, err}
	}()
	defer fmt.Fprintln(tty)
	select {
	case l := <-read:
		return string(l.text), l.err
	case <-ctx.Done():
		return "", errors.Join(context.Cause(ctx), term.Restore(tty.Fd(), before))
	}
}

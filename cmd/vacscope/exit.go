package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// Exit statuses. A signal that ends the program gives 128 + its number.
const (
	exitDone         = 0 // also q and ^C in the screen
	exitFailed       = 1
	exitUsage        = 2
	exitVacuumFailed = 3 // a vacuum failed, was cancelled or skipped, did not complete
	exitOwnOnly      = 3 // of check: phases and waits of own sessions only
	exitUnknown      = 4 // the result is not known
	exitSignal       = 128
)

// exitError is an error that asks for an exit status.
type exitError struct {
	status int
	err    error // nil: standard output has said it all
}

// Error is "" when there is nothing more to say.
func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// Unwrap returns the error that asks for the status.
func (e *exitError) Unwrap() error { return e.err }

// usageErrorf is the error of a command line that cannot be carried out.
func usageErrorf(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// signalError is the end by a signal.
type signalError struct{ sig os.Signal }

func (e signalError) Error() string { return "ended by signal: " + e.sig.String() }

// exitStatus is the status with which the program ends after err.
func exitStatus(err error) int {
	var asked *exitError
	var signalled signalError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &signalled):
		if n, ok := signalled.sig.(syscall.Signal); ok {
			return exitSignal + int(n)
		}
	case errors.As(err, &asked):
		return asked.status
	}
	return exitFailed
}

// printError writes the error of a command as one line, and after it the trace of
// a panic. The end by a signal needs no words.
func printError(w io.Writer, err error, command string) {
	if err == nil || errors.As(err, &signalError{}) {
		return
	}
	var panicked *panicError
	if errors.As(err, &panicked) {
		defer fmt.Fprintf(w, "%s\n", panicked.stack)
	}
	hint := ""
	if exitStatus(err) == exitUsage {
		hint = "; see " + command + " --help"
	}
	if message := oneLine(err.Error()); message != "" {
		fmt.Fprintf(w, "vacscope: %s%s\n", message, hint)
	}
}

// oneLine joins the lines of a message.
func oneLine(message string) string {
	return strings.Join(strings.Fields(message), " ")
}

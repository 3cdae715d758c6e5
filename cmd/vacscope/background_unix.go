//go:build unix

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endGrace is for how long a program that was continued waits to learn that it was
// continued in order to end.
const endGrace = 50 * time.Millisecond

// stopInBackground stops the program, as usual, when it uses the terminal in the
// background, but no longer once ctx has ended: then it restores the terminal and
// ends. The system's own way would stop it again before it learns of its end, for
// which timeout without --foreground, say, waits for ever. The function returned
// ends this.
func stopInBackground(ctx context.Context) func() {
	used := make(chan os.Signal, 1)
	signal.Notify(used, syscall.SIGTTOU, syscall.SIGTTIN)
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-ctx.Done():
				signal.Ignore(syscall.SIGTTOU, syscall.SIGTTIN)
				return
			case <-over:
				return
			case <-used:
			}
			select {
			case <-ctx.Done(): // its end came while it was stopped
			case <-time.After(endGrace):
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			}
		}
	}()
	return func() { close(over) }
}

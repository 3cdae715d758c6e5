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
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				continue
			case <-over:
				return
			case <-used:
			}
			select { // the first use may be one by a program that was continued to end
			case <-ctx.Done():
				continue
			case <-time.After(endGrace):
			}
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			select { // continued, by the shell's fg or in order to end
			case <-ctx.Done():
			case <-time.After(endGrace):
			}
			select {
			case <-used: // of before it was stopped
			default:
			}
		}
		signal.Ignore(syscall.SIGTTOU, syscall.SIGTTIN)
	}()
	return func() { close(over) }
}

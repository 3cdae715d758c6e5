package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// withSignals returns a context that ends, with a signalError as its cause, when
// a signal asks the program to end. The same signal a second time has its usual
// effect. The function returned ends this.
func withSignals(ctx context.Context) (context.Context, func()) {
	ctx, end := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		select {
		case sig := <-signals:
			signal.Stop(signals)
			end(signalError{sig})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		end(nil)
	}
}

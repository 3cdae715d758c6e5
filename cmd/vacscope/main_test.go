package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/tui"
)

// testStream makes this test binary show a stream instead of running tests: tests
// of the screen's ends start it on a terminal.
const testStream = "VACSCOPE_TEST_STREAM"

// What the stream does after its first sample.
const (
	streamPanics = "panics"
	streamFails  = "fails"
	screenPanics = "panics in " // and where
)

func TestMain(m *testing.M) {
	if how := os.Getenv(testStream); how != "" {
		showTestStream(how)
	}
	if name := os.Getenv(foldInstead); name != "" {
		foldAndTell(name)
		return
	}
	if path := os.Getenv(replayInstead); path != "" {
		if err := replayAndTell(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Setenv("VACSCOPE_NO_HISTORY", "true") // what tests watch is not kept
	pgtest.Main(m)
}

func showTestStream(how string) {
	broken := streamFunc(func(_ context.Context, emit func(model.Sample)) error {
		sample := seconds(1)[0]
		sample.Poll = &model.Poll{}
		emit(sample)
		if how == streamPanics {
			panic("the stream is broken")
		}
		return errors.New("out of samples")
	})
	var err error
	if place, is := strings.CutPrefix(how, screenPanics); is {
		_, err = show(context.Background(), brokenModel{place}, new(viewing).feeder(broken, new(model.Tracker).Step))
	} else {
		err = watch(context.Background(), broken, tui.Options{}, &viewing{})
	}
	printError(os.Stderr, err, "vacscope")
	os.Exit(exitStatus(err))
}

package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
	"example.com/vacscope/poll/replay"
	"example.com/vacscope/tui"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"
)

// replayFlags are the flags of showing a recording.
type replayFlags struct {
	screen screenFlags
	filter filterFlags
}

func newReplayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] FILE",
		Short: "Show a recording on the screen: play it, step and search in it",
		Args:  oneRecording,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.replay(cmd.Context(), args[0], cmd.ErrOrStderr())
		},
	}
	f.screen.add(cmd.Flags())
	f.filter.add(cmd.Flags())
	return cmd
}

// oneRecording accepts the file to show.
func oneRecording(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageErrorf("%s shows one recording, and is given %s", cmd.CommandPath(), model.FormatCounted(len(args), "file", "files"))
	}
	return nil
}

func (f *replayFlags) replay(ctx context.Context, path string, stderr io.Writer) error {
	if err := f.screen.check(); err != nil {
		return err
	}
	filter, err := f.filter.filter()
	if err != nil {
		return err
	}
	recording, err := record.Open(path)
	if err != nil {
		return err
	}
	defer recording.Close()
	if err := checkTerminal("vacscope report works without one"); err != nil {
		return err
	}
	collectEarly()
	player, err := replay.NewPlayer(recording)
	if err != nil {
		return err
	}
	options := f.screen.options()
	options.Target, options.Player, options.History = path, playing{player}, earlierHistory()
	err = showScreen(ctx, options, func(ctx context.Context, send func(tea.Msg), _ func(error)) error {
		return player.Run(ctx, func(s *model.Snapshot, at model.Position) {
			send(tui.PlayedMsg{Snapshot: filter.View(s), Position: at, Lost: recording.Lost(time.Local)})
		})
	})
	for _, lost := range recording.Lost(time.Local) {
		fmt.Fprintf(stderr, "%s: %s\n", path, lost)
	}
	return err
}

// collectEarly makes the garbage of folding a long recording, most of which lives for a
// sample, be collected before it grows beside the checkpoints: for a little more
// processor time.
func collectEarly() { debug.SetGCPercent(30) }

// playing is a player as the screen knows it.
type playing struct{ *replay.Player }

// Recording tells that it plays a recording.
func (p playing) Recording() bool { return true }

// Move goes to another moment of the recording. Its snapshot comes as what is played
// does.
func (p playing) Move(ctx context.Context, m model.Move) (*model.Snapshot, model.Position, error) {
	return nil, model.Position{}, p.Player.Move(ctx, m)
}

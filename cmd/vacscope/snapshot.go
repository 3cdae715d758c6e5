package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	"example.com/vacscope/poll"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// snapshotFlags are the flags of vacscope snapshot.
type snapshotFlags struct {
	connect connectFlags
	rates   rateFlags
	output  formatFlags
	filter  filterFlags
	follow  bool
}

func newSnapshotCommand() *cobra.Command {
	var f snapshotFlags
	cmd := &cobra.Command{
		Use:   "snapshot [flags] [TARGET]",
		Short: "Print what is being vacuumed now, as text or JSON",
		Long: `Print what is being vacuumed now, as text or as the JSON document that
vacscope help snapshot describes. With --watch, one document on a line per beat.`,
		Args: atMostOneTarget,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	f.connect.add(flags)
	f.output.add(flags, formatText, formatJSON)
	flags.BoolVar(&f.follow, "watch", false, "go on until a signal, one JSON document on a line per beat")
	f.rates.addInterval(flags)
	f.filter.add(flags)
	return cmd
}

func (f *snapshotFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.settle(cmd.Flags()); err != nil {
		return err
	}
	filter, err := f.filter.filter()
	if err != nil {
		return err
	}
	source, err := f.connect.open(cmd.Context(), args, poll.Options{Interval: f.rates.interval}, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer source.Close()
	if f.follow {
		return writeEach(cmd.Context(), source, filter, cmd.OutOrStdout())
	}
	snapshot, err := readWhole(cmd.Context(), source)
	if err != nil {
		return err
	}
	snapshot = filter.View(snapshot)
	if f.output.isJSON() {
		return report.WriteJSON(cmd.OutOrStdout(), snapshot, true)
	}
	return report.WriteText(cmd.OutOrStdout(), snapshot)
}

// settle checks the flags against each other.
func (f *snapshotFlags) settle(flags *pflag.FlagSet) error {
	if err := f.rates.check(); err != nil {
		return err
	}
	if err := f.output.settle(flags); err != nil {
		return err
	}
	if f.follow {
		return f.output.must(flags, "--watch")
	}
	return nil
}

// maxBeats is how many beats one snapshot takes at most: the lock table is read
// when a wait was seen, names when the lock table gave the relation.
const maxBeats = 3

// readWhole reads the server until locks and names of what runs are there.
func readWhole(ctx context.Context, source *poll.Source) (*model.Snapshot, error) {
	var tracker model.Tracker
	var snapshot *model.Snapshot
	for range maxBeats {
		sample := source.Beat(ctx)
		if sample.Poll == nil {
			return nil, readError(sample.Problems)
		}
		if snapshot = tracker.Step(sample); isWhole(snapshot) {
			break
		}
	}
	return snapshot, nil
}

func readError(problems []model.Problem) error {
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = errors.New(p.Message.Display())
	}
	return fmt.Errorf("read the server: %w", errors.Join(errs...))
}

// isWhole tells whether what another beat could bring is there.
func isWhole(s *model.Snapshot) bool {
	for _, r := range s.Active {
		named := r.Table.Known() || r.Key.DatID != s.Server.DatID || r.State == model.StateHidden
		if !named {
			return false
		}
	}
	for _, l := range s.LockWaits {
		named := l.Table.Known() || !l.RelID.Known() || l.Database.Or("") != s.Server.Database
		if l.Kind == "" && !l.LockType.Known() || !named {
			return false
		}
	}
	return true
}

// writeEach writes a document on a line for every beat until ctx ends.
func writeEach(ctx context.Context, s stream, filter model.Filter, w io.Writer) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var written time.Time
	err := fold(ctx, s, func(snapshot *model.Snapshot) {
		current := !snapshot.Link.Lost && !snapshot.Overdue().Known() && !snapshot.Blind
		if snapshot.At.IsZero() || current && snapshot.At.Equal(written) {
			return // nothing was read yet, or nothing since
		}
		written = snapshot.At
		if err := report.WriteJSON(w, filter.View(snapshot), false); err != nil {
			end(err)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

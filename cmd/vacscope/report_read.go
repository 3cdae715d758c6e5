package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	"example.com/vacscope/poll/record"
)

// readReports makes the reports of the vacuums in recordings: those of each file, in
// order. What of them could not be read is said on messages.
func readReports(files []string, o report.Options, messages io.Writer) ([][]report.RunReport, error) {
	all := make([][]report.RunReport, len(files))
	for i, file := range files {
		one, err := readReport(file, o, messages)
		if err != nil {
			return nil, err
		}
		all[i] = one.Runs
	}
	return all, nil
}

func readReport(file string, o report.Options, messages io.Writer) (report.Report, error) {
	last, of, err := foldRecording(context.Background(), file)
	if err != nil {
		return report.Report{}, err
	}
	for _, sentence := range of.lost {
		fmt.Fprintf(messages, "vacscope: %s: %s\n", model.Text(file).Display(), model.Text(sentence).Display())
	}
	if last == nil {
		return report.Report{}, fmt.Errorf("%s: no sample is in it", file)
	}
	o.Origin = originOf(file, of)
	found := report.Build(last, o)
	if len(found.Runs) == 0 {
		return found, errNoVacuum(file, last)
	}
	return found, nil
}

// folded is what a recording says beside its samples: its header, and what of it could
// not be read.
type folded struct {
	header record.Header
	lost   []string
}

// foldRecording reads a recording to its end, which is the snapshot; nil where no sample
// is in it.
func foldRecording(ctx context.Context, file string) (*model.Snapshot, folded, error) {
	reader, err := record.Open(file)
	if err != nil {
		return nil, folded{}, err
	}
	defer reader.Close()
	var tracker model.Tracker
	var last *model.Snapshot
	for sample, err := range reader.Samples(0) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, folded{}, fmt.Errorf("%s: %w", file, err)
		}
		last = tracker.Step(sample)
	}
	return last, folded{reader.Header(), reader.Lost(time.UTC)}, nil
}

// errNoVacuum says why a recording gives no report.
func errNoVacuum(file string, s *model.Snapshot) error {
	if n := len(s.Ended) + len(s.Active); n > 0 {
		return fmt.Errorf("%s: %s in it, and none that was asked for (or that its role could see)", file, model.FormatCounted(n, "vacuum is", "vacuums are"))
	}
	return errors.New(file + ": no vacuum is in it")
}

// originOf is what a recording says of itself.
func originOf(file string, of folded) report.Origin {
	h := of.header
	o := report.Origin{File: file, CommandLine: h.CommandLine, Vacscope: h.Vacscope, Wanted: h.Wanted, Lost: strings.Join(of.lost, " ")}
	if a := h.About; a != nil {
		o.Version, o.Configure, o.Settings = model.Some(a.Version), a.Configure, a.Settings
	}
	o.Host = report.Host{Kernel: h.Client.Kernel, Memory: h.Client.Memory, Servers: h.Client.IsServers}
	if h.Client.Cores > 0 {
		o.Host.Cores = model.Some(h.Client.Cores)
	}
	return o
}

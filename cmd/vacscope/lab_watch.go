package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/server"
)

// labWatch watches the runs of a workload as any server is watched, and reports on the
// vacuums in them.
type labWatch struct {
	progress *labProgress
	reports  []report.Report // of each side
}

// resultWithin bounds how long the result of a run's last vacuum is waited for.
const resultWithin = 10 * time.Second

// labTickRate is how often the waits of all processes are sampled, a second.
const labTickRate = 20

// watch watches the server of a run, which has a name, until it is stopped, and then until
// the vacuums' results are known.
func (w *labWatch) watch(ctx context.Context, side int, name string, s *server.Server) (stop func(), err error) {
	config, err := poll.ParseTarget(poll.Flags{}, s.ConnString())
	if err != nil {
		return nil, err
	}
	source, err := poll.Open(ctx, config, poll.Options{NoOtherDatabases: true, TickRate: labTickRate})
	if err != nil {
		return nil, fmt.Errorf("watch the run: %w", err)
	}
	watching, end := context.WithCancel(context.WithoutCancel(ctx))
	var mu sync.Mutex
	var last *model.Snapshot
	stopping, polls := false, 0
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = fold(watching, source, func(s *model.Snapshot) { // what cannot be read is missing in the report
			mu.Lock()
			defer mu.Unlock()
			last = s
			if polls++; stopping && polls > 1 && settled(s) {
				end()
			}
			for _, r := range s.Active {
				w.progress.see(report.ProgressLine(s, r))
			}
		})
	}()
	return func() {
		mu.Lock()
		stopping, polls = true, 0
		mu.Unlock()
		select {
		case <-ended:
		case <-time.After(resultWithin):
		}
		end()
		<-ended
		source.Close()
		if last != nil {
			read := report.Build(last, report.Options{Origin: report.Origin{File: name}})
			w.reports[side].Runs = append(w.reports[side].Runs, read.Runs...)
		}
	}, nil
}

// settled tells that no vacuum runs and that the results of all are known.
func settled(s *model.Snapshot) bool {
	for _, r := range s.Ended {
		if r.End.Open {
			return false
		}
	}
	return len(s.Active) == 0
}

// watchedSections are the parts of a report on a run that are printed.
var watchedSections = []string{"phases", "samples", "minutes", "workers"}

// documents are what each other side differs in from the first, and the reports on the
// runs.
func (w *labWatch) documents() []report.Document {
	var out []report.Document
	for _, other := range w.reports[1:] {
		compared, err := report.Compare(w.reports[0], other)
		if err != nil {
			continue // a side has no vacuum
		}
		for i := range compared {
			out = append(out, compared[i].Document())
		}
	}
	for _, side := range w.reports {
		for i, d := range side.Documents() {
			d.Title = side.Runs[i].Context.Origin.File + ": " + d.Title
			d.Sections = slices.DeleteFunc(d.Sections, func(s report.Section) bool { return !slices.Contains(watchedSections, s.Name) })
			out = append(out, d)
		}
	}
	return out
}

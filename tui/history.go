package tui

import (
	"context"
	"slices"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	tea "github.com/charmbracelet/bubbletea"
)

// History is what was kept of earlier watching: a recording of each. Its methods may
// take seconds, so they are called from commands.
type History interface {
	// Recordings names those of a server, the newest first.
	Recordings(ctx context.Context, server model.Server) ([]string, error)
	// Report is of the vacuums of a relation in one of them that are chosen, in the order
	// in which they began. The error is one line.
	Report(ctx context.Context, recording string, relid uint32, chosen func(*model.Run) bool) (report.Report, error)
}

// earlierRuns are the vacuums of one relation in the recordings of a server, which are
// read one after another, the newest first, as long as somebody wants them.
type earlierRuns struct {
	history History // nil: none is kept
	server  model.Server
	of      model.RunKey
	wanted  func() bool

	names  []string // of the recordings
	read   int      // of them
	runs   []earlierRun
	failed []error // why some of them could not be read
}

// earlierRun is one vacuum of them.
type earlierRun struct {
	key    model.RunKey
	report *report.RunReport
}

// recordingRead is what was found in one recording.
type recordingRead struct {
	runs []earlierRun
	err  error
}

// list asks which recordings there are.
func (e *earlierRuns) list(d dialog) tea.Cmd {
	if e.history == nil {
		return nil
	}
	return asking(d, func(ctx context.Context) ([]string, error) { return e.history.Recordings(ctx, e.server) })
}

// next reads the next recording, but for the vacuums that are known already: two
// programs may have watched one.
func (e *earlierRuns) next(d dialog, known []model.RunKey) tea.Cmd {
	if e.read >= len(e.names) || !e.wanted() {
		return nil
	}
	name, history, of := e.names[e.read], e.history, e.of
	for _, r := range e.runs {
		known = append(known, r.key)
	}
	return asking(d, func(ctx context.Context) (recordingRead, error) {
		var keys []model.RunKey
		found, err := history.Report(ctx, name, of.RelID, func(r *model.Run) bool {
			chosen := ofSameRelation(r.Key, of) && len(r.Phases) > 0 && !slices.ContainsFunc(known, r.Key.Same)
			if chosen {
				keys = append(keys, r.Key)
			}
			return chosen
		})
		out := recordingRead{err: err}
		for i := range found.Runs {
			out.runs = append(out.runs, earlierRun{keys[i], &found.Runs[i]})
		}
		return out, nil
	})
}

// take takes what was found in the recording that was read.
func (e *earlierRuns) take(found recordingRead) {
	e.read++
	if found.err != nil {
		e.failed = append(e.failed, found.err)
	}
	e.runs = append(e.runs, found.runs...)
	slices.SortStableFunc(e.runs, func(a, b earlierRun) int { return b.report.From.Compare(a.report.From) })
}

// ofSameRelation tells whether two runs did the same with one relation of a server.
func ofSameRelation(a, b model.RunKey) bool {
	return a.DatID == b.DatID && a.RelID == b.RelID && a.Analyze == b.Analyze
}

// status says how far the reading is, and what could not be read; nothing once all was.
func (e *earlierRuns) status(w int) []line {
	var out []line
	if n := len(e.names); e.read < n {
		out = append(out, fit(text(styleDim, "looking for earlier ones: "+model.FormatCounted(e.read, "recording", "recordings")+" of "+model.FormatCount(int64(n))+" read"), w))
	}
	if len(e.failed) == 0 {
		return out
	}
	said := "not read: " + oneLine(model.Text(e.failed[0].Error()))
	if more := len(e.failed) - 1; more > 0 {
		said += ", and " + model.FormatCounted(more, "more recording", "more recordings")
	}
	return append(out, wrapped(said, styleNote, w)...)
}

package tui

import "example.com/vacscope/model"

// SnapshotMsg brings the newest snapshot. The App draws it and never writes it.
type SnapshotMsg struct{ *model.Snapshot }

// PlayedMsg brings the snapshot of a recording that is to be drawn, and where in the
// recording it stands.
type PlayedMsg struct {
	Snapshot *model.Snapshot
	Position model.Position
	// Lost are sentences on what of the recording could not be read; none is good news.
	Lost []string
}

// FailMsg says that the stream of snapshots has ended with an error and that no
// more will come. Before the first snapshot the program then quits; after it the
// last one stays on the screen, with the error, until a person quits.
type FailMsg struct{ Err error }

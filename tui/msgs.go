package tui

import "example.com/vacscope/model"

// SnapshotMsg brings the newest snapshot. The App draws it and never writes it.
type SnapshotMsg struct{ *model.Snapshot }

// FailMsg says that the stream of snapshots has ended with an error and that no
// more will come. Before the first snapshot the program then quits; after it the
// last one stays on the screen, with the error, until a person quits.
type FailMsg struct{ Err error }

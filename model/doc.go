// Package model says what a vacuum is.
//
// Data goes one way: a Sample (what one beat read, nothing derived) is folded
// by a Tracker into a Snapshot (what the samples so far mean), and panes, JSON
// and reports are drawn from snapshots. Watching live, the demo and a test on
// stored samples are the same stream with another source.
//
// The package knows no connection, no clock and no screen: time comes only from
// samples and is the server's. What a server version or a privilege does not
// give is absent (Opt), never zero. Server text is kept raw (Text) and can be
// shown only through Text.Display.
//
// A published Snapshot is never written again; its slices may share memory with
// later snapshots, so readers do not write to them either.
package model

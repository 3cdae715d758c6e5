// Package tui is the bubbletea program that draws model.Snapshot.
//
// An App gets snapshots as messages and draws the newest one. It reads no server,
// no clock and no environment: time is the snapshot's, the colour profile is the
// injected renderer's.
//
// Panes build lines of segments (plain text and a style each), one function cuts
// lines to a width (fit), and the theme turns them into escape sequences. Server
// text enters only through show. A pane keeps what it drew until its data, its
// size or its focus changes, because View runs after every message.
package tui

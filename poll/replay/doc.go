// Package replay goes back and forth in a stream of samples that was kept: in a
// recording, or in what is being watched. A Tape folds any moment of it again; a Player
// plays a recording's.
package replay

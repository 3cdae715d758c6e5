// Package record keeps a stream of samples in a file and reads it back.
//
// A recording is JSON Lines: a header, one line for each sample, a line that says that
// it is the end. It is compressed as zstd frames one after another; each frame holds a
// few seconds and can be read alone. What was written to a recording that was cut off
// can be read, up to its last whole sample; what is damaged in the middle costs its
// frame only. vacscope help format describes the lines.
//
// A recording is never appended to.
package record

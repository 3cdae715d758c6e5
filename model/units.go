package model

import "time"

// Bytes is a size in bytes.
type Bytes int64

// Blocks is a number of heap or index blocks of the server's block_size.
type Blocks int64

// PerSecond is a rate; what is counted stands beside it.
type PerSecond float64

// Ratio is a share of a whole, 1 being all of it. Shares of process-time lie
// between 0 and 1; a memory fill can exceed 1 (17+ lets the dead item store
// pass its limit).
type Ratio float64

// Range is a span between two estimates of the same time, the shorter first.
type Range struct {
	Low, High time.Duration
}

// Milliseconds turns the server's float8 milliseconds into a duration.
func Milliseconds(ms float64) time.Duration {
	return time.Duration(ms * float64(time.Millisecond))
}

// InMilliseconds is the inverse of Milliseconds.
func InMilliseconds(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}

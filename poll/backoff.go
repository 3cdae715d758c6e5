package poll

import (
	"math/rand/v2"
	"time"
)

// backoff spaces attempts to connect: doubling, capped, with jitter, so that many
// watchers do not return to a restarted server at one moment.
type backoff struct {
	delay time.Duration
	rand  *rand.Rand
}

const (
	firstDelay = 500 * time.Millisecond
	maxDelay   = 15 * time.Second
)

// next returns how long to wait before the next attempt: between half of the
// current delay and all of it.
func (b *backoff) next() time.Duration {
	b.delay = min(max(firstDelay, 2*b.delay), maxDelay)
	half := int64(b.delay / 2)
	return time.Duration(half + b.rand.Int64N(half+1))
}

// reset is for after a success.
func (b *backoff) reset() { b.delay = 0 }

package model

import (
	"slices"
	"time"
)

// IDRate is how fast ids are used up, over a window that ends at the last reading.
type IDRate struct {
	PerSecond PerSecond
	Window    time.Duration
}

// The window of an IDRate. Below the least a burst would be taken for the rule.
const (
	maxIDWindow   = 10 * time.Minute
	leastIDWindow = 30 * time.Second
	// maxIDReadings bounds the readings kept: one every 5 s, and some.
	maxIDReadings = 130
)

// idReading is the next ids at one moment.
type idReading struct {
	at   time.Time
	xid  uint64
	mxid uint32
}

// countIDs keeps a reading of the next ids. One that is behind the last is of
// another server: counting begins anew.
func (t *Tracker) countIDs(at time.Time, p *Poll) {
	xid, ok := p.NextXID.Get()
	mxid, both := p.NextMXID.Get()
	if !ok || !both {
		return
	}
	if n := len(t.ids); n > 0 && (xid < t.ids[n-1].xid || !at.After(t.ids[n-1].at)) {
		t.ids = nil
	}
	from := max(0, len(t.ids)+1-maxIDReadings)
	for from < len(t.ids) && at.Sub(t.ids[from].at) > maxIDWindow {
		from++
	}
	t.ids = append(slices.Clone(t.ids[from:]), idReading{at, xid, mxid})
}

// idRates are the rates over the readings kept; absent over less than leastIDWindow.
func idRates(readings []idReading) (xids, mxids Opt[IDRate]) {
	if len(readings) < 2 {
		return xids, mxids
	}
	first, last := readings[0], readings[len(readings)-1]
	window := last.at.Sub(first.at)
	if window < leastIDWindow {
		return xids, mxids
	}
	rate := func(n float64) Opt[IDRate] { return Some(IDRate{PerSecond(n / window.Seconds()), window}) }
	return rate(float64(last.xid - first.xid)), rate(float64(last.mxid - first.mxid)) // multixact ids wrap, and so does their difference
}

// idsSince are the ids used since an earlier reading.
func idsSince(then idReading, readings []idReading) (xids, mxids int64) {
	if len(readings) == 0 || then.at.IsZero() {
		return 0, 0
	}
	now := readings[len(readings)-1]
	if now.xid < then.xid {
		return 0, 0
	}
	return int64(now.xid - then.xid), int64(now.mxid - then.mxid)
}

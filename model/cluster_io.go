package model

import "time"

// ClusterIO is what all processes of a server read and wrote between two readings of what
// it counts.
type ClusterIO struct {
	From, To time.Time
	Contexts []IOCount // in which something was done
}

// readIO is a reading, and when it was made.
type readIO struct {
	at   time.Time
	read *IORead
}

// freshIO is how old a reading may be when a run begins. A later one takes its place: what
// the run itself does is counted at its end.
const freshIO = 10 * time.Second

// countIO takes a reading, for the runs that go on and for those that have ended since
// the one before.
func (t *Tracker) countIO(at time.Time, read *IORead) {
	if read == nil {
		return
	}
	t.ioBefore, t.io = t.io, &readIO{at, read}
	for _, r := range t.active {
		if from := r.run.ioFrom; from == nil || r.run.WatchedFrom().Sub(from.at) > freshIO {
			r.run.ioFrom = t.io
		}
	}
	for i, r := range t.ended {
		if i >= maxEndedFull || r.ClusterIO != nil {
			break // they stand with the last one first
		}
		if r.ioFrom == nil || r.End.How == EndLost || !at.After(r.End.At) {
			continue
		}
		counted := *r
		counted.ClusterIO, counted.ioFrom = t.io.since(r.ioFrom), nil
		t.replaceEnded(i, &counted)
	}
}

// ioBeforeNow is the last reading that was made before a time; nil for none.
func (t *Tracker) ioBeforeNow(at time.Time) *readIO {
	if t.io != nil && t.io.at.After(at) {
		return t.ioBefore
	}
	return t.io
}

// since is what was done between two readings; nil where the counts were reset.
func (r *readIO) since(from *readIO) *ClusterIO {
	if !r.read.ResetAt.Or(time.Time{}).Equal(from.read.ResetAt.Or(time.Time{})) {
		return nil
	}
	before := map[Text]IOCount{}
	for _, c := range from.read.Contexts {
		before[c.Context] = c
	}
	out := &ClusterIO{From: from.at, To: r.at}
	for _, c := range r.read.Contexts {
		if d := c.since(before[c.Context]); d != (IOCount{Context: c.Context}) {
			out.Contexts = append(out.Contexts, d)
		}
	}
	return out
}

func (c IOCount) since(b IOCount) IOCount {
	return IOCount{
		Context: c.Context, Hits: c.Hits - b.Hits, Reads: c.Reads - b.Reads, ReadBytes: c.ReadBytes - b.ReadBytes,
		Writes: c.Writes - b.Writes, WriteBytes: c.WriteBytes - b.WriteBytes, Extends: c.Extends - b.Extends, ExtendBytes: c.ExtendBytes - b.ExtendBytes,
		Evictions: c.Evictions - b.Evictions, Reuses: c.Reuses - b.Reuses, Fsyncs: c.Fsyncs - b.Fsyncs,
	}
}

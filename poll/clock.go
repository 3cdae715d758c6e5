package poll

import "time"

// serverClock tells the server's time between polls: the server's clock at a
// moment of the client's monotonic clock, the middle of a round trip.
type serverClock struct {
	server time.Time
	client time.Time
}

// clockOf takes the clock from a statement that was sent at the given time; zero
// when it has no answer.
func clockOf(q *request, sent time.Time) serverClock {
	if q.at.IsZero() {
		return serverClock{}
	}
	return serverClock{server: q.at, client: sent.Add(q.received.Sub(sent) / 2)}
}

func (c serverClock) known() bool { return !c.server.IsZero() }

// at is the server's time at a moment of the client's clock. Before the first
// answer of a server it is the client's own time.
func (c serverClock) at(client time.Time) time.Time {
	if !c.known() {
		return client.Round(0).UTC()
	}
	return c.server.Add(client.Sub(c.client))
}

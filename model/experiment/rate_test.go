package experiment

import (
	"testing"
	"time"
)

// From 5 % on it is said that a rate was not kept, but not of what was under way at the end.
func TestFellBehind(t *testing.T) {
	statements := Due{What: "statements", Times: "latencies", Rate: 2000, Clients: 8, During: time.Minute}
	copies := Due{What: "COPYs", Times: "durations", Rate: 2, Clients: 1, During: 5 * time.Second}
	for _, c := range []struct {
		of   Due
		done int64
		want string
	}{
		{statements, 120_000, ""},
		{statements, 114_000, ""},
		{statements, 113_900, "fell behind the rate: 1,898 of 2,000 statements a second; latencies count the backlog"},
		{statements, 103_920, "fell behind the rate: 1,732 of 2,000 statements a second; latencies count the backlog"},
		{copies, 9, ""},
		{copies, 7, "fell behind the rate: 1.4 of 2 COPYs a second; durations count the backlog"},
		{Due{What: "statements", Clients: 8, During: time.Minute}, 50, ""},
	} {
		c.of.Done = c.done
		if got := c.of.FellBehind(); got != c.want {
			t.Errorf("%d of %+v: %q, want %q", c.done, c.of, got, c.want)
		}
	}
}

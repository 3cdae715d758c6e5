package experiment

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// behindFrom is the share of what was due from which on its not being done is said.
const behindFrom = 0.05

// Due is work that was due at a rate, whether or not what was due before had been done.
type Due struct {
	What, Times string // what was due and how long each took, in the plural
	Rate        int    // a second; 0: none was due
	Clients     int    // that did it, one each at a time
	During      time.Duration
	Done        int64
}

// FellBehind says that much of it was not done by the end; "" where that is not so. What
// the clients were at when it ended does not count as late.
func (d Due) FellBehind() string {
	seconds := d.During.Seconds()
	if float64(d.Done)+float64(d.Clients) >= float64(d.Rate)*seconds*(1-behindFrom) {
		return ""
	}
	return fmt.Sprintf("fell behind the rate: %s of %s %s a second; %s count the backlog",
		perSecond(float64(d.Done)/seconds), model.FormatCount(int64(d.Rate)), d.What, d.Times)
}

func perSecond(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.1f", n)
	}
	return model.FormatCount(int64(n))
}

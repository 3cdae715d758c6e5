package report

import (
	"fmt"
	"strconv"
	"time"

	"example.com/vacscope/model"
)

// clock writes a duration to the millisecond: 8:16.415, 1:02:16.004.
func clock(d time.Duration) string {
	ms := max(0, d).Round(time.Millisecond).Milliseconds()
	hours, minutes, seconds := ms/3_600_000, ms/60_000%60, float64(ms%60_000)/1000
	if hours > 0 {
		return fmt.Sprintf("%d:%02d:%06.3f", hours, minutes, seconds)
	}
	return fmt.Sprintf("%d:%06.3f", minutes, seconds)
}

// plainNumber writes a number without an exponent, and without zeros at its end.
func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// signed writes a difference: +12,766, 0, -11.
func signed(n int64) string {
	if n > 0 {
		return "+" + model.FormatCount(n)
	}
	return model.FormatCount(n)
}

// uncertainty writes what a time is known to, in seconds: 0.025.
func uncertainty(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// percent writes a share with a decimal: 75.2.
func percent(share model.Ratio) string { return fmt.Sprintf("%.1f", 100*float64(share)) }

// shareOf is a part of a process-time; absent without one, and over windows too
// short for a share (model.MinShareWindow).
func shareOf(d model.Opt[time.Duration], processTime, wall time.Duration) model.Opt[model.Ratio] {
	v, known := d.Get()
	if !known || processTime <= 0 || wall < model.MinShareWindow {
		return model.None[model.Ratio]()
	}
	return model.Some(min(1, model.Ratio(float64(v)/float64(processTime))))
}

package report

import (
	"fmt"
	"math"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report/statistics"
)

// valueText writes a value of the quantity, or the mean of several: 8:16.415, 2,170.
func (q *Quantity) valueText(v float64) string { return q.Unit.text(v) }

// text writes a value in the unit.
func (u Unit) text(v float64) string {
	switch u {
	case UnitSeconds:
		return clock(inSeconds(v))
	case UnitBytes:
		return model.FormatBytes(model.Bytes(math.Round(v)))
	}
	return countText(v)
}

// meanText writes the mean of a side.
func (q *Quantity) meanText(side model.Opt[statistics.Summary]) string {
	return text(side, func(s statistics.Summary) string { return q.valueText(s.Mean) })
}

// changeText writes the difference of the means with its sign: -9.4 s, +3:05.0, +1,102.
func (q *Quantity) changeText() string { return text(q.Difference.Change, q.signedText) }

// signedText writes a difference with its sign.
func (q *Quantity) signedText(v float64) string {
	switch q.Unit {
	case UnitSeconds:
		return signedTime(v)
	case UnitBytes:
		return sign(v) + model.FormatBytes(model.Bytes(math.Round(math.Abs(v))))
	}
	return sign(v) + countText(math.Abs(v))
}

// countText writes a count, or a mean of counts with a decimal where it has one.
func countText(v float64) string {
	tenths := int64(math.Round(10 * v))
	if tenths%10 == 0 {
		return model.FormatCount(tenths / 10)
	}
	return fmt.Sprintf("%s.%d", model.FormatCount(tenths/10), tenths%10)
}

// signedTime writes a difference of times in seconds: +412 ms, -9.4 s, +3:05.0.
func signedTime(seconds float64) string {
	abs := math.Abs(seconds)
	switch {
	case math.Round(1000*abs) == 0:
		return "+0 ms"
	case abs < 0.9995:
		return fmt.Sprintf("%s%.0f ms", sign(seconds), 1000*abs)
	case abs < 59.95:
		return fmt.Sprintf("%s%.1f s", sign(seconds), abs)
	}
	tenths := int64(math.Round(10 * abs))
	hours, minutes, rest := tenths/36000, tenths/600%60, float64(tenths%600)/10
	if hours > 0 {
		return fmt.Sprintf("%s%d:%02d:%04.1f", sign(seconds), hours, minutes, rest)
	}
	return fmt.Sprintf("%s%d:%04.1f", sign(seconds), minutes, rest)
}

func sign(v float64) string {
	if v < 0 {
		return "-"
	}
	return "+"
}

func inSeconds(v float64) time.Duration { return time.Duration(math.Round(v * float64(time.Second))) }

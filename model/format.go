package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// The forms in which numbers are shown, on screen and in text reports alike.

// Absent is what stands where the server gave no value.
const Absent = "–"

// FormatDuration writes a duration as people read it: 412 ms, 12.4 s, 8:16,
// 1:02:16, 3 d 04:12. Below zero is zero.
func FormatDuration(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d.Round(time.Millisecond) < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d.Round(100*time.Millisecond) < time.Minute:
		return fmt.Sprintf("%.1f s", d.Round(100*time.Millisecond).Seconds())
	}
	s := int64(d.Round(time.Second) / time.Second)
	days, hours, minutes, seconds := s/86400, s/3600%24, s/60%60, s%60
	switch {
	case days > 0:
		return fmt.Sprintf("%d d %02d:%02d", days, hours, minutes)
	case hours > 0:
		return fmt.Sprintf("%d:%02d:%02d", hours, minutes, seconds)
	}
	return fmt.Sprintf("%d:%02d", minutes, seconds)
}

// FormatRange writes a range of time left: "7:31–8:40", or one value where both
// ends read the same.
func FormatRange(r Range) string {
	low, high := FormatDuration(r.Low), FormatDuration(r.High)
	if low == high {
		return low
	}
	return low + "–" + high
}

// FormatLeft writes time left in at most eleven cells: without what nobody waits for,
// which is tenths of seconds, and of hours their seconds.
func FormatLeft(r Range) string {
	switch {
	case r.High < time.Second:
		return "<1 s"
	case r.High < 59500*time.Millisecond:
		return between(fmt.Sprintf("%.0f", r.Low.Seconds()), fmt.Sprintf("%.0f", r.High.Seconds())) + " s"
	case r.High < time.Hour-500*time.Millisecond:
		return between(sexagesimal(r.Low, time.Second), sexagesimal(r.High, time.Second))
	case r.High < 100*time.Hour:
		return between(sexagesimal(r.Low, time.Minute), sexagesimal(r.High, time.Minute)) + " h"
	}
	return between(fmt.Sprintf("%.0f", r.Low.Hours()/24), fmt.Sprintf("%.0f", r.High.Hours()/24)) + " d"
}

// between is a range, or one value where both ends read the same.
func between(low, high string) string {
	if low == high {
		return low
	}
	return low + "–" + high
}

// FormatMinutes writes a time of less than an hour as minutes and seconds: 0:42.
func FormatMinutes(d time.Duration) string { return sexagesimal(d, time.Second) }

// aboutLeft is FormatLeft with the mark of an estimate.
func aboutLeft(r Range) string {
	if r.High < time.Second {
		return "less than 1 s"
	}
	return "≈" + FormatLeft(r)
}

// sexagesimal counts d in units: sixties, a colon, and the rest.
func sexagesimal(d, unit time.Duration) string {
	n := int64(d.Round(unit) / unit)
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}

// FormatCounted is a count with the word that fits it: "1 index", "1,204 indexes".
func FormatCounted[N ~int | ~int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return FormatCount(int64(n)) + " " + many
}

// FormatCount groups thousands: 1,024.
func FormatCount(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// FormatBytes writes a size in IEC units with up to three digits: 512 B, 3.7 MiB,
// 180 MiB, 1.2 TiB.
func FormatBytes(n Bytes) string {
	value, unit := float64(n), "B"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB", "PiB"} {
		if math.Abs(value) < 1023.5 {
			break
		}
		value, unit = value/1024, next
	}
	if unit == "B" || math.Abs(value) >= 9.95 {
		return fmt.Sprintf("%.0f %s", value, unit)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// FormatPercent writes a share as whole percents; what is not all of it never
// reads 100 %, and what is more than nothing never reads 0 %.
func FormatPercent(r Ratio) string {
	p := math.Round(float64(r) * 100)
	switch {
	case r < 1 && p >= 100:
		p = 99
	case r > 0 && p == 0:
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", p)
}

// FormatRate writes a rate of things per second with about three digits.
func FormatRate(r PerSecond) string {
	switch {
	case r >= 100:
		return FormatCount(int64(math.Round(float64(r))))
	case r >= 10:
		return fmt.Sprintf("%.1f", float64(r))
	}
	return fmt.Sprintf("%.2f", float64(r))
}

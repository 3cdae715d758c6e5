package tui

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// Cells of numbers and names, as every pane writes them.

func absent() line { return text(styleDim, model.Absent) }

// opt formats a value, or says that there is none.
func opt[T any](v model.Opt[T], format func(T) string) line {
	if value, ok := v.Get(); ok {
		return plain(format(value))
	}
	return absent()
}

// estimated marks a value that is an estimate.
func estimated(l line, estimate bool) line {
	if !estimate {
		return l
	}
	return append(text(styleDim, glyphEstimate), l...)
}

// share is the part of its process-time that was slept on purpose.
func share(d model.Delay, processTime, wall time.Duration) line {
	s, estimate := d.Share(processTime, wall)
	ratio, ok := s.Get()
	if !ok {
		return absent()
	}
	return estimated(text(styleDelay, model.FormatPercent(ratio)), estimate)
}

// runRange is time left in at most w cells: without tenths of seconds, and hours
// without their seconds, where the whole does not fit.
func runRange(r model.Range, w int) string {
	if full := model.FormatRange(r); len([]rune(full)) <= w {
		return full
	}
	if r.High < time.Minute {
		return fmt.Sprintf("%.0f–%.0f s", r.Low.Seconds(), r.High.Seconds())
	}
	if r.High < time.Hour {
		return sexagesimal(r.Low, time.Second) + "–" + sexagesimal(r.High, time.Second)
	}
	if r.High < 100*time.Hour {
		return fmt.Sprintf("%s–%s h", sexagesimal(r.Low, time.Minute), sexagesimal(r.High, time.Minute))
	}
	return fmt.Sprintf("%.0f–%.0f d", r.Low.Hours()/24, r.High.Hours()/24)
}

// sexagesimal counts d in units: sixties, a colon, and the rest.
func sexagesimal(d, unit time.Duration) string {
	n := int64(d.Round(unit) / unit)
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}

// progressBar fills w cells up to a share of 1.
func progressBar(done model.Ratio, w int) line {
	if w <= 0 {
		return nil
	}
	parts := int(max(0, min(1, done)) * model.Ratio(w*8))
	bar := strings.Repeat(glyphFull, parts/8)
	if parts%8 > 0 {
		bar += eighth(parts % 8)
	}
	track := w - (parts+7)/8
	return line{{bar, styleGood}, {strings.Repeat(glyphTrack, track), styleFrame}}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", model.FormatCount(int64(n)), many)
}

package tui

import (
	"strings"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
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

// coarseRange is time left in at most leastLeft cells.
func coarseRange(r model.Range) string { return model.FormatLeft(r) }

// coarse is one time in the same form.
func coarse(d time.Duration) string { return coarseRange(model.Range{Low: d, High: d}) }

// firstFit is the first of the forms that fits into w cells, else the last.
func firstFit(w int, forms ...string) string {
	for _, form := range forms {
		if ansi.StringWidth(form) <= w {
			return form
		}
	}
	return forms[len(forms)-1]
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

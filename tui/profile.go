package tui

import (
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// classShare is one class's part of a profile.
type classShare struct {
	class model.Class
	share model.Ratio
}

// classShares sums a profile by class, in the order of the classes; samples weigh
// by the time they stand for.
func classShares(profile []model.WaitTime) []classShare {
	var sums [model.Classes]float64
	total := 0.0
	for _, w := range profile {
		weight := weightOf(w)
		sums[w.Class] += weight
		total += weight
	}
	var shares []classShare
	for c, sum := range sums {
		if sum > 0 {
			shares = append(shares, classShare{model.Class(c), model.Ratio(sum / total)})
		}
	}
	return shares
}

func weightOf(w model.WaitTime) float64 {
	if w.Weight > 0 {
		return float64(w.Weight)
	}
	return float64(w.Samples)
}

// largest keeps the n largest shares, in the order of the classes, so that they
// do not change places when their sizes do.
func largest(shares []classShare, n int) []classShare {
	if len(shares) <= n {
		return shares
	}
	bySize := slices.Clone(shares)
	slices.SortStableFunc(bySize, func(a, b classShare) int {
		switch {
		case a.share > b.share:
			return -1
		case a.share < b.share:
			return 1
		}
		return 0
	})
	least := bySize[n-1].share
	var out []classShare
	for _, s := range shares {
		if s.share >= least && len(out) < n {
			out = append(out, s)
		}
	}
	return out
}

// shareTexts is "delay 83  wal  9  cpu  8": percents of the samples, as many
// classes as fit into w cells.
func shareTexts(profile []model.WaitTime, w int) line {
	shares := classShares(profile)
	if len(shares) == 0 {
		return absent()
	}
	out := shareText(largest(shares, 1))
	for n := 2; n <= len(shares); n++ {
		more := shareText(largest(shares, n))
		if more.width() > w {
			break
		}
		out = more
	}
	return out
}

func shareText(shares []classShare) line {
	var out line
	for i, s := range shares {
		if i > 0 {
			out = append(out, seg{"  ", stylePlain})
		}
		number := strings.TrimSuffix(model.FormatPercent(s.share), " %")
		out = append(out, seg{s.class.String(), classStyle(s.class)}, seg{fmt.Sprintf(" %2s", number), stylePlain})
	}
	return out
}

// shareBar fills w cells with the classes' shares. Sleeping on purpose is drawn
// light, and where there are no colours each class by its letter.
func shareBar(t *theme, profile []model.WaitTime, w int) line {
	var out line
	sum, drawn := model.Ratio(0), 0
	for _, s := range classShares(profile) {
		sum += s.share
		n := int(float64(sum)*float64(w)+0.5) - drawn
		drawn += n
		out = append(out, seg{strings.Repeat(classFill(t, s.class), n), classStyle(s.class)})
	}
	return out
}

func classFill(t *theme, c model.Class) string {
	switch {
	case t.letters():
		return classLetter(c)
	case c == model.ClassDelay:
		return glyphTrack
	}
	return glyphFull
}

// waitName is what a sample saw: the server's name, or that it saw no wait.
func waitName(w model.WaitTime) string {
	if wait, ok := w.Wait.Get(); ok {
		return show(model.Text(wait.String()))
	}
	return "on CPU"
}

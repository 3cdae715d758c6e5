package report

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// ProgressLine is a run in sight on one line: its relation and phase, progress
// and time left of the whole run or else the phase, the share of its time asleep.
func ProgressLine(s *model.Snapshot, r *model.Run) string {
	parts := []string{s.NameOf(r)}
	add := func(part string) { parts = append(parts, part) }
	switch phase := r.Phase(); {
	case r.State == model.StateWaiting:
		add("waits for its table lock " + model.FormatDuration(r.WaitedForLock.Or(0)))
	case phase != nil:
		add(phase.Phase.Display())
		if done, known := r.Done().Get(); known {
			add(model.FormatPercent(done))
		}
		left, known := r.LeftRange().Get()
		stalled, stands := r.Whole.Stalled.Get()
		switch {
		case stands:
			add("stalled " + model.FormatDuration(stalled))
		case known && r.OfWhole():
			add("left " + model.FormatRange(left))
			if unchanged, ok := r.Whole.Unchanged.Get(); ok {
				add("unchanged " + model.FormatDuration(unchanged))
			}
		case known:
			add("phase left " + model.FormatRange(left))
		}
		if share, _ := phase.Delay.Share(phase.ProcessTime, phase.Wall); share.Known() {
			add(fmt.Sprintf("asleep %s", model.FormatPercent(share.Or(0))))
		}
	}
	return strings.Join(parts, "  ")
}

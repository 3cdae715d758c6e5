package report

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// ProgressLine is a run in sight on one line: its relation, phase, the phase's
// progress and time left, the share of its time that it is asleep.
func ProgressLine(s *model.Snapshot, r *model.Run) string {
	parts := []string{s.NameOf(r)}
	add := func(part string) { parts = append(parts, part) }
	switch phase := r.Phase(); {
	case r.State == model.StateWaiting:
		add("waits for its table lock " + model.FormatDuration(r.WaitedForLock.Or(0)))
	case phase != nil:
		add(phase.Phase.Display())
		if done, known := r.Left.Done.Get(); known {
			add(model.FormatPercent(done))
		}
		if left, known := r.Left.Range.Get(); known {
			add("phase left " + model.FormatRange(left))
		}
		if share, _ := phase.Delay.Share(phase.ProcessTime, phase.Wall); share.Known() {
			add(fmt.Sprintf("asleep %s", model.FormatPercent(share.Or(0))))
		}
	}
	return strings.Join(parts, "  ")
}

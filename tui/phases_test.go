package tui

import (
	"strings"
	"testing"

	"example.com/vacscope/model"
)

func TestDoneOfAnEndedRunIsTheLastSeen(t *testing.T) {
	a := screen(endedSnapshot())
	press(a, "tab", "z")
	if lineWith(a, "vacuuming indexes", "last 9 of 21") == "" || lineWith(a, "scanning heap", "222,222 of 222,222") == "" {
		t.Errorf("phases of an ended run:\n%s", a.View())
	}
}

func TestPhasesHaveARowCursor(t *testing.T) {
	a := screen(parallelSnapshot())
	press(a, "tab", "z")
	if lineWith(a, glyphSelected, "vacuuming indexes", "9 of 21") == "" {
		t.Errorf("the cursor is not on the current phase:\n%s", a.View())
	}
	press(a, "k")
	if lineWith(a, glyphSelected, "scanning heap", "448 pages/s") == "" {
		t.Errorf("k does not move the cursor:\n%s", a.View())
	}
}

// An average of nothing is not a rate.
func TestNothingMovedHasNoRate(t *testing.T) {
	span := parallelRun().Phases[1]
	span.Moved.To = 0
	if got := rate(&span)[0].text; got != model.Absent {
		t.Errorf("0 of 21 indexes at %s", got)
	}
}

// The passes are an estimate until the heap has been scanned to its end.
func TestPassesAreAnEstimateWhileScanning(t *testing.T) {
	run := parallelRun()
	if got := memory(run); !strings.HasSuffix(got, ", 1 pass") {
		t.Errorf("after the scan: %s", got)
	}
	run.Progress.HeapBlksScanned = model.Some[model.Blocks](100)
	if got := memory(run); !strings.HasSuffix(got, ", ≈1 pass") {
		t.Errorf("while scanning: %s", got)
	}
}

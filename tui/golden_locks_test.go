package tui

import (
	"fmt"
	"testing"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
)

// lockStates are the screens of vacuums that others hold up.
func lockStates() map[string]*model.Snapshot {
	return map[string]*model.Snapshot{
		"held":       heldSnapshot(),
		"truncating": truncatingSnapshot(),
		"masked":     maskedSnapshot(),
		"disabled":   disabledSnapshot(),
	}
}

func TestLockFrames(t *testing.T) {
	for state, snapshot := range lockStates() {
		for _, size := range frameSizes {
			t.Run(fmt.Sprintf("%s_%dx%d", state, size[0], size[1]), func(t *testing.T) {
				a := newApp(termenv.Ascii, false)
				resize(a, size[0], size[1])
				a.Update(SnapshotMsg{snapshot})
				golden.RequireEqual(t, a.View())
			})
		}
		t.Run(state+"_zoom", func(t *testing.T) {
			golden.RequireEqual(t, func() string {
				a := lockScreen(snapshot, 120, 40)
				press(a, "j", "z")
				return a.View()
			}())
		})
	}
}

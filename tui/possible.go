package tui

import (
	"fmt"

	"example.com/vacscope/model"
)

// unread says that nothing was read so far; "" when something was.
func (a *App) unread() string {
	if a.latest == nil {
		return "nothing has been read yet"
	}
	return ""
}

// impossible says why an action can do nothing now, and what would make it
// possible; "" when it can.
func (a *App) impossible(act action) string {
	l := a.layout()
	if a.page != nil {
		switch act {
		case actZoom, actNextPane, actPreviousPane, actSort, actFilter, actAll, actDetails:
			return label(actBack) + " goes back to the panes first"
		}
	}
	switch act {
	case actZoom, actNextPane, actPreviousPane:
		if l.mode != modeFull {
			return fmt.Sprintf("on a terminal this small there is one pane; from %dx%d on there are more", fullWidth, fullHeight)
		}
	case actFilter, actPalette, actExplain:
		if l.mode == modeTiny {
			return fmt.Sprintf("the terminal is too small: it takes %dx%d", tinyWidth, tinyHeight)
		}
	case actPause:
		return a.unread()
	case actExport:
		if a.options.Save == nil {
			return "there is no folder for files"
		}
		return a.unread()
	case actRecord:
		if a.options.Recorder == nil {
			return "what is shown is not watched: there is nothing to record"
		}
		return a.unread()
	case actQueue:
		if a.snap != nil && a.snap.Server.InRecovery {
			return "this server is a standby: autovacuum works on its primary"
		}
		return a.unread()
	case actEnd:
		if a.latest == nil || a.latest.Horizon == nil {
			return "who keeps dead rows has not been read yet"
		}
	case actDemoStep:
		return a.stepless()
	case actReconnect:
		if a.options.Reconnect == nil {
			return "there is no server behind what is shown"
		}
	case actVacuum:
		if a.acting() == "" && a.latest != nil && a.latest.Server.InRecovery {
			return "this server is a standby: VACUUM runs on its primary"
		}
		return a.acting()
	case actSettings, actUndo:
		return a.acting()
	case actCancel:
		switch {
		case a.acting() != "":
			return a.acting()
		case a.run == nil || a.run.State == model.StateEnded:
			return "no vacuum that runs is selected"
		}
	case actWhatIf:
		if a.run == nil || a.run.State != model.StateRunning {
			return "no vacuum that runs is selected"
		}
	case actCopy, actDetails, actCompare:
		if a.run == nil {
			return "no vacuum is selected; one that begins is, by itself"
		}
	}
	for _, b := range bindings() {
		if b.action == act && b.paused {
			return a.unseekable(act)
		}
	}
	return ""
}

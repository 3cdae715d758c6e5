package report

import (
	"strings"

	"example.com/vacscope/model"
)

// blockerObject is a session, or a prepared transaction, that others wait for.
type blockerObject struct {
	PID             model.Opt[int32]      `json:"pid"`
	GID             model.Opt[model.Text] `json:"gid"`
	BackendType     model.Opt[model.Text] `json:"backend_type"`
	Role            model.Opt[model.Text] `json:"role"`
	ApplicationName model.Opt[model.Text] `json:"application_name"`
	State           model.Opt[model.Text] `json:"state"`
	XactStart       model.Opt[timestamp]  `json:"xact_start"`
	Query           model.Opt[model.Text] `json:"query"`
}

func newBlocker(b model.Blocker) blockerObject {
	return blockerObject{
		PID: unlessZero(b.PID), GID: b.GID, BackendType: b.BackendType, Role: b.Role, ApplicationName: b.ApplicationName, State: b.State,
		XactStart: mapped(b.XactStart, toTimestamp), Query: b.Query,
	}
}

// heldObject is why a running vacuum stands still.
type heldObject struct {
	Kind    model.HeldKind          `json:"kind"`
	PID     int32                   `json:"pid"`
	Since   timestamp               `json:"since"`
	HeldMS  float64                 `json:"held_ms"`
	HeapBlk model.Opt[model.Blocks] `json:"heap_blk"`
	// Suspects are for kind cleanup, holders for kind truncate; null: not read, or of
	// the other kind.
	Suspects []blockerObject `json:"suspects"`
	Holders  []blockerObject `json:"holders"`
}

// newHeld is null for a run that does not stand still.
func newHeld(r *model.Run) *heldObject {
	h := r.HeldUp
	if h == nil {
		return nil
	}
	o := &heldObject{Kind: h.Kind, PID: h.PID, Since: timestamp(h.Since), HeldMS: milliseconds(r.LastSeen.Sub(h.Since)), HeapBlk: h.At}
	switch {
	case !h.HoldersRead:
	case h.Kind == model.HeldCleanup:
		o.Suspects = each(h.Holders, newBlocker)
	default:
		o.Holders = each(h.Holders, newBlocker)
	}
	return o
}

// heldText says the same to a person.
func heldText(r *model.Run) string {
	h := r.HeldUp
	pids := blockers(each(h.Holders, func(b model.Blocker) int32 { return b.PID }))
	since := ""
	if held := r.LastSeen.Sub(h.Since); held > 0 { // one reading tells no duration
		since = "for at least " + model.FormatDuration(held) + ", "
	}
	if h.Kind == model.HeldTruncate {
		return since + "to cut off the table's empty end, behind " + pids
	}
	s := since + "for a page that another session has in use (holder not visible)"
	if len(h.Holders) == 0 {
		return s
	}
	return strings.TrimSuffix(s, ")") + "; suspects: " + pids + ")"
}

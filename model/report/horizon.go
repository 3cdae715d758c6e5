package report

import (
	"example.com/vacscope/model"
)

// horizonObject is who keeps dead rows from being removed, the oldest first.
type horizonObject struct {
	ReadAt  timestamp      `json:"read_at"`
	Holders []holderObject `json:"holders"`
	Unread  []string       `json:"not_readable"`
}

// holderObject is one of them. The keeps_ keys are as seen from the connected database.
type holderObject struct {
	Kind            model.HolderKind      `json:"kind"` // session, prepared, walsender, slot, slot_catalog
	PID             model.Opt[int32]      `json:"pid"`
	GID             model.Opt[model.Text] `json:"gid"`
	Slot            model.Opt[model.Text] `json:"slot_name"`
	Age             int64                 `json:"age_xids"`
	Since           model.Opt[timestamp]  `json:"since"`
	DatID           model.Opt[uint32]     `json:"datid"`
	Database        model.Opt[model.Text] `json:"database"`
	Role            model.Opt[model.Text] `json:"role"`
	ApplicationName model.Opt[model.Text] `json:"application_name"`
	BackendType     model.Opt[model.Text] `json:"backend_type"`
	State           model.Opt[model.Text] `json:"state"`
	Query           model.Opt[model.Text] `json:"query"`
	Masked          bool                  `json:"masked"`
	KeepsTables     bool                  `json:"keeps_user_tables"`
	KeepsCatalogs   bool                  `json:"keeps_catalogs"`
	EndedBy         model.Opt[string]     `json:"ended_by"`
}

func newHorizon(s *model.Snapshot) *horizonObject {
	if s.Horizon == nil {
		return nil
	}
	return &horizonObject{
		ReadAt: timestamp(s.Horizon.ReadAt),
		Unread: each(s.Horizon.Unread, func(part string) string { return part }),
		Holders: each(s.Horizon.Holders, func(h model.XminHolder) holderObject {
			return holderObject{
				Kind: h.Kind, PID: unlessZero(h.PID), GID: unlessZero(h.GID), Slot: unlessZero(h.Slot), Age: h.Age,
				Since: mapped(h.Since, toTimestamp),
				DatID: unlessZero(h.DatID), Database: h.Database, Role: h.Role, ApplicationName: h.ApplicationName,
				BackendType: h.BackendType, State: h.State, Query: h.Query, Masked: h.Masked,
				KeepsTables: h.Keeps(s.Server.DatID), KeepsCatalogs: h.KeepsCatalogs(s.Server.DatID), EndedBy: unlessZero(h.EndedBy()),
			}
		}),
	}
}

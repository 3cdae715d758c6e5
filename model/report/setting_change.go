package report

import "example.com/vacscope/model"

// settingChangeObject is a setting of the server that was seen to change.
type settingChangeObject struct {
	At   timestamp            `json:"at"`
	Name string               `json:"name"`
	Old  model.Text           `json:"old_setting"`
	New  model.Text           `json:"new_setting"`
	Unit model.Opt[string]    `json:"unit"`
	Ours bool                 `json:"sent_from_here"`
	Runs []changeEffectObject `json:"vacuums"` // those that went on then, and are in the document
}

// changeEffectObject is what a change did to a vacuum.
type changeEffectObject struct {
	PID     int32                      `json:"pid"`
	Follows model.Opt[bool]            `json:"follows"` // null: it depends on the value, or is not known
	Why     string                     `json:"why"`
	Unit    model.Opt[string]          `json:"rate_unit"`
	Before  model.Opt[model.PerSecond] `json:"per_second_before"`
	After   model.Opt[model.PerSecond] `json:"per_second_after"`
}

func newSettingChange(s *model.Snapshot, c model.SettingChange) settingChangeObject {
	o := settingChangeObject{
		At: timestamp(c.At), Name: c.New.Name, Old: c.Old.Setting, New: c.New.Setting, Unit: c.New.Unit,
		Ours: c.Ours, Runs: []changeEffectObject{},
	}
	for _, r := range s.Active {
		for _, mine := range r.Changes {
			if mine.New == c.New && mine.At.Equal(c.At) {
				o.Runs = append(o.Runs, changeEffectObject{
					PID: r.Key.PID, Follows: mine.Follow.Follows, Why: mine.Follow.Why,
					Unit: unlessZero(mine.Unit), Before: mine.Before, After: mine.After,
				})
			}
		}
	}
	return o
}

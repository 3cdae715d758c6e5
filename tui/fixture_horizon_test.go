package tui

import (
	"time"

	"example.com/vacscope/model"
)

// horizonSnapshot gives a snapshot those who keep dead rows.
func horizonSnapshot(s *model.Snapshot) *model.Snapshot {
	s.Horizon = &model.Horizon{ReadAt: s.At, Holders: []model.XminHolder{
		{
			Kind: model.HolderSession, PID: 460100, DatID: 16384, Age: 12_400_000, Since: model.Some(ago(3 * time.Hour)),
			State: model.Some[model.Text]("idle in transaction"), Role: model.Some[model.Text]("app"), ApplicationName: model.Some[model.Text]("shop"),
		},
		{
			Kind: model.HolderPrepared, GID: "orphan-2", DatID: 16384, Age: 204_118, Since: model.Some(ago(50 * time.Minute)),
			Role: model.Some[model.Text]("dba"), Database: model.Some[model.Text]("app"),
		},
		{Kind: model.HolderWalsender, PID: 460200, Age: 812, State: model.Some[model.Text]("streaming")},
	}}
	return s
}

// endSnapshot is an idle server on which some keep dead rows.
func endSnapshot() *model.Snapshot {
	s := horizonSnapshot(idleSnapshot())
	holders := s.Horizon.Holders
	holders[0].BackendStart, holders[0].Query = model.Some(ago(4*time.Hour)), model.Some[model.Text]("UPDATE orders SET state = 'sent'\nWHERE id = 12")
	s.Horizon.Holders = append(holders[:2:2], model.XminHolder{Kind: model.HolderSlotCatalog, Slot: "forgotten", Age: 90_000}, holders[2])
	return s
}

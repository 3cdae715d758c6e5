package tui

import (
	"time"

	"example.com/vacscope/model"
	"github.com/muesli/termenv"
)

// due makes a table of the queue: what its fullest counts are.
func due(relid uint32, name model.Text, pressures ...model.Pressure) model.QueuedTable {
	t := model.QueuedTable{
		QueueTable: model.QueueTable{
			RelID: relid, Schema: "public", Name: name, Kind: "r", XIDAge: 183_402_117 - 1_000_000*int64(relid%10), MXIDAge: 10_204,
			LastVacuum: model.Some(ago(3 * time.Hour)),
		},
		Pressures: pressures,
	}
	for _, p := range pressures {
		switch {
		case !p.Over():
		case p.Of == model.PressureChanged:
			t.Analyze = true
		default:
			t.Vacuum = true
			t.Wraparound = t.Wraparound || p.Of == model.PressureXIDs
		}
	}
	return t
}

func pressure(of model.PressureOf, have int64, threshold float64) model.Pressure {
	return model.Pressure{Of: of, Have: have, Threshold: threshold}
}

// queueSnapshot is an idle server with much to do next.
func queueSnapshot() *model.Snapshot {
	s := withSettings(idleSnapshot())
	s.Settings = append(s.Settings, model.Setting{Name: "autovacuum_max_workers", Setting: "3"})
	s.AutovacuumWorkers = model.Some(1)
	age := pressure(model.PressureXIDs, 183_402_117, 200_000_000)
	old := due(16610, "ledger", pressure(model.PressureXIDs, 200_412_000, 200_000_000), pressure(model.PressureDead, 12, 24_050))
	old.XIDAge = 200_412_000
	locked := due(16601, "orders", pressure(model.PressureDead, 1_204_332, 50_050), pressure(model.PressureChanged, 1_400_112, 25_050), pressure(model.PressureInserted, 20_412, 51_000), age)
	locked.Holders = []model.Holder{
		{RelID: 16601, PID: 460112, State: model.Some[model.Text]("idle in transaction"), XactStart: model.Some(ago(3 * time.Hour)), Role: model.Some[model.Text]("app"), ApplicationName: model.Some[model.Text]("migrate")},
		{RelID: 16601, PID: 460201, Waits: true},
	}
	toast := due(16602, "pg_toast_16601", pressure(model.PressureDead, 90_412, 20_050), age)
	toast.Schema, toast.Kind, toast.ToastOf = "pg_toast", "t", &model.RelationName{Schema: "public", Name: "orders"}
	off := due(16604, "staging", pressure(model.PressureDead, 48_000_000, 1_000_050))
	off.Vacuum, off.Disabled, off.RelOptions = false, true, []model.Text{"autovacuum_enabled=off"}
	off.LastVacuum = model.None[time.Time]()
	s.Queue = &model.Queue{ReadAt: ago(12 * time.Second), Whole: true, HoldersRead: true, Tables: []model.QueuedTable{
		old, locked, toast,
		due(16603, "events", pressure(model.PressureInserted, 2_400_000, 1_201_000), age),
		off,
		due(16605, "sessions", pressure(model.PressureDead, 43_550, 50_050), age),
	}}
	return s
}

// queueBusySnapshot is a queue of 19 while one of its tables is vacuumed and all
// workers are busy.
func queueBusySnapshot() *model.Snapshot {
	s := queueSnapshot()
	s.Server.VersionNum, s.Server.Version = 190000, "19rc1"
	run := autovacuumRun()
	s.Active, s.AutovacuumWorkers = []*model.Run{run}, model.Some(3)
	s.Queue.Tables[1].RelID, s.Queue.Tables[1].Holders = run.Key.RelID, nil
	for i := range s.Queue.Tables {
		t := &s.Queue.Tables[i]
		t.Score = &model.QueueScore{Score: float64(t.Fullest()), DoVacuum: t.Vacuum, DoAnalyze: t.Analyze, ForWraparound: t.Wraparound}
	}
	return s
}

// queueOffSnapshot is a server whose autovacuum is off; who has locks it does not tell.
func queueOffSnapshot() *model.Snapshot {
	s := queueSnapshot()
	s.Queue.Off, s.Queue.HoldersRead, s.Queue.Whole = "autovacuum", false, false
	for i := range s.Queue.Tables {
		t := &s.Queue.Tables[i]
		t.Vacuum, t.Analyze, t.Holders = t.Wraparound, false, nil
	}
	return s
}

// queueCalmSnapshot has nothing due, only old tables.
func queueCalmSnapshot() *model.Snapshot {
	s := queueSnapshot()
	s.Queue.Tables = s.Queue.Tables[5:]
	return s
}

func queueUnreadSnapshot() *model.Snapshot {
	s := queueSnapshot()
	s.Queue = nil
	return s
}

func queueStates() map[string]*model.Snapshot {
	return map[string]*model.Snapshot{
		"queue": queueSnapshot(), "queue_busy": queueBusySnapshot(), "queue_off": queueOffSnapshot(),
		"queue_calm": queueCalmSnapshot(), "queue_unread": queueUnreadSnapshot(),
	}
}

// queueCases are the screens of the queue.
func queueCases() []frameCase {
	var cases []frameCase
	for state := range queueStates() {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			cases = append(cases, frameCase{name: state, w: size[0], h: size[1], profile: termenv.Ascii, state: state, keys: []string{"N"}})
		}
	}
	return append(cases,
		frameCase{name: "queue_locked", w: 120, h: 40, profile: termenv.Ascii, state: "queue", keys: []string{"N", "j"}},
		frameCase{name: "queue_locked", w: 80, h: 24, profile: termenv.Ascii, state: "queue", keys: []string{"N", "j"}},
		frameCase{name: "queue_small", w: 40, h: 10, profile: termenv.Ascii, state: "queue", keys: []string{"N"}},
		frameCase{name: "queue_idle", w: 80, h: 24, profile: termenv.Ascii, state: "queue"},
		frameCase{name: "queue_help", w: 120, h: 40, profile: termenv.Ascii, state: "queue", keys: []string{"N", "?"}},
		frameCase{name: "ascii_queue", w: 120, h: 40, profile: termenv.Ascii, ascii: true, state: "queue", keys: []string{"N", "j"}},
	)
}

package report

import (
	"example.com/vacscope/model"
)

// queueObject is what autovacuum has to do next in the connected database.
type queueObject struct {
	ReadAt      timestamp         `json:"read_at"`
	Off         model.Opt[string] `json:"only_wraparound_because_off"` // the setting that is off
	Workers     model.Opt[int]    `json:"autovacuum_workers"`
	MaxWorkers  model.Opt[int]    `json:"autovacuum_workers_most"`
	Whole       bool              `json:"complete"`
	LocksRead   bool              `json:"locks_read"`
	Tables      []queuedObject    `json:"tables"`
	OldestEdges []queueEdgeObject `json:"edges"`
}

type queuedObject struct {
	RelID       uint32                     `json:"relid"`
	Schema      model.Text                 `json:"schema"`
	Table       model.Text                 `json:"table"`
	ToastOf     model.Opt[tableObject]     `json:"toast_of"`
	Vacuum      bool                       `json:"due_vacuum"`
	Analyze     bool                       `json:"due_analyze"`
	Wraparound  bool                       `json:"for_wraparound"`
	Pressures   []pressureObject           `json:"counts"`
	Score       model.Opt[float64]         `json:"score"`
	LastVacuum  model.Opt[timestamp]       `json:"last_vacuum"`
	LastAnalyze model.Opt[timestamp]       `json:"last_analyze"`
	Hindrance   model.Opt[model.Hindrance] `json:"hindered_by"`
	WorksOn     []int32                    `json:"worked_on_by_pids"`
	InTheWay    []blockerObject            `json:"locked_by"`
}

// pressureObject is a count beside the threshold above which autovacuum acts.
type pressureObject struct {
	Of        model.PressureOf `json:"of"`
	Have      int64            `json:"count"`
	Threshold float64          `json:"threshold"`
	Over      bool             `json:"over"`
}

// queueEdgeObject is an age of a database or, with its name, of a table.
type queueEdgeObject struct {
	edgeObject
	Table model.Opt[string] `json:"table"`
}

// newQueue is null before the queue was read.
func newQueue(s *model.Snapshot) *queueObject {
	if s.Queue == nil {
		return nil
	}
	busy, most := s.Workers()
	return &queueObject{
		ReadAt: timestamp(s.Queue.ReadAt), Off: unlessZero(s.Queue.Off), Workers: busy, MaxWorkers: most,
		Whole: s.Queue.Whole, LocksRead: s.Queue.HoldersRead,
		Tables:      each(s.Queued(), func(t model.QueuedTable) queuedObject { return newQueued(s, t) }),
		OldestEdges: each(s.OldestEdges(), newQueueEdge),
	}
}

func newQueued(s *model.Snapshot, t model.QueuedTable) queuedObject {
	o := queuedObject{
		RelID: t.RelID, Schema: t.Schema, Table: t.Name, Vacuum: t.Vacuum, Analyze: t.Analyze, Wraparound: t.Wraparound,
		Pressures: each(t.Pressures, func(p model.Pressure) pressureObject {
			return pressureObject{Of: p.Of, Have: p.Have, Threshold: p.Threshold, Over: p.Over()}
		}),
		LastVacuum: mapped(t.LastVacuum, toTimestamp), LastAnalyze: mapped(t.LastAnalyze, toTimestamp),
		Hindrance: s.Hindrance(t), WorksOn: each(s.WorksOn(t), same), InTheWay: each(s.InTheWay(t), newBlocker),
	}
	if n := t.ToastOf; n != nil {
		o.ToastOf = model.Some(newTable(*n))
	}
	if t.Score != nil {
		o.Score = model.Some(t.Score.Score)
	}
	return o
}

func newQueueEdge(e model.Edge) queueEdgeObject {
	o := queueEdgeObject{edgeObject: newEdge(e)}
	if e.Of == model.EdgeTable {
		o.Database, o.Table = model.None[model.Text](), unlessZero(string(e.Name))
	}
	return o
}

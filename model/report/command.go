package report

import "example.com/vacscope/model"

// commandObject is a command over several relations that goes on. Its vacuums have
// the same pid and statement_start, or for a session backend_start.
type commandObject struct {
	PID            int32                   `json:"pid"`
	BackendStart   model.Opt[timestamp]    `json:"backend_start"`
	StatementStart model.Opt[timestamp]    `json:"statement_start"`
	Command        string                  `json:"command"`
	Kind           model.GroupKind         `json:"kind"` // tree, list, database, table, session, unknown
	Database       model.Opt[model.Text]   `json:"database"`
	Root           model.Opt[tableObject]  `json:"root"`
	ElapsedMS      float64                 `json:"elapsed_ms"`
	TableNumber    model.Opt[int]          `json:"table_number"`
	AtLeast        bool                    `json:"table_number_is_at_least"`
	TablesTotal    model.Opt[int]          `json:"tables_total"`
	TotalEstimated bool                    `json:"tables_total_is_estimate"`
	PagesDone      model.Opt[model.Blocks] `json:"pages_done_estimate"`
	PagesTotal     model.Opt[model.Blocks] `json:"pages_total_estimate"`
	PartsSeen      int                     `json:"parts_seen"`
	Completed      int                     `json:"parts_completed"`
	NotCompleted   int                     `json:"parts_not_completed"`
	NotVisible     int                     `json:"parts_result_not_visible"`
	Analyzing      bool                    `json:"analyzing"`
}

// newCommands are those that go on.
func newCommands(s *model.Snapshot) []commandObject {
	commands := []commandObject{}
	for _, g := range s.Groups {
		if g.End == nil {
			commands = append(commands, newCommand(g))
		}
	}
	return commands
}

func newCommand(g *model.Group) commandObject {
	start := utc(g.Key.StatementStart)
	if g.Kind == model.GroupSession {
		start = model.None[timestamp]()
	}
	return commandObject{
		PID:            g.Key.PID,
		BackendStart:   utc(g.Key.BackendStart),
		StatementStart: start,
		Command:        g.Command,
		Kind:           g.Kind,
		Database:       unlessZero(g.Database),
		Root:           mapped(g.Root, newTable),
		ElapsedMS:      milliseconds(g.Elapsed()),
		TableNumber:    g.Number,
		AtLeast:        g.AtLeast,
		TablesTotal:    g.Total,
		TotalEstimated: g.EstimatedTotal(),
		PagesDone:      g.PagesDone,
		PagesTotal:     g.PagesTotal,
		PartsSeen:      g.Seen,
		Completed:      g.Completed,
		NotCompleted:   g.Unfinished,
		NotVisible:     g.Unclear,
		Analyzing:      g.Analyzing,
	}
}

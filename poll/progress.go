package poll

import (
	"encoding/json"
	"fmt"

	"example.com/vacscope/model"
)

// decodeProgress turns a progress view's row (as jsonb, without pid, datid,
// datname and relid) into typed fields; what has none goes into Other.
func decodeProgress(view string, relid uint32, columns []byte) (*model.Progress, error) {
	p := &model.Progress{View: view, RelID: relid}
	if err := json.Unmarshal(columns, &p.Other); err != nil {
		return p, fmt.Errorf("progress row of view %s: %w", view, err)
	}
	for _, known := range []struct {
		column string
		field  any
	}{
		{"phase", &p.Phase},
		{"heap_blks_total", &p.HeapBlksTotal},
		{"heap_blks_scanned", &p.HeapBlksScanned},
		{"heap_blks_vacuumed", &p.HeapBlksVacuumed},
		{"index_vacuum_count", &p.IndexVacuumCount},
		{"max_dead_tuples", &p.MaxDeadTuples},
		{"num_dead_tuples", &p.NumDeadTuples},
		{"max_dead_tuple_bytes", &p.MaxDeadTupleBytes},
		{"dead_tuple_bytes", &p.DeadTupleBytes},
		{"num_dead_item_ids", &p.NumDeadItemIDs},
		{"indexes_total", &p.IndexesTotal},
		{"indexes_processed", &p.IndexesProcessed},
		{"delay_time", &p.DelayTime},
		{"mode", &p.Mode},
		{"started_by", &p.StartedBy},
		{"command", &p.Command},
	} {
		value, ok := p.Other[known.column]
		if !ok {
			continue
		}
		delete(p.Other, known.column)
		if err := json.Unmarshal(value, known.field); err != nil {
			return p, fmt.Errorf("%s of view %s: %w", known.column, view, err)
		}
	}
	if len(p.Other) == 0 {
		p.Other = nil
	}
	return p, nil
}

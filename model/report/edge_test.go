package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"example.com/vacscope/model"
)

// Ages, how far they are from their limits, and what settings allow are in the
// document with their units; what is not known is null and never 0.
func TestDocumentHasEdgesAndAllowance(t *testing.T) {
	type limit struct {
		Limit  string
		Left   int64    `json:"left_ids"`
		LeftMS *float64 `json:"left_ms_estimate"`
	}
	var got struct {
		Rates struct {
			XIDs  *float64 `json:"xids_per_second"`
			MXIDs *float64 `json:"mxids_per_second"`
		} `json:"id_rates"`
		Vacuums []struct {
			Edges []struct {
				Of, Counter string
				Age         int64 `json:"age_ids"`
				Limits      []limit
			}
			Allowance map[string]any
		}
	}
	text := written(t, func(b *bytes.Buffer) error { return WriteJSON(b, agedSnapshot(), false) })
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if got.Rates.XIDs == nil || *got.Rates.XIDs != 1000 || got.Rates.MXIDs != nil {
		t.Errorf("rates %+v", got.Rates)
	}
	table := got.Vacuums[1].Edges[0]
	first := table.Limits[0]
	if table.Of != "table" || table.Counter != "xid" || table.Age != 170_000_000 || first.Limit != "autovacuum" || first.Left != 30_000_000 || first.LeftMS == nil || *first.LeftMS != 30_000_000 {
		t.Errorf("table %+v", table)
	}
	manual, auto := got.Vacuums[0], got.Vacuums[1].Allowance
	if of := manual.Edges[0].Of; of != "database" {
		t.Errorf("a run without catalog entry begins with the %s", of)
	}
	if manual.Allowance["cost_limit"] != nil || manual.Allowance["not_known_because"] == nil || manual.Allowance["bytes_per_second_cached"] != nil {
		t.Errorf("another session's settings: %v", manual.Allowance)
	}
	if auto["cost_delay_ms"] != 0.5 || auto["cost_limit"] != 66.0 || auto["limit_shared_by_workers"] != 3.0 || auto["cost_delay_from"] != "reloption autovacuum_vacuum_cost_delay" {
		t.Errorf("autovacuum's settings: %v", auto)
	}
}

// Workers that join those who share the limit are in the document with the rates around.
func TestDocumentHasLimitChanges(t *testing.T) {
	s := agedSnapshot()
	share := func(pids ...int32) model.LimitShare { return model.LimitShare{Base: 200, Sharing: pids} }
	s.Active[1].LimitChanges = []model.LimitChange{{
		At: s.At, Old: share(1), New: share(1, 2, 3),
		Around: model.Around{Before: model.Some[model.PerSecond](441), After: model.Some[model.PerSecond](147), Unit: model.UnitBlocks},
	}}
	var got struct {
		Vacuums []struct {
			Allowance struct {
				Changes []map[string]any `json:"limit_changes"`
			}
		}
	}
	text := written(t, func(b *bytes.Buffer) error { return WriteJSON(b, s, false) })
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	changes := got.Vacuums[1].Allowance.Changes
	want := map[string]any{"old_workers": 1.0, "new_workers": 3.0, "old_limit_each": 200.0, "new_limit_each": 66.0, "rate_unit": "blocks", "per_second_before": 441.0, "per_second_after": 147.0}
	if len(changes) != 1 || changes[0]["at"] == nil {
		t.Fatalf("%v", changes)
	}
	for key, value := range want {
		if changes[0][key] != value {
			t.Errorf("%s is %v, want %v", key, changes[0][key], value)
		}
	}
}

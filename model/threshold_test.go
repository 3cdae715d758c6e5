package model

import (
	"slices"
	"testing"
)

// defaults are the settings of a server of a version.
func defaults(version int, more ...Setting) []Setting {
	settings := []Setting{
		{Name: "autovacuum", Setting: "on"}, {Name: "track_counts", Setting: "on"}, {Name: "autovacuum_max_workers", Setting: "3"},
		{Name: "autovacuum_vacuum_threshold", Setting: "50"}, {Name: "autovacuum_vacuum_scale_factor", Setting: "0.2"},
		{Name: "autovacuum_vacuum_insert_threshold", Setting: "1000"}, {Name: "autovacuum_vacuum_insert_scale_factor", Setting: "0.2"},
		{Name: "autovacuum_analyze_threshold", Setting: "50"}, {Name: "autovacuum_analyze_scale_factor", Setting: "0.1"},
		{Name: "autovacuum_freeze_max_age", Setting: "200000000"}, {Name: "autovacuum_multixact_freeze_max_age", Setting: "400000000"},
	}
	if version >= 180000 {
		settings = append(settings, Setting{Name: "autovacuum_vacuum_max_threshold", Setting: "100000000"})
	}
	for _, m := range more {
		settings = slices.DeleteFunc(settings, func(s Setting) bool { return s.Name == m.Name })
		settings = append(settings, m)
	}
	slices.SortFunc(settings, bySettingName)
	return settings
}

func TestThresholdsAreThoseInForce(t *testing.T) {
	off := Setting{Name: "autovacuum_vacuum_insert_threshold", Setting: "-1"}
	for name, c := range map[string]struct {
		table    QueueTable
		settings []Setting
		of       PressureOf
		want     Opt[float64]
	}{
		"dead rows":                     {QueueTable{RelTuples: 1000}, defaults(170000), PressureDead, Some(250.0)},
		"never vacuumed":                {QueueTable{}, defaults(170000), PressureDead, Some(50.0)},
		"of the table":                  {QueueTable{RelTuples: 1000, RelOptions: []Text{"autovacuum_vacuum_threshold=7", "autovacuum_vacuum_scale_factor=0"}}, defaults(170000), PressureDead, Some(7.0)},
		"one of the two of the table":   {QueueTable{RelTuples: 1000, RelOptions: []Text{"autovacuum_vacuum_scale_factor=0.01"}}, defaults(170000), PressureDead, Some(60.0)},
		"TOAST without options":         {QueueTable{RelTuples: 1000, Kind: "t", OwnerOptions: []Text{"autovacuum_vacuum_threshold=7"}}, defaults(170000), PressureDead, Some(207.0)},
		"TOAST with other options":      {QueueTable{RelTuples: 1000, Kind: "t", RelOptions: []Text{"vacuum_truncate=off"}, OwnerOptions: []Text{"autovacuum_vacuum_threshold=7"}}, defaults(170000), PressureDead, Some(250.0)},
		"large, 17":                     {QueueTable{RelTuples: 1e10}, defaults(170000), PressureDead, Some(2e9)},
		"large, 18":                     {QueueTable{RelTuples: 1e10}, defaults(180000), PressureDead, Some(1e8)},
		"large, 18, off for the table":  {QueueTable{RelTuples: 1e10, RelOptions: []Text{"autovacuum_vacuum_max_threshold=-1"}}, defaults(180000), PressureDead, Some(2e9)},
		"inserts":                       {QueueTable{RelTuples: 1000}, defaults(170000), PressureInserted, Some(1200.0)},
		"inserts, half is frozen, 18":   {QueueTable{RelTuples: 1000, RelPages: 10, RelAllFrozen: Some[Blocks](5)}, defaults(180000), PressureInserted, Some(1100.0)},
		"inserts, more than all frozen": {QueueTable{RelTuples: 1000, RelPages: 10, RelAllFrozen: Some[Blocks](11)}, defaults(180000), PressureInserted, Some(1000.0)},
		"inserts, over 16 TB":           {QueueTable{RelTuples: 1000, RelPages: 3 << 30, RelAllFrozen: Some[Blocks](1 << 20)}, defaults(180000), PressureInserted, Some(1200.0)},
		"inserts off":                   {QueueTable{RelTuples: 1000}, defaults(170000, off), PressureInserted, None[float64]()},
		"inserts off, on for the table": {QueueTable{RelTuples: 1000, RelOptions: []Text{"autovacuum_vacuum_insert_threshold=100"}}, defaults(170000, off), PressureInserted, Some(300.0)},
		"changes":                       {QueueTable{RelTuples: 1000}, defaults(170000), PressureChanged, Some(150.0)},
		"changes of TOAST":              {QueueTable{Kind: "t"}, defaults(170000), PressureChanged, None[float64]()},
		"changes of pg_statistic":       {QueueTable{RelID: pgStatistic}, defaults(170000), PressureChanged, None[float64]()},
		"age":                           {QueueTable{}, defaults(170000), PressureXIDs, Some(2e8)},
		"age, less for the table":       {QueueTable{RelOptions: []Text{"autovacuum_freeze_max_age=150000000"}}, defaults(170000), PressureXIDs, Some(1.5e8)},
		"age, more for the table":       {QueueTable{RelOptions: []Text{"autovacuum_freeze_max_age=1500000000"}}, defaults(170000), PressureXIDs, Some(2e8)},
		"settings not read":             {QueueTable{}, nil, PressureDead, None[float64]()},
	} {
		got := None[float64]()
		for _, p := range c.table.pressures(c.settings) {
			if p.Of == c.of {
				got = Some(p.Threshold)
			}
		}
		if got != c.want {
			t.Errorf("%s: threshold %v, want %v", name, got, c.want)
		}
	}
}

func TestAutovacuumActsAboveAThresholdNotAtIt(t *testing.T) {
	for have, over := range map[int64]bool{250: false, 251: true} {
		if got := (Pressure{PressureDead, have, 250}).Over(); got != over {
			t.Errorf("%d of 250: over %v", have, got)
		}
	}
	if share := (Pressure{PressureDead, 3, 0}).Share(); share != 3 {
		t.Errorf("3 of a threshold of 0 is %v of it", share)
	}
}

func TestOptionIsOffHoweverItIsWritten(t *testing.T) {
	for value, off := range map[string]bool{
		"off": true, "false": true, "F": true, "fal": true, "0": true, "no": true, "n": true, "of": true, "on": false, "true": false, "1": false, "o": false, "": false,
	} {
		if got := optionOff([]Text{"fillfactor=90", Text("autovacuum_enabled=" + value)}, "autovacuum_enabled"); got != off {
			t.Errorf("%q: off %v", value, got)
		}
	}
}

package model

import (
	"slices"
	"testing"
)

func TestValuesInDifferentUnitsAreTheSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2ms", "2ms", true}, {"2ms", "2", true}, {"2", "3", false}, {"2ms", "0.002s", true}, {"0.5ms", "500us", true},
		{"1048576kB", "1GB", true}, {"65536kB", "64MB", true}, {"65536kB", "65536", true}, {"1min", "60s", true}, {"1MB", "1s", false},
		{"-1", "-1", true}, {"on", "off", false}, {"on", "on", true}, {"", "0", false}, {"2parsecs", "2parsecs", true}, {"2parsecs", "2ms", false},
	} {
		if got := SameValue(c.a, c.b); got != c.same {
			t.Errorf("%q and %q are the same: %v", c.a, c.b, got)
		}
		if got := SameValue(c.b, c.a); got != c.same {
			t.Errorf("%q and %q are the same: %v", c.b, c.a, got)
		}
	}
}

func TestOptionsOfTablesGoBeforeSettings(t *testing.T) {
	for setting, want := range map[string][]string{
		"vacuum_cost_limit":                {"autovacuum_vacuum_cost_limit"},
		"autovacuum_vacuum_cost_limit":     {"autovacuum_vacuum_cost_limit"},
		"vacuum_freeze_min_age":            {"autovacuum_freeze_min_age"},
		"vacuum_multixact_freeze_min_age":  {"autovacuum_multixact_freeze_min_age"},
		"autovacuum_vacuum_scale_factor":   {"autovacuum_vacuum_scale_factor"},
		"vacuum_truncate":                  {"vacuum_truncate"},
		"autovacuum":                       {"autovacuum_enabled"},
		"maintenance_work_mem":             nil,
		"max_parallel_maintenance_workers": nil,
	} {
		if got := OptionsOver(setting); !slices.Equal(got, want) {
			t.Errorf("over %s go %v, not %v", setting, got, want)
		}
	}
}

func TestServerGoesBeforeSomeOptionsOfTables(t *testing.T) {
	for _, c := range []struct {
		parameter, option, server string
		wins                      bool
	}{
		{"autovacuum_enabled", "on", "off", true}, {"autovacuum_enabled", "fals", "off", false}, {"autovacuum_enabled", "off", "off", false},
		{"autovacuum_enabled", "N", "off", false}, {"autovacuum_enabled", "on", "on", false}, {"autovacuum_enabled", "1", "off", true},
		{"autovacuum_freeze_max_age", "300000000", "200000000", true}, {"autovacuum_freeze_max_age", "100000000", "200000000", false},
		{"autovacuum_parallel_workers", "4", "0", true}, {"autovacuum_parallel_workers", "2", "4", false},
	} {
		if _, wins := CeilingOf(c.parameter); wins(c.option, c.server) != c.wins {
			t.Errorf("%s %s on a server with %s: the server's goes before: %v", c.parameter, c.option, c.server, !c.wins)
		}
	}
	if setting, _ := CeilingOf("autovacuum_vacuum_cost_limit"); setting != "" {
		t.Errorf("%s goes before a table's cost limit", setting)
	}
}

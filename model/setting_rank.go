package model

import (
	"strconv"
	"strings"
)

// storageParameters are the storage parameters that govern vacuums, with the version
// that they came with; other names are settings only.
func storageParameters() map[string]int {
	return map[string]int{
		"autovacuum_enabled": 13, "autovacuum_vacuum_threshold": 13, "autovacuum_vacuum_max_threshold": 18,
		"autovacuum_vacuum_insert_threshold": 13, "autovacuum_vacuum_scale_factor": 13, "autovacuum_vacuum_insert_scale_factor": 13,
		"autovacuum_analyze_threshold": 13, "autovacuum_analyze_scale_factor": 13,
		"autovacuum_vacuum_cost_delay": 13, "autovacuum_vacuum_cost_limit": 13,
		"autovacuum_freeze_max_age": 13, "autovacuum_freeze_min_age": 13, "autovacuum_freeze_table_age": 13,
		"autovacuum_multixact_freeze_max_age": 13, "autovacuum_multixact_freeze_min_age": 13, "autovacuum_multixact_freeze_table_age": 13,
		"log_autovacuum_min_duration": 13, "vacuum_index_cleanup": 13, "vacuum_truncate": 13,
		"vacuum_max_eager_freeze_failure_rate": 18, "autovacuum_parallel_workers": 19,
	}
}

// AutovacuumTwin is the setting that goes before another one in autovacuum's workers,
// unless it is -1; "" for none.
func AutovacuumTwin(setting string) string {
	switch setting {
	case "vacuum_cost_delay", "vacuum_cost_limit":
		return "autovacuum_" + setting
	case "maintenance_work_mem":
		return "autovacuum_work_mem"
	}
	return ""
}

// OptionsOver are the storage parameters that go before a setting of the server for
// the tables that have them; nil for none.
func OptionsOver(setting string) []string {
	if setting == "autovacuum" {
		return []string{"autovacuum_enabled"}
	}
	var out []string
	for _, name := range []string{setting, "auto" + setting, "autovacuum_" + setting} {
		if _, ok := storageParameters()[name]; ok {
			out = append(out, name)
		}
	}
	return out
}

// CeilingOf is the setting of the server above which a storage parameter cannot go; ""
// for none. wins tells of their values whether the server's goes before.
func CeilingOf(parameter string) (setting string, wins func(option, server string) bool) {
	switch parameter {
	case "autovacuum_enabled":
		return "autovacuum", func(option, server string) bool { return server == "off" && !isFalse(option) }
	case "autovacuum_freeze_max_age", "autovacuum_multixact_freeze_max_age":
		return parameter, above
	case "autovacuum_parallel_workers":
		return "autovacuum_max_parallel_workers", above
	}
	return "", nil
}

func above(option, server string) bool {
	o, err := strconv.ParseFloat(option, 64)
	s, serverErr := strconv.ParseFloat(server, 64)
	return err == nil && serverErr == nil && o > s
}

// isFalse tells whether the server takes a word for false: off, or the beginning of
// false or no.
func isFalse(word string) bool {
	word = strings.ToLower(word)
	return word == "0" || word == "of" || word == "off" || word != "" && (strings.HasPrefix("false", word) || strings.HasPrefix("no", word))
}

// SameValue tells whether two values of one setting mean the same, as 2 and 2ms, or
// 1GB and 1048576kB: one without a unit has the setting's own, which the other, read
// from the server, has behind it.
func SameValue(a, b string) bool {
	an, aUnit := numberAndUnit(a)
	bn, bUnit := numberAndUnit(b)
	switch {
	case a == b:
		return true
	case aUnit == "":
		aUnit = bUnit
	case bUnit == "":
		bUnit = aUnit
	}
	x, y := unitSize(aUnit), unitSize(bUnit)
	return an.Known() && bn.Known() && x.kind == y.kind && an.Or(0)*x.size == bn.Or(0)*y.size
}

func numberAndUnit(value string) (n Opt[float64], unit string) {
	digits := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return n, ""
	}
	return Some(v), strings.TrimSpace(value[len(digits):])
}

// unitOf is a unit of the configuration: what it measures, and how much it is.
type unitOf struct {
	kind string
	size float64 // in milliseconds, or kB
}

func unitSize(unit string) unitOf {
	units := map[string]unitOf{
		"": {"", 1}, "us": {"time", 0.001}, "ms": {"time", 1}, "s": {"time", 1000}, "min": {"time", 60_000}, "h": {"time", 3_600_000}, "d": {"time", 86_400_000},
		"B": {"memory", 1.0 / 1024}, "kB": {"memory", 1}, "MB": {"memory", 1024}, "GB": {"memory", 1024 * 1024}, "TB": {"memory", 1024 * 1024 * 1024},
	}
	if u, known := units[unit]; known {
		return u
	}
	return unitOf{unit, 1}
}

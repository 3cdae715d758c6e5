package model

import (
	"cmp"
	"slices"
)

// Pressure is one count of a table beside the threshold above which autovacuum acts.
type Pressure struct {
	Of        PressureOf
	Have      int64
	Threshold float64
}

// PressureOf says what is counted.
type PressureOf string

// What autovacuum counts.
const (
	PressureDead     PressureOf = "dead_rows"     // vacuum: n_dead_tup
	PressureInserted PressureOf = "inserted_rows" // vacuum: n_ins_since_vacuum
	PressureChanged  PressureOf = "changed_rows"  // analyze: n_mod_since_analyze
	PressureXIDs     PressureOf = "xid_age"       // vacuum against wraparound
	PressureMXIDs    PressureOf = "mxid_age"      // the same for multixact ids
)

// Over tells that autovacuum acts on it. Counts of rows are compared in the server's
// single precision, ages are whole numbers.
func (p Pressure) Over() bool {
	if p.wraps() {
		return float64(p.Have) > p.Threshold
	}
	return float32(p.Have) > float32(p.Threshold)
}

// Share is the count as a share of the threshold; of a threshold below 1 as if it were 1.
func (p Pressure) Share() Ratio { return Ratio(float64(p.Have) / max(1, p.Threshold)) }

// analyzes tells that it makes autovacuum analyze, not vacuum.
func (p Pressure) analyzes() bool { return p.Of == PressureChanged }

// wraps tells that it makes autovacuum vacuum even where it is off.
func (p Pressure) wraps() bool { return p.Of == PressureXIDs || p.Of == PressureMXIDs }

// pgStatistic is the oid of pg_statistic, which ANALYZE does not take.
const pgStatistic = 2619

// pressures are a table's counts beside their thresholds, the fullest first, as the
// server computes them (relation_needs_vacanalyze in autovacuum.c, in single precision
// like it). One whose settings are not known, or that is switched off, is left out.
// That of multixact ids can be lower in the server while their members fill the disk,
// which cannot be seen.
func (t QueueTable) pressures(settings []Setting) []Pressure {
	f := inForce{t.options(), settings}
	var out []Pressure
	add := func(of PressureOf, have int64, threshold Opt[float64]) {
		if at, ok := threshold.Get(); ok {
			out = append(out, Pressure{of, have, at})
		}
	}
	add(PressureDead, t.DeadTuples, f.most(f.threshold("autovacuum_vacuum", t.RelTuples)))
	if base, ok := f.number("autovacuum_vacuum_insert_threshold"); ok && base >= 0 {
		add(PressureInserted, t.InsSinceVacuum, f.threshold("autovacuum_vacuum_insert", t.RelTuples*t.unfrozen()))
	}
	if t.Kind != "t" && t.RelID != pgStatistic {
		add(PressureChanged, t.ModSinceAnalyze, f.threshold("autovacuum_analyze", t.RelTuples))
	}
	add(PressureXIDs, t.XIDAge, f.oldest("autovacuum_freeze_max_age"))
	add(PressureMXIDs, t.MXIDAge, f.oldest("autovacuum_multixact_freeze_max_age"))
	slices.SortStableFunc(out, func(a, b Pressure) int { return cmp.Compare(b.Share(), a.Share()) })
	return out
}

// unfrozen is the share of pages that are not all-frozen: from 18 on inserts are
// compared with the rows of those. Before, with all rows. The server takes both counts
// as signed: of a table of more than 2^31 pages it compares with all rows.
func (t QueueTable) unfrozen() float64 {
	pages, frozen := int32(t.RelPages), int32(t.RelAllFrozen.Or(0))
	if pages <= 0 || frozen <= 0 {
		return 1
	}
	return 1 - float64(min(frozen, pages))/float64(pages)
}

// inForce looks up what holds for a table: its own option, else the server's setting,
// which has the same name.
type inForce struct {
	options  []Text
	settings []Setting
}

func (f inForce) number(name string) (float64, bool) {
	if v, ok := optionNumber(f.options, name); ok {
		return v, true
	}
	return settingNumber(f.settings, name)
}

// threshold is a base and a share of rows.
func (f inForce) threshold(of string, rows float64) Opt[float64] {
	base, ok := f.number(of + "_threshold")
	scale, both := f.number(of + "_scale_factor")
	if !ok || !both {
		return None[float64]()
	}
	return Some(float64(float32(base) + float32(scale)*float32(rows)))
}

// most cuts a threshold of dead rows at autovacuum_vacuum_max_threshold (18+).
func (f inForce) most(threshold Opt[float64]) Opt[float64] {
	at, known := threshold.Get()
	if most, ok := f.number("autovacuum_vacuum_max_threshold"); known && ok && most >= 0 {
		return Some(min(at, most))
	}
	return threshold
}

// oldest is the age from which a table is vacuumed against wraparound: the setting, or
// less where the table has its own.
func (f inForce) oldest(name string) Opt[float64] {
	age, ok := settingNumber(f.settings, name)
	if !ok {
		return None[float64]()
	}
	if own, has := optionNumber(f.options, name); has {
		age = min(age, own)
	}
	return Some(age)
}

// disabled tells that the table's own options keep autovacuum away from it, but for
// wraparound.
func (f inForce) disabled() bool { return optionOff(f.options, "autovacuum_enabled") }

package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// costs are the settings of a server by default, with some of them others.
func costs(more ...Setting) []Setting {
	return append(more,
		Setting{Name: "vacuum_cost_delay", Setting: "0"}, Setting{Name: "vacuum_cost_limit", Setting: "200"},
		Setting{Name: "autovacuum_vacuum_cost_delay", Setting: "2"}, Setting{Name: "autovacuum_vacuum_cost_limit", Setting: "-1"},
		Setting{Name: "vacuum_cost_page_hit", Setting: "1"}, Setting{Name: "vacuum_cost_page_miss", Setting: "2"}, Setting{Name: "vacuum_cost_page_dirty", Setting: "20"},
	)
}

// autovacuumBeat is a poll in which workers of autovacuum scan tables 100, 101 ...
func autovacuumBeat(seq uint64, ms int, scanned Blocks, workers int, options ...Text) Sample {
	var processes []Process
	var relations []Relation
	for i := range workers {
		p := vacuumer(scanning(scanned, 100_000))
		p.PID, p.BackendType, p.Query = int32(100+i), Some[Text](autovacuumWorker), Some[Text]("autovacuum: VACUUM public.t")
		p.Progress.RelID = uint32(100 + i)
		rel := Relation{DatID: 5, RelID: uint32(100 + i), Schema: "public", Name: "t"}
		if i == 0 {
			rel.RelOptions = options
		}
		processes, relations = append(processes, p), append(relations, rel)
	}
	s := beat(seq, ms, processes...)
	s.Poll.Relations, s.Poll.Settings = relations, costs()
	return s
}

func TestNapsAllowWhatTheManualSays(t *testing.T) {
	for _, c := range []struct {
		settings CostSettings
		cost     float64
		want     float64
	}{
		{CostSettings{time.Millisecond, 10}, 1, 10_000},
		{CostSettings{time.Millisecond, 10}, 21, 10_000.0 / 21},
		{CostSettings{20 * time.Millisecond, 200}, 22, 10_000.0 / 22},
		{CostSettings{time.Millisecond, 5}, 21, 250}, // a nap is at most four delays
	} {
		if got := c.settings.PagesPerSecond(c.cost).Or(0); math.Abs(float64(got)-c.want) > 0.001 {
			t.Errorf("%+v at %v a page: %v pages/s, want %v", c.settings, c.cost, got, c.want)
		}
	}
}

// What the settings allow is never negative, infinite or not a number, and the cost
// that is concluded from it is the one that went in.
func TestAllowanceStaysInBounds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	delays := []time.Duration{-1, 0, 1, 250 * time.Microsecond, 100 * time.Millisecond, math.MaxInt64}
	units := []float64{math.NaN(), -1, 0, 1e-9, 1, 21, 10_000, math.Inf(1)}
	for range 5000 {
		c := CostSettings{delays[random.IntN(len(delays))], random.IntN(20_000) - 5000}
		cost := units[random.IntN(len(units))]
		pages, ok := c.PagesPerSecond(cost).Get()
		if ok && (math.IsNaN(float64(pages)) || math.IsInf(float64(pages), 0) || pages <= 0) {
			t.Fatalf("%+v at %v a page: %v pages/s", c, cost, pages)
		}
		if b, ok := bytesPerSecond(Some(pages), 8192).Get(); ok && b < 0 {
			t.Fatalf("%v pages/s are %d bytes/s", pages, b)
		}
		if back, known := c.costOf(pages).Get(); known && math.Abs(back-cost) > 1e-6*cost {
			t.Fatalf("%+v: %v pages/s were concluded to cost %v, not %v", c, pages, back, cost)
		}
	}
}

func TestAllowanceOfAnAutovacuum(t *testing.T) {
	for name, c := range map[string]struct {
		options  []Text
		settings []Setting
		workers  int
		want     Allowance
	}{
		"falls back to vacuum_cost_limit": {workers: 1,
			want: Allowance{Settings: Some(CostSettings{2 * time.Millisecond, 200}), DelayFrom: "autovacuum_vacuum_cost_delay", LimitFrom: "vacuum_cost_limit", Shared: 1}},
		"the table's options win": {workers: 3, options: []Text{"autovacuum_vacuum_cost_delay=0.5", "autovacuum_vacuum_cost_limit=1000"},
			want: Allowance{Settings: Some(CostSettings{500 * time.Microsecond, 1000}), DelayFrom: "autovacuum_vacuum_cost_delay", DelayOfTable: true,
				LimitFrom: "autovacuum_vacuum_cost_limit", LimitOfTable: true, Shared: 1}},
		"workers share": {workers: 3,
			want: Allowance{Settings: Some(CostSettings{2 * time.Millisecond, 66}), DelayFrom: "autovacuum_vacuum_cost_delay", LimitFrom: "vacuum_cost_limit", Shared: 3}},
		"no delay, nothing slows it": {workers: 1, options: []Text{"autovacuum_vacuum_cost_delay=0"},
			want: Allowance{Settings: Some(CostSettings{0, 200}), DelayFrom: "autovacuum_vacuum_cost_delay", DelayOfTable: true, LimitFrom: "vacuum_cost_limit",
				Shared: 1, Free: "autovacuum_vacuum_cost_delay is 0"}},
		"a setting of the watching role is not the server's": {workers: 1, settings: []Setting{{Name: "vacuum_cost_limit", Setting: "9", Source: "user"}},
			want: Allowance{Shared: 1, WhyNot: "vacuum_cost_limit is set for the watching session itself (user), and the server's is not visible"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := autovacuumBeat(1, 0, 10, c.workers, c.options...)
			s.Poll.Settings = costs(c.settings...)
			got := last(fold([]Sample{s})).Active[0].Allows
			got.Cached, got.Read, got.Dirtied, got.Processes, got.Share = c.want.Cached, c.want.Read, c.want.Dirtied, 0, nil
			if got != c.want {
				t.Errorf("%+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestAnotherSessionsSettingsAreNotGuessed(t *testing.T) {
	s := beat(1, 0, vacuumer(scanning(10, 1000)))
	s.Poll.Settings = costs()
	a := last(fold([]Sample{s})).Active[0].Allows
	if a.Settings.Known() || a.Cached.Known() || !strings.Contains(a.WhyNot, "not visible") {
		t.Errorf("%+v", a)
	}
}

func TestCornersOfTheAllowance(t *testing.T) {
	a := last(fold([]Sample{autovacuumBeat(1, 0, 10, 1)})).Active[0].Allows
	const pages = 100_000 * 8192 // units a second, at a page's size
	if a.Cached != Some[Bytes](pages) || a.Read != Some[Bytes](pages/2) || a.Dirtied.Or(0) != Bytes(math.Round(1/(21.0/200*0.002)*8192)) {
		t.Errorf("cached %v, read %v, dirtied %v", a.Cached, a.Read, a.Dirtied)
	}
}

// sleeps is a stream of beats a second apart that pass pages, asleep throughout.
func sleeps(from, n int, at Blocks, perBeat Blocks, change func(*Sample)) []Sample {
	var out []Sample
	for i := range n {
		s := autovacuumBeat(uint64(from+i+1), (from+i)*1000, at+Blocks(i)*perBeat, 1)
		delay := float64((from + i) * 1000)
		s.Poll.Processes[0].Progress.DelayTime = Some(delay)
		tick := tickAt((from+i)*1000-10, "scanning heap", delay, asleep)
		tick.Gap, tick.Rows[0].RelID, tick.Rows[0].DatID = time.Second, 100, 5
		s.Ticks = []Tick{tick}
		if change != nil {
			change(&s)
		}
		out = append(out, s)
	}
	return out
}

func TestCostOfAPageIsSeenFromPagesAndNaps(t *testing.T) {
	snap := last(fold(sleeps(1, 10, 5000, 5000, nil)))
	a := snap.Active[0].Allows
	if cost := a.Cost.Or(0); math.Abs(cost-20) > 0.01 || math.Abs(float64(a.Observed.Or(0))-5000) > 1 {
		t.Fatalf("%v units a page, %v pages/s: 100,000 units and 5,000 pages a second are 20 a page", a.Cost, a.Observed)
	}
	verdict := Verdict(snap, snap.Active[0])
	if want := "Cost limit 200 at 2 ms allows ≈39 MiB/s per process at the ≈20 cost units that a page takes here."; !slices.Contains(verdict, want) {
		t.Errorf("verdict %q, want %q", verdict, want)
	}
}

// With the timing off delay_time is there and stays 0; the samples still tell.
func TestCostOfAPageIsSeenFromSamplesWhereTheServerCountsNothing(t *testing.T) {
	off := func(s *Sample) {
		s.Poll.Processes[0].Progress.DelayTime, s.Ticks[0].Rows[0].DelayTime = Some(0.0), Some(0.0)
		tick := s.Ticks[0]
		s.Ticks = nil
		for i := range 20 {
			t := tick
			t.At, t.Gap = tick.At.Add(time.Duration(i-19)*50*time.Millisecond), 50*time.Millisecond
			s.Ticks = append(s.Ticks, t)
		}
	}
	a := last(fold(sleeps(1, 20, 5000, 5000, off))).Active[0].Allows
	if math.Abs(a.Cost.Or(0)-20) > 1 {
		t.Errorf("%v units a page, want about 20", a.Cost)
	}
}

func TestCostOfAPageForgetsWhatWasBeforeASettingChanged(t *testing.T) {
	slower := func(s *Sample) {
		s.Poll.Settings = costs(Setting{Name: "autovacuum_vacuum_cost_delay", Setting: "20"})
	}
	stream := append(sleeps(1, 10, 5000, 5000, nil), sleeps(11, 1, 50_500, 500, slower)...)
	if a := last(fold(stream)).Active[0].Allows; a.Cost.Known() || a.Observed.Known() {
		t.Errorf("at the change: %+v", a)
	}
	stream = append(stream, sleeps(12, 9, 51_000, 500, slower)...)
	if a := last(fold(stream)).Active[0].Allows; math.Abs(a.Cost.Or(0)-20) > 0.01 {
		t.Errorf("%v units a page after the change", a.Cost)
	}
}

func TestWithoutNapsNothingIsConcluded(t *testing.T) {
	awake := func(s *Sample) {
		s.Poll.Processes[0].Progress.DelayTime = None[float64]()
		s.Ticks[0].Rows[0].DelayTime, s.Ticks[0].Rows[0].Wait = None[float64](), onCPU
	}
	if a := last(fold(sleeps(1, 10, 5000, 5000, awake))).Active[0].Allows; a.Cost.Known() || a.Observed.Known() {
		t.Errorf("%+v", a)
	}
}

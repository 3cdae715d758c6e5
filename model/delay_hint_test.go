package model

import (
	"strings"
	"testing"
	"time"
)

func TestReportedAndSampledDelayDiffer(t *testing.T) {
	d := Delay{Reported: Some(100 * time.Second), Sampled: Some(103 * time.Second), SampledError: 1960 * time.Millisecond}
	for sampled, want := range map[time.Duration]bool{100: false, 103: false, 97: false, 104: true, 96: true} {
		d.Sampled = Some(sampled * time.Second)
		if got := d.Differ(); got != want {
			t.Errorf("sampled %d s against 100 s, standard error 1 s: differ %v", sampled, got)
		}
	}
	d.Sampled, d.Unreported = Some(104*time.Second), time.Second
	if d.Differ() {
		t.Error("two workers have up to two seconds to report")
	}
	for _, one := range []Delay{{Reported: d.Reported}, {Sampled: d.Sampled}, {}} {
		if one.Differ() {
			t.Errorf("%+v differ from what is not known", one)
		}
	}
}

// Each way to a number names for whom it works.
func TestHintOnDelayThatIsNotMeasured(t *testing.T) {
	run := func(by, command string, delay Opt[float64]) *Run {
		return &Run{Command: command, StartedBy: Some(by), Role: Some[Text]("Dba"), Progress: &Progress{DelayTime: delay}, Delay: Delay{Sampled: Some(time.Second)}}
	}
	off := Some(0.0)
	noAlter := []Setting{{Name: "allow_alter_system", Setting: "off"}}
	for _, c := range []struct {
		name          string
		version       int
		run           *Run
		settings      []Setting
		why, sql, who string
	}{
		{"manual", 180004, run(ByManual, "VACUUM", off), nil, "is off there", "SET track_cost_delay_timing = on;", `TO "Dba"`},
		{"autovacuum", 180004, run(ByAutovacuum, "VACUUM", off), nil, "is off there", "ALTER SYSTEM SET track_cost_delay_timing = on; SELECT pg_reload_conf();", "TO app and GRANT EXECUTE"},
		{"against wraparound", 190000, run(ByAutovacuumWraparound, "VACUUM", off), nil, "is off there", "ALTER SYSTEM", "those that run too"},
		{"no ALTER SYSTEM", 180004, run(ByAutovacuum, "VACUUM", off), noAlter, "is off there", "SELECT pg_reload_conf();", "allow_alter_system is off"},
		{"before 18", 170010, run(ByManual, "VACUUM", None[float64]()), nil, "from version 18 on", "", ""},
		{"a rewrite", 180004, run(ByManual, "VACUUM FULL", None[float64]()), nil, "no delay of VACUUM FULL", "", ""},
	} {
		s := &Snapshot{Server: Server{VersionNum: c.version, Role: "app"}, Settings: c.settings}
		hint := HintOnDelay(s, c.run)
		if hint == nil || !strings.Contains(hint.Why, c.why) || !strings.HasPrefix(hint.SQL, c.sql) || (hint.SQL == "") != (c.sql == "") || !strings.Contains(hint.Who, c.who) {
			t.Errorf("%s: %+v", c.name, hint)
		}
	}
	measured := run(ByManual, "VACUUM", Some(5.0))
	measured.Delay.Reported = Some(5 * time.Millisecond)
	if hint := HintOnDelay(&Snapshot{}, measured); hint != nil {
		t.Errorf("measured: %+v", hint)
	}
}

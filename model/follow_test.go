package model

import (
	"strings"
	"testing"
)

// followed is a run on public.t, started in some way, whose table may have an option.
func followed(by string, options ...Text) *Run {
	return &Run{StartedBy: Some(by), Schema: Some[Text]("public"), Table: Some[Text]("t"), Relation: &Relation{RelOptions: options}}
}

// As measured on 13 to 19, by scope, version, and who started the vacuum.
func TestWhatARunningVacuumTakesNoticeOf(t *testing.T) {
	server := func(name string) Change { return Change{Scope: ScopeServer, Name: name} }
	table := Change{Scope: ScopeTable, Name: "autovacuum_vacuum_cost_limit", Table: RelationName{Schema: "public", Name: "t"}}
	other := table
	other.Table.Name = "u"
	const limit, delay = "autovacuum_vacuum_cost_limit", "vacuum_cost_delay"
	yes, no, depends := Some(true), Some(false), None[bool]()
	for _, c := range []struct {
		change  Change
		run     *Run
		version int
		follows Opt[bool]
		why     string
	}{
		{server(limit), followed(ByManual), 190000, no, "only cancelling it"},
		{server(delay), followed(ByManual), 130000, no, "only cancelling it"},
		{server(limit), followed(ByAutovacuum), 160000, yes, "reload"},
		{server(delay), followed(ByAutovacuumWraparound), 190000, yes, "reload"},
		{server(limit), followed(ByAutovacuum), 150000, depends, "cancelling what it does now"},
		{server(delay), followed(ByAutovacuum), 130000, depends, "slower"},
		{server(limit), followed(ByAutovacuum, "autovacuum_vacuum_cost_limit=5"), 180000, no, "own autovacuum_vacuum_cost_limit"},
		{server(limit), followed(ByAutovacuum, "autovacuum_vacuum_cost_delay=5"), 180000, yes, "reload"},
		{server("autovacuum_work_mem"), followed(ByAutovacuum), 190000, no, "next table"},
		{table, followed(ByAutovacuum), 190000, no, "its next one"},
		{other, followed(ByAutovacuum), 190000, no, "another table"},
		{Change{Scope: ScopeRole, Name: delay}, followed(ByAutovacuum), 190000, no, "no role"},
		{Change{Scope: ScopeDatabase, Name: delay}, followed(ByAutovacuum), 190000, no, "later workers"},
		{Change{Scope: ScopeNext, Name: delay}, followed(ByManual), 190000, no, "from here"},
		{server(limit), &Run{}, 190000, depends, "not visible"},
		{server(limit), &Run{State: StateEnded, StartedBy: Some(ByAutovacuum)}, 190000, no, "has ended"},
	} {
		got := Follows(c.change, c.run, c.version)
		if got.Follows != c.follows || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s of %s, on %d, %s: %+v", c.change.Name, c.change.Place(), c.version, c.run.StartedBy.Or("unknown"), got)
		}
	}
}

func TestChangesThatCannotTakeEffectAreHinderedBefore(t *testing.T) {
	here := RelationName{Schema: "public", Name: "t"}
	standby := Server{VersionNum: 180000, InRecovery: true}
	for _, c := range []struct {
		change Change
		info   SettingInfo
		on     Server
		says   string
	}{
		{Change{Scope: ScopeTable, Name: "autovacuum_vacuum_cost_limit", Table: here}, SettingInfo{}, Server{VersionNum: 130000}, ""},
		{Change{Scope: ScopeTable, Name: "autovacuum_vacuum_cost_limit"}, SettingInfo{}, Server{VersionNum: 130000}, "no table"},
		{Change{Scope: ScopeTable, Name: "autovacuum_naptime", Table: here}, SettingInfo{}, Server{VersionNum: 190000}, "no storage parameter"},
		{Change{Scope: ScopeTable, Name: "autovacuum_vacuum_max_threshold", Table: here}, SettingInfo{}, Server{VersionNum: 170000}, "no storage parameter"},
		{Change{Scope: ScopeToast, Name: "autovacuum_analyze_threshold", Table: here}, SettingInfo{}, Server{VersionNum: 190000}, "not analyzed"},
		{Change{Scope: ScopeTable, Name: "autovacuum_vacuum_cost_limit", Table: here}, SettingInfo{}, standby, "standby"},
		{Change{Scope: ScopeRole, Name: "vacuum_cost_limit"}, SettingInfo{Context: "user"}, standby, "standby"},
		{Change{Scope: ScopeServer, Name: "vacuum_cost_limit"}, SettingInfo{Context: "user"}, standby, ""},
		{Change{Scope: ScopeRole, Name: "autovacuum_naptime"}, SettingInfo{Context: "sighup"}, Server{VersionNum: 180000}, "the server's alone"},
		{Change{Scope: ScopeServer, Name: "vacuum_cost_limit"}, SettingInfo{Context: "user", NoAlterSystem: "it takes a superuser"}, Server{VersionNum: 180000}, "it takes a superuser"},
		{Change{Scope: ScopeServer, Name: "block_size"}, SettingInfo{Context: "internal"}, Server{VersionNum: 180000}, "cannot be changed"},
		{Change{Scope: ScopeNext, Name: "autovacuum_naptime"}, SettingInfo{}, standby, "takes the cost delay"},
	} {
		if got := c.change.Hindrance(c.info, c.on); got == "" != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s of %s on %d: %q", c.change.Name, c.change.Place(), c.on.VersionNum, got)
		}
	}
}

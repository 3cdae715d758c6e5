package report

import (
	"strings"
	"testing"

	"example.com/vacscope/model"
)

// byKey are the findings of a check.
func byKey(c *model.Check) map[string]finding {
	found := map[string]finding{}
	for _, f := range findings(c) {
		found[f.Key] = f
	}
	return found
}

// A check of which nothing could be read says so in each line and claims nothing.
func TestACheckThatReadNothingClaimsNothing(t *testing.T) {
	c := &model.Check{Server: model.Server{VersionNum: 180004, Role: "app"}}
	for key, f := range byKey(c) {
		if f.Status == statusOK && !strings.Contains("version primary direct lock_waits wait_starts cancel_own set_cost statements_logged", key) {
			t.Errorf("%s is ok: %s", key, f.Says)
		}
	}
}

func TestTheLinesOfACheckAreTheSameOnEveryServer(t *testing.T) {
	small := findings(&model.Check{})
	large := findings(&model.Check{
		Server: model.Server{VersionNum: 200000, SeesAll: true, InRecovery: true}, Superuser: model.Some(true), Pooled: true, Logged: "log_statement = all",
		Settings: []model.CheckSetting{{Name: "track_counts", Value: "off"}}, Extensions: []model.CheckExtension{{Name: "pg_visibility", Installed: true}},
		Databases: []model.CheckDatabase{{Name: "other"}}, Tables: model.Some(model.CheckTables{Total: 3, Owned: 1, MayVacuum: 2}),
	})
	for i := range max(len(small), len(large)) {
		if len(small) != len(large) || small[i].Key != large[i].Key {
			t.Fatalf("line %d differs: %d and %d lines", i, len(small), len(large))
		}
	}
}

func TestCheckOnAStandby(t *testing.T) {
	found := byKey(&model.Check{Server: model.Server{VersionNum: 150018, InRecovery: true, SeesAll: true}, Tables: model.Some(model.CheckTables{Total: 1, MayVacuum: 1})})
	if found["primary"].Status != statusNo || found["vacuum"].Status != statusUnknown {
		t.Errorf("primary %+v, vacuum %+v", found["primary"], found["vacuum"])
	}
}

func TestAVersionNewerThanKnownIsSaid(t *testing.T) {
	for version, want := range map[int]string{130023: statusOK, 190000: statusOK, 200000: statusPartly} {
		if f := byKey(&model.Check{Server: model.Server{VersionNum: version}})["version"]; f.Status != want {
			t.Errorf("%d: %+v", version, f)
		}
	}
}

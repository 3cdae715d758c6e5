package act

import (
	"strings"
	"testing"

	"example.com/vacscope/model"
)

// By the source of the value in force, from the weakest on: what is stronger than a
// change's own goes before it.
func TestWhatGoesBeforeAChangeIsToldByItsSource(t *testing.T) {
	for scope, want := range map[model.Scope][]string{
		model.ScopeServer:   {"", "", "ALTER DATABASE", "ALTER ROLE", "ALTER ROLE", "options of this connection", "command line"},
		model.ScopeDatabase: {"", "", "", "ALTER ROLE", "ALTER ROLE", "options of this connection", "command line"},
		model.ScopeRole:     {"", "", "", "", "ALTER ROLE", "options of this connection", "command line"},
	} {
		for i, source := range []string{"default", "configuration file", "database", "user", "database user", "client", "command line"} {
			got := winner(model.Change{Scope: scope, Name: "vacuum_cost_limit"}, source, false)
			if got == "" != (want[i] == "") || !strings.Contains(got, want[i]) {
				t.Errorf("a change of scope %s, and a value from %s: %q", scope, source, got)
			}
		}
	}
}

package act

import (
	"fmt"
	"regexp"

	"example.com/vacscope/model"
)

// settingName is what a setting or a storage parameter is called. Names are not
// quoted in statements, so nothing else may stand there.
var settingName = regexp.MustCompile(`^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$`)

// reloadConf has the server read its configuration anew: what ALTER SYSTEM has written
// takes effect by it.
const reloadConf = "SELECT pg_catalog.pg_reload_conf()"

// tableLockTimeout is how long a change of a table's parameter waits for its lock:
// below deadlock_timeout's default, so that no autovacuum of the table is cancelled.
const tableLockTimeout = "500ms"

// Statements are what a change sends, in order: one that changes something, and what
// is needed around it.
func Statements(c model.Change) ([]string, error) {
	if !settingName.MatchString(c.Name) {
		return nil, fmt.Errorf("%q is not the name of a setting", c.Name)
	}
	switch c.Scope {
	case model.ScopeServer:
		return []string{"ALTER SYSTEM " + setOrReset(c), reloadConf}, nil
	case model.ScopeDatabase:
		return []string{"ALTER DATABASE " + quoted(c.Database) + " " + setOrReset(c)}, nil
	case model.ScopeRole:
		return []string{"ALTER ROLE " + quoted(c.Role) + " " + setOrReset(c)}, nil
	case model.ScopeTable:
		return alterTable(c, c.Name), nil
	case model.ScopeToast:
		return alterTable(c, "toast."+c.Name), nil
	}
	return nil, fmt.Errorf("%q is not a scope of settings", c.Scope)
}

func setOrReset(c model.Change) string {
	value, given := c.Value.Get()
	if !given {
		return "RESET " + c.Name
	}
	return "SET " + c.Name + " = " + literal(value)
}

func alterTable(c model.Change, parameter string) []string {
	timeout := setting{"lock_timeout", tableLockTimeout}.sql()
	table := "ALTER TABLE " + quoted(c.Table.Schema) + "." + quoted(c.Table.Name)
	value, given := c.Value.Get()
	if !given {
		return []string{timeout, table + " RESET (" + parameter + ")"}
	}
	return []string{timeout, table + " SET (" + parameter + " = " + literal(value) + ")"}
}

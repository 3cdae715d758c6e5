package act

import (
	"fmt"
	"regexp"

	"example.com/vacscope/model"
)

// settingName is what a setting or a storage parameter is called. Names are not
// quoted in statements, so nothing else may stand there.
var settingName = regexp.MustCompile(`^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$`)

// Statements are what a change sends, in order.
func Statements(c model.Change) ([]string, error) {
	if !settingName.MatchString(c.Name) {
		return nil, fmt.Errorf("%q is not the name of a setting", c.Name)
	}
	switch c.Scope {
	case model.ScopeServer:
		return []string{"ALTER SYSTEM " + setOrReset(c), "SELECT pg_catalog.pg_reload_conf()"}, nil
	case model.ScopeDatabase:
		return []string{"ALTER DATABASE " + quoted(c.Database) + " " + setOrReset(c)}, nil
	case model.ScopeRole:
		return []string{"ALTER ROLE " + quoted(c.Role) + " " + setOrReset(c)}, nil
	case model.ScopeTable:
		return []string{alterTable(c, c.Name)}, nil
	case model.ScopeToast:
		return []string{alterTable(c, "toast."+c.Name)}, nil
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

func alterTable(c model.Change, parameter string) string {
	table := "ALTER TABLE " + quoted(c.Table.Schema) + "." + quoted(c.Table.Name)
	value, given := c.Value.Get()
	if !given {
		return table + " RESET (" + parameter + ")"
	}
	return table + " SET (" + parameter + " = " + literal(value) + ")"
}

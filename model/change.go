package model

import (
	"strings"
	"time"
)

// Scope is where a setting is changed, and so for whom.
type Scope string

// The scopes, from the narrowest on.
const (
	ScopeNext     Scope = "next"     // the next VACUUM that this program starts; nothing is sent for it
	ScopeTable    Scope = "table"    // a storage parameter of one table
	ScopeToast    Scope = "toast"    // the same of its TOAST table
	ScopeRole     Scope = "role"     // sessions of one role that begin later
	ScopeDatabase Scope = "database" // sessions in one database that begin later
	ScopeServer   Scope = "server"   // the configuration, for everybody
)

// Change is one setting that is to be changed in one scope.
type Change struct {
	Scope Scope
	// Name is the setting's, or in ScopeTable and ScopeToast the storage parameter's.
	Name string
	// Value is as PostgreSQL takes it ("2ms"); absent: back to what holds without it.
	Value Opt[string]

	Table    RelationName // ScopeTable, ScopeToast
	Role     Text         // ScopeRole
	Database Text         // ScopeDatabase
}

// OfTable tells that the change is one of a table's storage parameter.
func (c Change) OfTable() bool { return c.Scope == ScopeTable || c.Scope == ScopeToast }

// Place is what the change is made on, as a person would name it.
func (c Change) Place() string {
	switch c.Scope {
	case ScopeNext:
		return "next vacuum from here"
	case ScopeTable:
		return "table " + c.tableName()
	case ScopeToast:
		return "TOAST of " + c.tableName()
	case ScopeRole:
		return "role " + c.Role.QuoteIdent().Display()
	case ScopeDatabase:
		return "database " + c.Database.QuoteIdent().Display()
	}
	return "server"
}

func (c Change) tableName() string {
	if c.Table == (RelationName{}) {
		return "(none chosen)"
	}
	return c.Table.Display()
}

// Stood is what a scope said of a setting at one moment.
type Stood struct {
	// Known is false where this role may not read it.
	Known bool
	// Value is absent where the scope did not say anything.
	Value Opt[string]
}

// Done is a change that was made.
type Done struct {
	At     time.Time // the server's clock
	Change Change
	Before Stood
	// InForce is the setting as a new session of this role has it after the change, or
	// for ScopeTable and ScopeToast as the table's next vacuum has it; absent where it
	// could not be read, and for a parameter that the table no longer has and for which
	// the server has no setting.
	InForce Opt[Setting]
	// Wins says what still goes before the change, in clauses; "" for nothing.
	Wins string
}

// Hindrance says why a change of a setting can have no effect in its scope, and where
// it can be changed; "" where it can. It is known before anything is sent.
func (c Change) Hindrance(s SettingInfo, on Server) string {
	if on.InRecovery && c.Scope != ScopeServer && c.Scope != ScopeNext {
		return "this server is a standby, and has it from its primary"
	}
	switch c.Scope {
	case ScopeNext:
		if !new(VacuumPlan).Set(c.Name, "") {
			return "a VACUUM from here takes the cost delay and limit, memory, buffers and timing only"
		}
	case ScopeTable, ScopeToast:
		if since, ok := storageParameters()[c.Name]; !ok || on.VersionNum/10000 < since {
			return "no storage parameter of a table has this name"
		}
		if analyze := strings.HasPrefix(c.Name, "autovacuum_analyze"); analyze && c.Scope == ScopeToast {
			return "a TOAST table is not analyzed"
		}
		if c.Table == (RelationName{}) {
			return "no table is chosen"
		}
	case ScopeRole, ScopeDatabase:
		if s.Context != "user" && s.Context != "superuser" && s.Context != "backend" && s.Context != "superuser-backend" {
			return "it is the server's alone: only the scope server can change it"
		}
	case ScopeServer:
		if s.Context == "internal" {
			return "it cannot be changed"
		}
		return s.NoAlterSystem
	}
	return ""
}

package model

import "time"

// Scope is where a setting is changed, and so for whom.
type Scope string

// The scopes, from the narrowest on.
const (
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

// Place is what the change is made on, as a person would name it.
func (c Change) Place() string {
	switch c.Scope {
	case ScopeTable:
		return "table " + c.Table.Display()
	case ScopeToast:
		return "TOAST of " + c.Table.Display()
	case ScopeRole:
		return "role " + c.Role.QuoteIdent().Display()
	case ScopeDatabase:
		return "database " + c.Database.QuoteIdent().Display()
	}
	return "server"
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
	// InForce is the setting as a new session of this role has it after the change;
	// absent in ScopeTable and ScopeToast, and where it could not be read.
	InForce Opt[Setting]
	// Wins says, in a sentence, what still goes before the change; "" for nothing.
	Wins string
}

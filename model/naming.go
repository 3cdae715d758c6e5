package model

import "fmt"

// NameOf is how a run's relation is called on screen and in sentences: schema and
// table as identifiers, the database when it is another one, the table a TOAST
// relation belongs to, the number when no name is known. It is safe to print.
func (s *Snapshot) NameOf(r *Run) string {
	if r.State == StateHidden {
		return fmt.Sprintf("not visible (pid %d)", r.Key.PID)
	}
	name := ""
	schema, named := r.Schema.Get()
	switch owner, isToast := r.ToastOf.Get(); {
	case isToast:
		name = "TOAST of " + owner.Display()
	case named:
		name = RelationName{schema, r.Table.Or("")}.Display()
	case r.Key.RelID == 0:
		name = "relation not yet known"
	default:
		name = fmt.Sprintf("relation %d", r.Key.RelID)
	}
	if r.Database != "" && r.Database != s.Server.Database {
		name += " in " + r.Database.QuoteIdent().Display()
	}
	return name
}

// Display is the name as identifiers with a dot, safe to print.
func (n RelationName) Display() string {
	return n.Schema.QuoteIdent().Display() + "." + n.Name.QuoteIdent().Display()
}

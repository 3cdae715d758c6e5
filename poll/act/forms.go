package act

import "example.com/vacscope/model"

// Form is a kind of statement that the gate sends, in the form that it has.
type Form struct{ What, SQL string }

// Forms lists the kinds of statements that change a server, made by the code that
// sends them.
func Forms() []Form {
	value := model.Some("VALUE")
	table := model.RelationName{Schema: "SCHEMA", Name: "TABLE"}
	out := []Form{
		{"a VACUUM's session, before it", setting{"NAME", "VALUE"}.sql()},
		{"a VACUUM", Statement(model.VacuumPlan{Verbose: true, Parallel: model.Some(4)}, table)},
		{"to cancel a statement", signalSQL(model.RunKey{PID: 1}, false)},
		{"to end a session", signalSQL(model.RunKey{PID: 1}, true)},
	}
	for _, c := range []model.Change{
		{Scope: model.ScopeTable, Table: table}, {Scope: model.ScopeToast, Table: table}, {Scope: model.ScopeRole, Role: "ROLE"},
		{Scope: model.ScopeDatabase, Database: "DATABASE"}, {Scope: model.ScopeServer},
	} {
		c.Name = "vacuum_cost_limit"
		for _, c.Value = range []model.Opt[string]{value, {}} {
			statements, _ := Statements(c) // the name is a setting's
			for _, sql := range statements {
				out = append(out, Form{"a setting of the scope " + string(c.Scope), sql})
			}
		}
	}
	return append(out, endForms()...)
}

package report

import "example.com/vacscope/model"

// service is a managed service that a server looks like; the zero value is none.
type service struct {
	name     string
	settings string // where its settings are changed
	sign     string // by what it is told
}

// signs are the roles and databases by which managed services are told. A server
// that somebody gave such a role looks like it too, so nothing but words depends
// on it.
var signs = []struct {
	role, database string
	is             service
}{
	{"rds_superuser", "rdsadmin", service{name: "Amazon RDS or Aurora", settings: "the DB parameter group"}},
	{"alloydbsuperuser", "alloydbadmin", service{name: "Google AlloyDB", settings: "the database flags"}},
	{"cloudsqlsuperuser", "cloudsqladmin", service{name: "Google Cloud SQL", settings: "the database flags"}},
	{"azure_pg_admin", "azure_maintenance", service{name: "Azure Database for PostgreSQL", settings: "the server parameters"}},
	{"neon_superuser", "", service{name: "Neon", settings: "the service's own settings"}},
	{"supabase_admin", "", service{name: "Supabase", settings: "the service's own settings"}},
}

// managedService is the service that the server looks like. Who is a superuser is
// not on one.
func managedService(c *model.Check) service {
	if c.Superuser.Or(false) {
		return service{}
	}
	for _, s := range signs {
		if c.Group(model.Text(s.role)).Known() {
			s.is.sign = "role " + s.role
			return s.is
		}
		for _, d := range c.Databases {
			if s.database != "" && string(d.Name) == s.database {
				s.is.sign = "database " + s.database
				return s.is
			}
		}
	}
	return service{}
}

package poll

import "example.com/vacscope/model"

// aboutStatement reads how the server was built and set up. pg_config and its function
// are for superusers unless granted.
//
// Of the settings it leaves out what a client sets for itself, locale, files, and free
// text, which can hold secrets, but for the libraries that are loaded.
func aboutStatement(c columns) *statement {
	configure := "null::pg_catalog.text"
	if c.hasView("pg_config") && c.mayRead("pg_config") && !c.refused[configFunction] {
		configure = "(select p.setting from pg_catalog.pg_config p where p.name = 'CONFIGURE')"
	}
	return &statement{
		part: "settings that differ from their defaults",
		name: "vacscope_about",
		when: "on connecting, and after the configuration was loaded again",
		sql: timed(`
select v.version, v.configure, s.name, s.setting, s.unit, s.source
from (select pg_catalog.version() as version, `+configure+` as configure) v
     left join pg_catalog.pg_settings s
       on s.source not in ('default', 'client', 'session', 'override')
      and (s.vartype <> 'string' or s.name in ('shared_preload_libraries', 'session_preload_libraries', 'local_preload_libraries'))
      and s.category not like 'File Locations%' and s.category not like '%Locale and Formatting'`) + `
order by r.name`,
	}
}

// decodeAbout reads the same version and options in each row, and a setting.
func decodeAbout(about **model.About) func(row) error {
	return func(r row) error {
		if *about == nil {
			*about = &model.About{Version: r.text("version").Or(""), Configure: r.text("configure"), Settings: []model.Setting{}}
		}
		if r.raw("name") == nil {
			return nil
		}
		return decodeSetting(&(*about).Settings)(r)
	}
}

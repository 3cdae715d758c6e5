package poll

import (
	"slices"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

func TestHowTheServerIsBuiltAndSetUp(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		source := open(t, s.ConnString())
		about := read(t, source).About
		if about == nil || !strings.HasPrefix(string(about.Version), "PostgreSQL ") || !strings.Contains(string(about.Configure.Or("")), "--") {
			t.Fatalf("it says %+v", about)
		}
		workers, found := find(about.Settings, "max_worker_processes")
		if !found || workers.Setting != "16" || workers.Source != "configuration file" {
			t.Errorf("a setting of the file is %+v", workers)
		}
		for _, name := range []string{"application_name", "data_directory", "lc_messages", "timezone", "statement_timeout", "log_timezone", "unix_socket_directories"} {
			if s, found := find(about.Settings, name); found {
				t.Errorf("%s of the client, of locale or of files: %+v", name, s)
			}
		}
		if again := read(t, source).About; again != nil {
			t.Errorf("read again with nothing changed: %+v", again)
		}
	})
}

func find(settings []model.Setting, name string) (model.Setting, bool) {
	i := slices.IndexFunc(settings, func(s model.Setting) bool { return s.Name == name })
	if i < 0 {
		return model.Setting{}, false
	}
	return settings[i], true
}

func TestSetUpIsReadAgainAfterAReload(t *testing.T) {
	s := pgtest.Start(t, 18)
	source := open(t, s.ConnString())
	read(t, source)
	for _, sql := range []string{"alter system set archive_cleanup_command = 'secret'", "alter system set vacuum_cost_limit = 777", "select pg_reload_conf()"} {
		s.Exec(t, sql)
	}
	var about *model.About
	pgtest.Eventually(t, "the reload is noticed", func() bool { about = read(t, source).About; return about != nil })
	if limit, _ := find(about.Settings, "vacuum_cost_limit"); limit.Setting != "777" {
		t.Errorf("after the reload: %+v", about.Settings)
	}
	for _, s := range about.Settings {
		if strings.Contains(string(s.Setting), "secret") {
			t.Errorf("free text is read: %+v", s)
		}
	}
}

func TestARoleWithoutRightsSeesNoConfigureOptions(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Role(t, "plain")
		about := read(t, open(t, s.ConnStringFor("plain", "postgres"))).About
		if about == nil || about.Configure.Known() || about.Version == "" || about.Settings == nil {
			t.Errorf("it says %+v", about)
		}
	})
}

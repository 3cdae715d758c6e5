package poll

import (
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// What a role may not call or read costs what it gives, is said, and no more.
func TestWhatTheRoleMayNotUseCostsOnlyItself(t *testing.T) {
	type check func(t *testing.T, p *model.Poll, pid int32)
	running := func(t *testing.T, p *model.Poll, pid int32) {
		if v := mustHave(t, p, pid); v.Progress == nil || !v.Progress.HeapBlksTotal.Known() {
			t.Errorf("progress %+v", v.Progress)
		}
	}
	for _, c := range []struct {
		name, right string // as in REVOKE right FROM PUBLIC
		part        string // the Problem's
		check       check
	}{
		{"start time", "execute on function pg_postmaster_start_time()", "function pg_postmaster_start_time()", func(t *testing.T, p *model.Poll, pid int32) {
			if running(t, p, pid); !p.Server.StartedAt.IsZero() || p.Server.ConfLoadedAt.IsZero() {
				t.Errorf("%+v", p.Server)
			}
		}},
		{"time of the last reload", "execute on function pg_conf_load_time()", "function pg_conf_load_time()", func(t *testing.T, p *model.Poll, pid int32) {
			if running(t, p, pid); p.Server.StartedAt.IsZero() || !p.Server.ConfLoadedAt.IsZero() || p.Settings == nil {
				t.Errorf("%+v", p.Server)
			}
		}},
		{"recovery", "execute on function pg_is_in_recovery()", "function pg_is_in_recovery()", running},
		{"blockers", "execute on function pg_blocking_pids(int)", "function pg_blocking_pids(int4)", running},
		{"settings of the session", "execute on function current_setting(text)", "server identity", func(t *testing.T, p *model.Poll, pid int32) {
			if running(t, p, pid); p.Server.VersionNum < 130000 || p.Server.Version == "" {
				t.Errorf("%+v", p.Server)
			}
		}},
		{"the catalog", "select on pg_class", "columns of the system views", func(t *testing.T, p *model.Poll, pid int32) {
			if running(t, p, pid); len(p.Relations) != 0 {
				t.Errorf("relations %+v", p.Relations)
			}
		}},
		{"databases", "select on pg_database", "databases", func(t *testing.T, p *model.Poll, pid int32) {
			if running(t, p, pid); p.Server.DatID == 0 || p.Server.Database != "postgres" || len(p.Relations) == 0 {
				t.Errorf("%+v, relations %+v", p.Server, p.Relations)
			}
		}},
		{"other progress views", "select on pg_stat_progress_analyze", "view pg_stat_progress_analyze", running},
		{"the progress view", "select on pg_stat_progress_vacuum", "view pg_stat_progress_vacuum", func(t *testing.T, p *model.Poll, pid int32) {
			if v := mustHave(t, p, pid); v.Progress != nil {
				t.Errorf("%+v", v)
			}
		}},
		{"activity", "select on pg_stat_activity", "progress and activity", func(t *testing.T, p *model.Poll, pid int32) {
			if p.Processes != nil || p.Server.BlockSize == 0 || p.Server.Role == "" || p.Settings == nil {
				t.Errorf("%+v", p)
			}
		}},
		{"settings", "select on pg_settings", "settings", func(t *testing.T, p *model.Poll, pid int32) {
			if running(t, p, pid); p.Settings != nil {
				t.Errorf("settings %+v", p.Settings)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
				s.Role(t, "limited", "pg_monitor")
				v := s.HeldVacuum(t, "held")
				s.Exec(t, "revoke "+c.right+" from public")
				defer s.Exec(t, "grant "+c.right+" to public")
				source := open(t, s.ConnStringFor("limited", "postgres"))
				for first := true; ; first = false {
					sample := source.Beat(t.Context())
					if sample.Poll == nil {
						t.Fatalf("%+v", sample)
					}
					if first {
						c.check(t, sample.Poll, v.PID)
					}
					if said := parts(sample.Problems); !strings.Contains(said, c.part) || c.part == "" && said != "" {
						t.Errorf("problems %q, want %q", said, c.part)
					}
					if !first {
						break
					}
				}
				if _, err := source.reader.tick(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func parts(problems []model.Problem) string {
	var names []string
	for _, p := range problems {
		names = append(names, p.Part)
	}
	return strings.Join(names, ", ")
}

// A right that goes while watching costs its part, and what was known stays.
func TestARightThatGoesWhileWatching(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Role(t, "limited", "pg_monitor")
		source := open(t, s.ConnStringFor("limited", "postgres"))
		before := read(t, source).Server
		s.Exec(t, "revoke execute on function pg_postmaster_start_time() from public")
		defer s.Exec(t, "grant execute on function pg_postmaster_start_time() to public")
		for range 3 {
			sample := source.Beat(t.Context())
			if sample.Poll == nil || sample.Poll.Server != before || sample.Poll.Processes == nil || parts(sample.Problems) != "server state" {
				t.Errorf("%+v, before %+v", sample, before)
			}
		}
	})
}

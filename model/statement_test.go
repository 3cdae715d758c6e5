package model

import "testing"

func TestParseStatement(t *testing.T) {
	is := func(command string, parallel ...int) Statement {
		st := Statement{Command: command}
		for _, n := range parallel {
			st.Parallel = Some(n)
		}
		return st
	}
	for query, want := range map[Text]Statement{
		"vacuum t":                                     is("VACUUM"),
		"  VACUUM (PARALLEL 4) orders":                 is("VACUUM", 4),
		"vacuum(verbose,parallel 0,freeze)t":           {Command: "VACUUM", Parallel: Some(0), Freeze: true},
		"/* a /* nested */ one */ -- and\nvacuum full": is("VACUUM FULL"),
		"VACUUM (FULL off, PARALLEL '2') t":            is("VACUUM", 2),
		"vacuum (analyze, full) t":                     is("VACUUM FULL"),
		"vacuum freeze full_t":                         {Command: "VACUUM", Freeze: true},
		"vacuum (disable_page_skipping) t":             {Command: "VACUUM", Freeze: true},
		"vacuum parallel":                              is("VACUUM"),
		"vacuum (parallel":                             is("VACUUM"),
		"CLUSTER t using i":                            is("CLUSTER"),
		"repack (concurrently) t":                      is("REPACK"),
		"vacuum (index_cleanup off) t":                 {Command: "VACUUM", IndexCleanupOff: true},
		"select 'vacuum'":                              is(""),
		"vacuumdb":                                     is(""),
		"/* never ends":                                is(""),
		"":                                             is(""),
	} {
		if got := parseStatement(query); got != want {
			t.Errorf("parseStatement(%q) = %+v, want %+v", string(query), got, want)
		}
	}
}

func TestAutovacuumTarget(t *testing.T) {
	for query, want := range map[Text]string{
		"autovacuum: VACUUM public.orders":                                "public orders",
		"autovacuum: VACUUM ANALYZE s.t":                                  "s t",
		"autovacuum: VACUUM pg_toast.pg_toast_16 (to prevent wraparound)": "pg_toast pg_toast_16",
		"autovacuum: ANALYZE s.t":                                         "s t",
		"autovacuum: VACUUM public.dotted.name":                           "",
		"autovacuum: VACUUM public":                                       "",
		"autovacuum: VACUUM .t":                                           "",
		"autovacuum: BRIN summarize public.t 7":                           "",
		"autovacuum: ":                                                    "",
		"vacuum t":                                                        "",
	} {
		got := ""
		if name, ok := AutovacuumTarget(query); ok {
			got = string(name.Schema + " " + name.Name)
		}
		if got != want {
			t.Errorf("AutovacuumTarget(%q) = %q, want %q", string(query), got, want)
		}
	}
}

package model

import "testing"

func TestParseStatement(t *testing.T) {
	none := None[int]()
	for query, want := range map[Text]Statement{
		"vacuum t":                                     {"VACUUM", none},
		"  VACUUM (PARALLEL 4) orders":                 {"VACUUM", Some(4)},
		"vacuum(verbose,parallel 0,freeze)t":           {"VACUUM", Some(0)},
		"/* a /* nested */ one */ -- and\nvacuum full": {"VACUUM FULL", none},
		"VACUUM (FULL off, PARALLEL '2') t":            {"VACUUM", Some(2)},
		"vacuum (analyze, full) t":                     {"VACUUM FULL", none},
		"vacuum freeze full_t":                         {"VACUUM", none},
		"vacuum parallel":                              {"VACUUM", none},
		"vacuum (parallel":                             {"VACUUM", none},
		"CLUSTER t using i":                            {"CLUSTER", none},
		"repack (concurrently) t":                      {"REPACK", none},
		"select 'vacuum'":                              {"", none},
		"vacuumdb":                                     {"", none},
		"/* never ends":                                {"", none},
		"":                                             {"", none},
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

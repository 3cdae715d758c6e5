package poll

import (
	"fmt"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// A VACUUM of a database with many tiny tables, met in its middle: its place moves on,
// also where the look falls on a TOAST relation.
func TestThePlaceInADatabaseOfTinyTablesMoves(t *testing.T) {
	for _, major := range []int{13, 19} {
		t.Run(fmt.Sprint(major), func(t *testing.T) {
			s := pgtest.Start(t, major, "autovacuum=off")
			s.Exec(t, `do $$ begin for i in 1..200 loop
				execute format('create table tiny_%s(t text)', i);
				execute format('insert into tiny_%s select ''x'' from generate_series(1, 1000)', i);
			end loop; end $$`)
			s.Vacuum(t, "", "", "vacuum_cost_delay=20ms", "vacuum_cost_limit=100")
			last, moved := 0, 0
			watchUntil(t, s, nil, func(snapshot *model.Snapshot) bool {
				for _, r := range snapshot.Active {
					g := snapshot.GroupOf(r)
					if g == nil || g.Kind != model.GroupDatabase || g.AtLeast {
						continue
					}
					n := g.Number.Or(0)
					if n < last {
						t.Errorf("table %d after %d", n, last)
					}
					if n > last {
						moved++
					}
					last = n
				}
				return moved > 3
			})
		})
	}
}

// No reading of relations goes through all of pg_class: TOAST relations, to whose
// tables no index leads, have them by the dependency.
func TestARelationIsReadWithoutASearchThroughTheCatalog(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		c := s.Conn(t)
		for _, sql := range []string{"set enable_seqscan = off", "set plan_cache_mode = force_generic_plan", "prepare relations(oid[]) as " + relationStatement(columns{}).sql} {
			if _, err := c.Exec(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
		rows, err := c.Query(t.Context(), "explain execute relations('{1}')")
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, "Seq Scan on pg_class") || strings.Contains(line, "Seq Scan on pg_index") {
				t.Error(line)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		var all, named int
		query := `select count(*), count(p.oid) from pg_class c left join pg_class p on ` + toastOwner + ` where c.relkind = 't'`
		if err := c.QueryRow(t.Context(), query).Scan(&all, &named); err != nil || all == 0 || all != named {
			t.Errorf("%d of %d TOAST relations have a table: %v", named, all, err)
		}
	})
}

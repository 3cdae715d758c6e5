package lab

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/poll/server"
)

// Parts of a run after which the freeze ages are set.
const (
	freezeMinAgeAfter   = 0.1
	freezeTableAgeAfter = 0.6
)

// scaleFreezeAges scales the freeze ages to a run, so that the vacuums of the largest of
// its tables become aggressive once in it, whatever its length and rate. What is older
// than a tenth of the run is then frozen by vacuums that come upon it, and at three fifths
// of the run the table is old enough for one that is aggressive: each age is set to that
// which the table has at its time. An age that the person has set stays.
func scaleFreezeAges(s *server.Server, p Params, tables ...string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		conn, err := s.Connect(ctx)
		if err != nil {
			return err
		}
		defer closeQuietly(conn)
		began := time.Now()
		for _, age := range []struct {
			setting string
			after   float64
		}{{"vacuum_freeze_min_age", freezeMinAgeAfter}, {"vacuum_freeze_table_age", freezeTableAgeAfter}} {
			at := began.Add(time.Duration(age.after * float64(p.Duration)))
			if err := sleep(ctx, time.Until(at)); err != nil {
				return err
			}
			if err := setToAge(ctx, conn, age.setting, tables); err != nil {
				return fmt.Errorf("scale %s to the run: %w", age.setting, err)
			}
		}
		return nil
	}
}

// setToAge sets a freeze age to what the largest of the tables has of it, unless it is set.
func setToAge(ctx context.Context, conn *server.Conn, setting string, tables []string) error {
	var age int64
	var given bool
	err := conn.QueryRow(ctx, `
		select pg_catalog.age(c.relfrozenxid), s.source <> 'default'
		from pg_catalog.pg_class c, pg_catalog.pg_settings s
		where c.relnamespace = 'public'::regnamespace and c.relname = any (pg_catalog.string_to_array($1, ',')) and s.name = $2
		order by pg_catalog.pg_relation_size(c.oid) desc limit 1`, strings.Join(tables, ","), setting).Scan(&age, &given)
	if err != nil || given {
		return err
	}
	return execAll(ctx, conn, fmt.Sprintf("alter system set %s = %d", setting, age), "select pg_catalog.pg_reload_conf()")
}

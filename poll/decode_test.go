package poll

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

func TestColumnsOfLaterVersionsAreKept(t *testing.T) {
	p, err := decodeProgress(model.ViewVacuum, 7, []byte(`{"phase": "reticulating", "heap_blks_total": 9, "delay_time": 12345.678901, "splines": 3, "moods": ["a"], "mode": null}`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Phase.Or("") != "reticulating" || p.HeapBlksTotal.Or(0) != 9 || p.DelayTime.Or(0) != 12345.678901 || p.Mode.Known() || p.HeapBlksScanned.Known() {
		t.Errorf("%+v", p)
	}
	if want := map[string]string{"splines": "3", "moods": `["a"]`}; len(p.Other) != 2 || string(p.Other["splines"]) != want["splines"] || string(p.Other["moods"]) != want["moods"] {
		t.Errorf("others are %s, want %s", p.Other, want)
	}
	if _, err := decodeProgress(model.ViewVacuum, 7, []byte(`{"heap_blks_total": "many"}`)); err == nil {
		t.Error("a column of another type: no error")
	}
}

func TestValuesOfEachType(t *testing.T) {
	session := open(t, pgtest.Shared(t, 18).ConnString()).reader.(*session)
	checked := 0
	q := &request{statement: &statement{sql: timed(`
select 7::int2 as two, -8::int4 as four, 9000000000::int8 as eight, 4000000000::oid as o, 0.1::float8 as f, true as yes, null::bool as neither,
       'x'::text as t, null::text as no_t, 'infinity'::timestamptz as never, '2026-07-01 12:00:00.5+02'::timestamptz as at, null::timestamptz as no_at,
       '90.5 s'::interval as i, '{3,0,3}'::int[] as list, '{}'::int[] as empty, '{"a": [1]}'::jsonb as j, null::jsonb as no_j`)}, decode: func(r row) error {
		checked++
		for what, ok := range map[string]bool{
			"integer":   r.integer("two") == model.Some[int64](7) && r.integer("four") == model.Some[int64](-8) && r.integer("eight") == model.Some[int64](9e9),
			"oid":       r.oid("o") == model.Some[uint32](4e9),
			"float":     r.float("f") == model.Some(0.1),
			"boolean":   r.boolean("yes") && !r.boolean("neither"),
			"text":      r.text("t") == model.Some[model.Text]("x") && !r.text("no_t").Known(),
			"time":      r.time("at").Or(time.Time{}).Equal(time.Date(2026, 7, 1, 10, 0, 0, 5e8, time.UTC)) && !r.time("never").Known() && !r.time("no_at").Known(),
			"interval":  r.interval("i") == 90500*time.Millisecond,
			"list":      slices.Equal(distinct(r.int32s("list")), []int32{3, 0}) && len(r.int32s("empty")) == 0,
			"json":      json.Valid(r.json("j")) && r.json("no_j") == nil,
			"no column": !r.integer("nonsense").Known() && r.string("nonsense") == "",
		} {
			if !ok {
				t.Errorf("%s is read wrongly", what)
			}
		}
		return nil
	}}
	if err := run(t.Context(), session.conn, q); err != nil || q.err != nil || checked != 1 {
		t.Fatal(err, q.err, checked)
	}
	if q.cost <= 0 || q.at.IsZero() || math.Abs(time.Since(q.at).Hours()) > 24 {
		t.Errorf("cost %v, server's clock %v", q.cost, q.at)
	}
}

func TestRelationsAreNamedByTheirKind(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		conn := s.Conn(t)
		for _, statement := range []string{
			`create schema "Od d"`, `create table "Od d"."a.b""c` + "\n" + `" (id int primary key, long text)`,
			"create table parts (id int) partition by range (id)", "create table part1 partition of parts for values from (0) to (9)",
			"create index on part1 using hash (id)",
		} {
			if _, err := conn.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		defer s.Exec(t, `drop schema "Od d" cascade`, "drop table parts")
		var oids []uint32
		err := conn.QueryRow(t.Context(), `select array[c.oid, c.reltoastrelid, 'part1'::regclass::oid, 'parts'::regclass::oid, 1262, 4294967295]
			from pg_class c where c.relname like 'a.b%' and c.relkind = 'r'`).Scan(&oids)
		if err != nil {
			t.Fatal(err)
		}
		session := open(t, s.ConnString()).reader.(*session)
		var got []model.Relation
		if err := session.read(t.Context(), &reading{}, []*request{list(session.statements.relation, &got, decodeRelation(session.server.DatID), oidList(oids))}); err != nil {
			t.Fatal(err)
		}
		byID := map[uint32]model.Relation{}
		for _, r := range got {
			byID[r.RelID] = r
		}
		name := model.RelationName{Schema: "Od d", Name: "a.b\"c\n"}
		table, toast, part, parts, shared := byID[oids[0]], byID[oids[1]], byID[oids[2]], byID[oids[3]], byID[oids[4]]
		switch {
		case len(got) != 5:
			t.Errorf("%d relations", len(got))
		case (model.RelationName{Schema: table.Schema, Name: table.Name}) != name || table.Kind != "r" || len(table.Indexes) != 1 || table.DatID != session.server.DatID:
			t.Errorf("table %+v", table)
		case toast.Schema != "pg_toast" || toast.Kind != "t" || toast.ToastOf == nil || *toast.ToastOf != name || len(toast.Indexes) != 1:
			t.Errorf("TOAST relation %+v", toast)
		case part.PartitionOf == nil || part.PartitionOf.Name != "parts" || len(part.Indexes) != 1 || part.Indexes[0].AccessMethod != "hash":
			t.Errorf("partition %+v", part)
		case parts.Kind != "p" || parts.PartitionOf != nil:
			t.Errorf("partitioned table %+v", parts)
		case shared.Name != "pg_database" || shared.DatID != 0:
			t.Errorf("shared catalog %+v", shared)
		}
	})
}

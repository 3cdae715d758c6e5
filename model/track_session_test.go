package model

import (
	"fmt"
	"strings"
	"testing"
)

// vacuumdbBeat is a poll in which a connection of vacuumdb is at its n-th table.
func vacuumdbBeat(n int, query Text, relations ...Relation) Sample {
	p := vacuumOf(query, uint32(20000+n), scanning(1, 10))
	p.ApplicationName, p.StatementStart = Some[Text](vacuumdb), Some(at(1000*n-500))
	s := beat(uint64(n), 1000*n, p)
	s.Poll.Relations = append([]Relation{{DatID: 5, RelID: uint32(20000 + n), Schema: "public", Name: Text(fmt.Sprint("t", n))}}, relations...)
	return s
}

func vacuumdbStream(tables int) []Sample {
	var stream []Sample
	for n := 1; n <= tables; n++ {
		stream = append(stream, vacuumdbBeat(n, Text(fmt.Sprintf("VACUUM (SKIP_DATABASE_STATS) public.t%d;", n))))
	}
	return stream
}

// The statements of a connection of vacuumdb are one group, which goes on between two of
// them and is over when the connection is.
func TestTablesOfVacuumdbStandTogether(t *testing.T) {
	idle := vacuumdbBeat(4, "VACUUM public.t3;")
	idle.Poll.Processes[0].State, idle.Poll.Processes[0].Progress = Some[Text]("idle"), nil
	snaps := fold(append(vacuumdbStream(3), idle, beat(5, 5000)))
	for i, want := range []int{1, 2, 3} {
		s := snaps[i]
		if i == 0 {
			if len(s.Groups) != 0 {
				t.Errorf("one table is the group %+v", s.Groups[0])
			}
			continue
		}
		g := onlyGroup(t, s)
		if g.Kind != GroupSession || !g.AtLeast || g.Number != Some(want) || g.Seen != want || g.End != nil {
			t.Errorf("after %d: %+v", i+1, g)
		}
		if said := GroupProgress(g); !strings.HasPrefix(said, fmt.Sprintf("At least %d tables over this connection of vacuumdb", want)) {
			t.Errorf("it is said as %q", said)
		}
	}
	if g := onlyGroup(t, snaps[3]); g.End != nil {
		t.Error("it is over between two tables")
	}
	over := onlyGroup(t, snaps[4])
	if over.End == nil || over.Number != Some(3) || len(snaps[4].Ended) != 3 {
		t.Errorf("it is over: %+v", over)
	}
	for _, run := range snaps[4].Ended {
		if run.Group != over.ID {
			t.Errorf("%v is not part of it", run.Table)
		}
	}
}

// What only a tick saw of a connection belongs to it, though nobody read its statement.
func TestWhatOnlyTicksSawOfVacuumdbStandsWithIt(t *testing.T) {
	stream := vacuumdbStream(2)
	short := tickAt(1700, "scanning heap", 0, asleep)
	short.Rows[0].RelID, short.Rows[0].StatementStart = 20050, Some(at(1650))
	stream[1].Ticks = []Tick{short}
	s := last(fold(stream))
	if g := onlyGroup(t, s); g.Kind != GroupSession || g.Seen != 3 {
		t.Errorf("%+v", g)
	}
}

// Others who send a statement for each table are not known to go on, and a statement of
// vacuumdb on a partitioned table is a command of its own.
func TestOnlyVacuumdbsSingleTablesStandTogether(t *testing.T) {
	others := vacuumdbStream(3)
	for i := range others {
		others[i].Poll.Processes[0].ApplicationName = Some[Text]("psql")
	}
	if s := last(fold(others)); len(s.Groups) > 0 {
		t.Errorf("psql's are the group %+v", s.Groups[0])
	}
	tree := vacuumdbBeat(11, "VACUUM public.pt;")
	tree.Poll.Processes[0].Progress.RelID = 20010
	tree.Poll.Relations, tree.Poll.Listings = leaves(50, 20010)
	if g := onlyGroup(t, last(fold([]Sample{tree}))); g.Kind != GroupTree || g.Total != Some(50) {
		t.Errorf("%+v", g)
	}
}

package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// vacuumOf is the session's row while it vacuums a relation with a statement.
func vacuumOf(query Text, relid uint32, progress Progress) Process {
	progress.RelID = relid
	proc := vacuumer(progress)
	proc.Query = Some(query)
	return proc
}

// leaves are the catalog entries and the listing of a tree of n leaves of 100 pages,
// of which one is in sight.
func leaves(n int, current uint32) ([]Relation, []Listing) {
	number := int(current) - 20000 + 1
	return []Relation{{DatID: 5, RelID: current, Schema: "public", Name: Text(fmt.Sprintf("pt_%03d", number)), Kind: "r"}},
		[]Listing{{RelID: 19999, Schema: "public", Name: "pt", Relations: n, RelPages: Blocks(100 * n),
			Places: []Place{{RelID: current, Number: number, PagesBefore: Blocks(100 * (number - 1)), RelPages: 100}}}}
}

func onlyGroup(t *testing.T, s *Snapshot) *Group {
	t.Helper()
	if len(s.Groups) != 1 {
		t.Fatalf("%d groups, want 1", len(s.Groups))
	}
	return s.Groups[0]
}

// A VACUUM of a partitioned table is one command: its leaves are runs with endings
// of their own, and the catalog's order tells where it is, also when it is first
// seen in the middle.
func TestPartitionsArePartsOfOneCommand(t *testing.T) {
	var stream []Sample
	for i := range 4 {
		relid := uint32(20010 + i)
		s := beat(uint64(i+1), 60_000+1000*i, vacuumOf("vacuum pt", relid, scanning(50, 100)))
		s.Poll.Relations, s.Poll.Listings = leaves(50, relid)
		stream = append(stream, s)
	}
	snaps := fold(stream)
	first, g := onlyGroup(t, snaps[0]), onlyGroup(t, last(snaps))
	if first.Number != Some(11) || first.Total != Some(50) || first.AtLeast {
		t.Errorf("attached in the middle: %+v", first)
	}
	if g.Kind != GroupTree || g.Root != Some(RelationName{"public", "pt"}) || g.Number != Some(14) || g.Seen != 4 {
		t.Errorf("%+v", g)
	}
	if done := g.Done().Or(0); done < 0.269 || done > 0.271 { // 13 leaves and a half of 50
		t.Errorf("done %v", done)
	}
	if g.Elapsed() != 63*time.Second {
		t.Errorf("elapsed %v, want the time since the statement began", g.Elapsed())
	}
	for _, run := range append(last(snaps).Ended, last(snaps).Active...) {
		if last(snaps).GroupOf(run) != g {
			t.Errorf("%v is not part of the command", run.Table)
		}
	}
	over := fold(append(stream, beat(5, 64_000)))
	if g := onlyGroup(t, last(over)); g.End == nil || g.LastSeen != at(63_000) {
		t.Errorf("the command is over: %+v", g)
	}
}

// The tables of a list stand in the statement. A name that is in no list places
// nothing, and a table's TOAST relation has the place of its table.
func TestTablesOfAListAreCounted(t *testing.T) {
	names := map[uint32]Relation{
		1: {DatID: 5, RelID: 20001, Schema: "s", Name: "a"}, 2: {DatID: 5, RelID: 20002, Schema: "public", Name: "B"},
		3: {DatID: 5, RelID: 20003, Schema: "pg_toast", Name: "pg_toast_20002", Kind: "t", ToastOf: &RelationName{"public", "B"}},
	}
	var stream []Sample
	for i := 1; i <= 3; i++ {
		s := beat(uint64(i), 1000*i, vacuumOf(`vacuum s.a, "B", c`, uint32(20000+i), scanning(1, 10)))
		s.Poll.Relations = []Relation{names[uint32(i)]}
		stream = append(stream, s)
	}
	for i, want := range []int{1, 2, 2} {
		g := onlyGroup(t, fold(stream[:i+1])[i])
		if g.Kind != GroupList || g.Number != Some(want) || g.Total != Some(3) || g.AtLeast {
			t.Errorf("after %d: %+v", i+1, g)
		}
	}
}

// Where the catalog's order is not known, what was seen is the least.
func TestWithoutTheCatalogTheNumberIsTheLeast(t *testing.T) {
	g := onlyGroup(t, last(fold([]Sample{beat(1, 60_000, vacuumOf("vacuum", 20001, scanning(1, 10)))})))
	if g.Kind != GroupDatabase || !g.AtLeast || g.Number != Some(1) || g.Total.Known() || g.Done().Known() {
		t.Errorf("%+v", g)
	}
}

// A command of one table without more is no group; neither is what an autovacuum
// worker does, table by table.
func TestSingleVacuumsAreNoGroups(t *testing.T) {
	a := vacuumOf("autovacuum: VACUUM public.a", 20001, scanning(1, 10))
	a.BackendType = Some[Text]("autovacuum worker")
	b := a
	b.StatementStart, b.Query = Some(at(1500)), Some[Text]("autovacuum: VACUUM public.b")
	b.Progress = vacuumOf("", 20002, scanning(1, 10)).Progress
	for _, snap := range fold([]Sample{beat(1, 1000, a), beat(2, 2000, b), beat(3, 3000, vacuumer(scanning(1, 10))), beat(4, 4000)}) {
		if len(snap.Groups) > 0 {
			t.Errorf("sample %d: %+v", snap.Seq, snap.Groups[0])
		}
	}
}

// The ANALYZE half of a VACUUM (ANALYZE) is a run of the same command, with its own
// progress and duration: the command has not ended with its vacuum.
func TestTheAnalyzeHalfGoesOn(t *testing.T) {
	half := vacuumOf("vacuum (analyze) t", 16384, Progress{Phase: Some[Text]("acquiring sample rows")})
	half.Progress.View = ViewAnalyze
	half.Progress.Other = map[string]json.RawMessage{"sample_blks_total": json.RawMessage("100"), "sample_blks_scanned": json.RawMessage("40")}
	snaps := fold([]Sample{beat(1, 1000, vacuumOf("vacuum (analyze) t", 16384, scanning(5, 10))), beat(2, 2000, half), beat(3, 5000, half), beat(4, 6000)})
	run := onlyRun(t, snaps[2])
	if run.Command != "ANALYZE" || !run.Key.Analyze || run.Left.Done != Some(Ratio(0.4)) {
		t.Errorf("the half: %+v", run)
	}
	if g := onlyGroup(t, snaps[2]); !g.Analyzing || g.End != nil || len(snaps[2].Ended) != 1 {
		t.Errorf("while it analyzes: %+v, %d ended", g, len(snaps[2].Ended))
	}
	over := last(snaps)
	if g := onlyGroup(t, over); g.End == nil || g.Seen != 2 {
		t.Errorf("over: %+v", g)
	}
	if took, ok := over.Ended[0].Elapsed().Get(); !ok || over.Ended[0].Command != "ANALYZE" || took < 3*time.Second {
		t.Errorf("the half took %v", took)
	}
	if !over.Ended[0].FromStart {
		t.Error("its beginning was seen")
	}
}

// Ticks do not read an ANALYZE: that they lack it does not say when it was over.
func TestTicksDoNotEndAnAnalyzeHalf(t *testing.T) {
	half := vacuumOf("vacuum (analyze) t", 16384, Progress{Phase: Some[Text]("acquiring sample rows")})
	half.Progress.View = ViewAnalyze
	over := beat(3, 3000)
	over.Ticks = []Tick{{At: at(2100)}, {At: at(2900)}}
	snaps := fold([]Sample{beat(1, 1000, half), beat(2, 2000, half), over})
	if end := last(snaps).Ended[0].End; !end.At.Equal(at(3000)) {
		t.Errorf("it was over at %v, and the last poll that showed it was at %v", end.At, at(2000))
	}
}

// A vacuum that only ticks saw is a VACUUM, also when the poll after it shows the
// process at its ANALYZE half.
func TestAVacuumThatOnlyTicksSawIsNoAnalyze(t *testing.T) {
	half := vacuumOf("vacuum (analyze) t", 16384, Progress{Phase: Some[Text]("acquiring sample rows")})
	half.Progress.View = ViewAnalyze
	s := beat(2, 1000, half)
	s.Ticks = []Tick{tickAt(500, "scanning heap", 0, onCPU), tickAt(550, "scanning heap", 0, onCPU)}
	over := last(fold([]Sample{beat(1, -5), s}))
	if len(over.Ended) != 1 || over.Ended[0].Command != "VACUUM" || onlyRun(t, over).Command != "ANALYZE" {
		t.Errorf("ended %+v, active %+v", over.Ended[0], over.Active)
	}
}

// Between two tables a command has no progress row. It goes on as long as its
// statement does.
func TestACommandBetweenTwoTablesGoesOn(t *testing.T) {
	between := vacuumOf("vacuum", 0, Progress{})
	between.Progress = nil
	snaps := fold([]Sample{beat(1, 1000, vacuumOf("vacuum", 20001, scanning(1, 10))), beat(2, 2000, between), beat(3, 3000, vacuumOf("vacuum", 20002, scanning(1, 10)))})
	for _, snap := range snaps {
		if g := onlyGroup(t, snap); g.End != nil || g.ID != 1 {
			t.Errorf("sample %d: %+v", snap.Seq, g)
		}
	}
}

// The sentences about a command say what is an estimate and what is the least.
func TestCommandsInWords(t *testing.T) {
	g := &Group{Kind: GroupTree, Command: "VACUUM", Root: Some(RelationName{"public", "pt"}), Number: Some(17), Total: Some(50), LastSeen: at(250_000)}
	g.Key.StatementStart, g.PagesDone, g.PagesTotal = at(0), Some[Blocks](34), Some[Blocks](100)
	for want, change := range map[string]func(*Group){
		"Partition 17 of 50 of public.pt, ≈34 % of the pages, 4:10 so far.": func(*Group) {},
		"Table ≈17 of 50, ≈34 % of the pages, 4:10 so far.":                 func(g *Group) { g.Kind, g.Root = GroupDatabase, None[RelationName]() },
		"Table at least 17, 2 of them did not complete, 4:10 so far.": func(g *Group) {
			g.Kind, g.AtLeast, g.Total, g.Root, g.PagesDone, g.Unfinished = GroupDatabase, true, None[int](), None[RelationName](), None[Blocks](), 2
		},
		"Its command goes on to other relations, ≈34 % of the pages, 4:10 so far.": func(g *Group) { g.Kind = GroupTable },
	} {
		c := *g
		change(&c)
		if got := GroupProgress(&c); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	g.End, g.Completed, g.Unfinished = &End{How: EndNotCompleted}, 16, 1
	if got := strings.Join(GroupVerdict(g, &Run{End: g.End}), " "); !strings.HasPrefix(got, "VACUUM of public.pt and its partitions did not complete") || !strings.HasSuffix(got, "16 completed, 1 did not complete.") {
		t.Error(got)
	}
}

// A TOAST relation stands where its table does, also when the table was too short to
// be seen.
func TestATOASTRelationIsAtThePlaceOfItsTable(t *testing.T) {
	toast := Relation{DatID: 5, RelID: 30007, Schema: "pg_toast", Name: "pg_toast_20006", Kind: "t", ToastOf: &RelationName{"public", "pt_007"}}
	_, listings := leaves(50, 20006)
	listings[0].Places[0].RelID = toast.RelID
	for statement, want := range map[Text]int{"vacuum pt": 7, "vacuum a, pt_007, b": 2} {
		s := beat(1, 60_000, vacuumOf(statement, toast.RelID, scanning(0, 0)))
		s.Poll.Relations, s.Poll.Listings = []Relation{toast}, listings
		if g := onlyGroup(t, last(fold([]Sample{s}))); g.Number != Some(want) || g.AtLeast {
			t.Errorf("%s: %+v", statement, g)
		}
	}
}

// The catalog has no pages of a table that was never vacuumed or analyzed: where such
// tables turn out to be most of a database, its pages do not tell how far a VACUUM is.
func TestPagesThatTheCatalogDoesNotHaveAreNoProgress(t *testing.T) {
	for found, known := range map[Blocks]bool{0: true, 20: true, 4000: false} {
		var stream []Sample
		for i := range 3 {
			s := beat(uint64(i+1), 60_000+1000*i, vacuumOf("vacuum", uint32(20001+i), scanning(found, found)))
			s.Poll.Listings = []Listing{{Relations: 86, RelPages: 1000,
				Places: []Place{{RelID: uint32(20001 + i), Number: i + 1, PagesBefore: 300}}}}
			stream = append(stream, s)
		}
		g := onlyGroup(t, last(fold(stream)))
		if g.Done().Known() != known || g.Number != Some(3) || g.Total != Some(86) {
			t.Errorf("tables of %d pages: %+v", found, g)
		}
	}
}

package tui

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// partOf makes a run a part of a command: of the table, begun and ended so long ago.
func partOf(g *model.Group, table model.Text, relid uint32, began, ended time.Duration) *model.Run {
	run := autovacuumRun()
	run.Key = g.Key
	run.Key.DatID, run.Key.RelID = 16384, relid
	run.Group, run.Table = g.ID, model.Some(table)
	run.StartedBy, run.Role = model.Some(model.ByManual), model.Some[model.Text]("dba")
	run.FirstSeen, run.Began, run.LastSeen = ago(began), ago(began), ago(ended)
	run.ProcessTime = began - ended
	run.Phases[0].Wall, run.Phases[0].ProcessTime, run.Phases[0].From = began-ended, began-ended, ago(began)
	run.Phases[0].Delay.Sampled = model.Some((began - ended) / 10 * 9)
	if ended > 0 {
		run.State, run.End = model.StateEnded, &model.End{At: ago(ended), How: model.EndCompleted}
	}
	return run
}

func group(id uint64, pid int32, kind model.GroupKind, began time.Duration) *model.Group {
	return &model.Group{
		ID: id, Kind: kind, Command: "VACUUM", Database: "app", FirstSeen: ago(began), LastSeen: fixtureNow,
		Key: model.RunKey{PID: pid, BackendStart: ago(began + time.Minute), StatementStart: ago(began)},
	}
}

// commandsSnapshot has a VACUUM of a partitioned table at its 17th leaf, one of the
// whole database that was found in the middle, one of a list, and an ANALYZE half.
func commandsSnapshot() *model.Snapshot {
	s := emptySnapshot()
	tree := group(1, 470001, model.GroupTree, 250*time.Second)
	tree.Root = model.Some(model.RelationName{Schema: "public", Name: "pt"})
	tree.Number, tree.Total, tree.Seen, tree.Completed = model.Some(17), model.Some(50), 17, 16
	tree.PagesDone, tree.PagesTotal = model.Some[model.Blocks](5_780), model.Some[model.Blocks](17_250)
	whole := group(2, 470002, model.GroupDatabase, 14*time.Minute)
	whole.Number, whole.Total, whole.Seen, whole.Completed, whole.Unclear = model.Some(212), model.Some(1_412), 88, 60, 27
	whole.PagesDone, whole.PagesTotal = model.Some[model.Blocks](120_000), model.Some[model.Blocks](2_900_000)
	list := group(3, 470003, model.GroupList, 95*time.Second)
	list.Number, list.Total, list.Seen, list.Completed = model.Some(2), model.Some(3), 2, 1
	half := group(4, 470004, model.GroupTable, 3*time.Minute)
	half.Root = model.Some(model.RelationName{Schema: "public", Name: "events"})
	half.Number, half.AtLeast, half.Seen, half.Completed, half.Analyzing = model.Some(1), true, 2, 1, true
	analyze := partOf(half, "events", 17_000, 20*time.Second, 0)
	analyze.Key.Analyze, analyze.Command = true, "ANALYZE"
	analyze.Phases[0].Phase = "acquiring sample rows"
	s.Groups = []*model.Group{whole, tree, half, list}
	s.Active = []*model.Run{
		partOf(whole, "order_lines", 16_900, 40*time.Second, 0),
		partOf(tree, "pt_017", 16_517, 12*time.Second, 0),
		analyze,
		partOf(list, "b", 16_802, 35*time.Second, 0),
	}
	for i := range 16 {
		end := time.Duration(12+15*i) * time.Second
		s.Ended = append(s.Ended, partOf(tree, model.Text(fmt.Sprintf("pt_%03d", 16-i)), uint32(16_516-i), end+14*time.Second, end))
	}
	s.Ended = append(s.Ended, partOf(half, "events", 17_000, 3*time.Minute, 20*time.Second), partOf(list, "a", 16_801, 95*time.Second, 35*time.Second))
	return s
}

// commandsOverSnapshot is the same a while later: all are over, one was cancelled.
func commandsOverSnapshot() *model.Snapshot {
	s := commandsSnapshot()
	for i, r := range s.Active {
		how := model.EndCompleted
		if i == 1 {
			how = model.EndNotCompleted
		}
		r.State, r.End, r.LastSeen = model.StateEnded, &model.End{At: ago(time.Duration(i+1) * time.Second), How: how}, ago(time.Duration(i+1)*time.Second)
	}
	s.Active, s.Ended = nil, append(s.Active, s.Ended...)
	for i, g := range s.Groups {
		g.Analyzing, g.End = false, s.Ended[i].End
		g.LastSeen = s.Ended[i].LastSeen
		if g.End.How == model.EndCompleted {
			g.Completed++
		} else {
			g.Unfinished++
		}
	}
	return s
}

package report

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Where a number of the document comes from.
const (
	sourceServer   = "server"
	sourceInferred = "inferred"
	// delayOffOrNone: the server's delay_time is 0, which it is both without a delay
	// and while that session's track_cost_delay_timing is off.
	delayOffOrNone = "off_or_none"
	// delayAbsent: the server has no such column (before 18), the row is masked, or
	// there is no progress row yet.
	delayAbsent = "absent"
)

// WriteJSON writes the snapshot document: indented for a person, or on one line
// for a stream of documents.
func WriteJSON(w io.Writer, s *model.Snapshot, indented bool) error {
	return encode(w, newDocument(s), indented)
}

// encode writes a document as JSON, as every one is written.
func encode(w io.Writer, document any, indented bool) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if indented {
		encoder.SetIndent("", "  ")
	}
	return encoder.Encode(document)
}

func newDocument(s *model.Snapshot) document {
	d := document{
		Format:        snapshotFormat,
		FormatVersion: snapshotFormatVersion,
		Server:        newServer(s.Server),
		ServerNow:     timestamp(readAt(s)),
		RoundTripMS:   milliseconds(s.Watch.RoundTrip),
		Vacuums:       each(s.Active, func(r *model.Run) vacuumObject { return newVacuum(s, r) }),
		Commands:      newCommands(s),
		Analyzes:      each(s.Analyzes, newAnalyze),
		LockWaits:     each(lockRequests(s), newLockWait),
		LastVacuums:   newHistories(s.LastVacuums),
		Databases:     each(s.Databases, newDatabase),
		IDRates:       newIDRates(s),
		Horizon:       newHorizon(s),
		Queue:         newQueue(s),
		Settings:      each(s.Settings, newSetting),
		Changes:       each(s.SettingChanges, func(c model.SettingChange) settingChangeObject { return newSettingChange(s, c) }),
		Filter:        newFilter(s.Filtered),
		Problems:      each(problems(s), newProblem),
	}
	if neverRead(s) {
		d.Vacuums, d.Commands, d.Analyzes, d.LockWaits = nil, nil, nil, nil
	}
	return d
}

// neverRead tells that what is being vacuumed could not be read, ever: then it is
// not known, and not nothing.
func neverRead(s *model.Snapshot) bool { return s.Blind && s.At.IsZero() }

// problems are the snapshot's, and a lost connection as one: everything else is
// then as it was at server_now.
func problems(s *model.Snapshot) []model.Problem {
	const connection = "connection"
	told := slices.ContainsFunc(s.Problems, func(p model.Problem) bool { return p.Part == connection })
	if !s.Link.Lost || told {
		return s.Problems
	}
	return append(slices.Clip(s.Problems), model.Problem{Part: connection, Message: s.Link.Reason})
}

// newHistories is null while the statistics were not read.
func newHistories(tables []model.LastVacuum) []historyObject {
	if tables == nil {
		return nil
	}
	at := func(o model.Opt[time.Time]) model.Opt[timestamp] { return utc(o.Or(time.Time{})) }
	return each(tables, func(v model.LastVacuum) historyObject {
		return historyObject{
			RelID: v.RelID, Schema: v.Schema, Table: v.Name,
			LastVacuum: at(v.Manual.Last), LastAutovacuum: at(v.Auto.Last),
			VacuumCount: v.Manual.Count, AutovacuumCount: v.Auto.Count,
			VacuumTime: mapped(v.Manual.Total, milliseconds), AutovacuumTime: mapped(v.Auto.Total, milliseconds),
		}
	})
}

func newFilter(f *model.Filtered) *filterObject {
	if f == nil {
		return nil
	}
	return &filterObject{
		Tables:       each(f.By.Tables, model.TablePattern.String),
		Databases:    each(f.By.Databases, func(name string) string { return name }),
		OtherVacuums: f.Others,
	}
}

func newTable(n model.RelationName) tableObject { return tableObject{n.Schema, n.Name} }

func newSetting(s model.Setting) settingObject { return settingObject(s) }

func newProblem(p model.Problem) problemObject {
	return problemObject{Part: p.Part, SQLState: unlessZero(p.SQLState), Message: p.Message}
}

func newServer(s model.Server) serverObject {
	return serverObject{
		VersionNum:           s.VersionNum,
		Version:              s.Version,
		SystemIdentifier:     unlessZero(s.SystemIdentifier),
		InRecovery:           s.InRecovery,
		StartedAt:            utc(s.StartedAt),
		ConfLoadedAt:         utc(s.ConfLoadedAt),
		DatID:                s.DatID,
		Database:             s.Database,
		Role:                 s.Role,
		RoleSeesAll:          s.SeesAll,
		Address:              s.Address,
		BlockSize:            s.BlockSize,
		TrackCostDelayTiming: s.TrackCostDelayTiming,
	}
}

func newVacuum(s *model.Snapshot, r *model.Run) vacuumObject {
	p := model.Progress{}
	if r.Progress != nil {
		p = *r.Progress
	}
	return vacuumObject{
		State:              r.State,
		Command:            r.Command,
		PID:                r.Key.PID,
		BackendStart:       utc(r.Key.BackendStart),
		StatementStart:     utc(r.Key.StatementStart),
		StatementElapsedMS: mapped(r.StatementElapsed(), milliseconds),
		DatID:              unlessZero(r.Key.DatID),
		RelID:              unlessZero(r.Key.RelID),
		Database:           unlessZero(r.Database),
		Schema:             r.Schema,
		Table:              r.Table,
		NameSource:         unlessZero(r.NameSource),
		ToastOf:            mapped(r.ToastOf, newTable),
		StartedBy:          r.StartedBy,
		StartedBySource:    startedBySource(r),
		Mode:               p.Mode,
		FailsafeInferred:   failsafeInferred(r),
		Phase:              p.Phase,
		HeapBlksTotal:      p.HeapBlksTotal,
		HeapBlksScanned:    p.HeapBlksScanned,
		HeapBlksVacuumed:   p.HeapBlksVacuumed,
		IndexVacuumCount:   p.IndexVacuumCount,
		IndexesTotal:       p.IndexesTotal,
		IndexesProcessed:   p.IndexesProcessed,
		MaxDeadTupleBytes:  p.MaxDeadTupleBytes,
		DeadTupleBytes:     p.DeadTupleBytes,
		NumDeadItemIDs:     p.NumDeadItemIDs,
		MaxDeadTuples:      p.MaxDeadTuples,
		NumDeadTuples:      p.NumDeadTuples,
		HeldUp:             newHeld(r),
		DelayMS:            p.DelayTime,
		DelaySource:        delaySource(p.DelayTime),
		UnknownColumns:     columns(p.Other),
		Processes:          newProcesses(r),
		Edges:              each(s.Edges(r), newEdge),
		Allowance:          newAllowance(r),
		Whole:              newWhole(r.Whole),
		Time:               newTime(r),
		Verdict:            newVerdict(s, r),
	}
}

// newProcesses are the processes that live now: a run also keeps workers that
// have ended.
func newProcesses(r *model.Run) []processObject {
	processes := []processObject{}
	for _, m := range r.Processes {
		if !m.Alive {
			continue
		}
		processes = append(processes, processObject{
			PID:           m.PID,
			Role:          role(m),
			BackendStart:  utc(m.BackendStart),
			WaitEventType: mapped(m.Wait, func(w model.Wait) model.Text { return w.Type }),
			WaitEvent:     mapped(m.Wait, func(w model.Wait) model.Text { return w.Event }),
		})
	}
	return processes
}

func failsafeInferred(r *model.Run) model.Opt[string] {
	if r.Failsafe == nil || !r.Failsafe.Inferred {
		return model.None[string]()
	}
	return model.Some(r.Failsafe.Reason)
}

func newAnalyze(a model.Analyze) analyzeObject {
	other := columns(a.Progress.Other)
	take := func(name string) json.RawMessage {
		value := other[name]
		delete(other, name)
		return value // a nil RawMessage is null
	}
	return analyzeObject{
		PID:            a.PID,
		StatementStart: mapped(a.StartedAt, toTimestamp),
		RelID:          unlessZero(a.Progress.RelID),
		Database:       unlessZero(a.Database),
		Schema:         a.Schema,
		Table:          a.Table,
		StartedBy:      a.Progress.StartedBy,
		Phase:          a.Progress.Phase,
		DelayMS:        a.Progress.DelayTime,
		DelaySource:    delaySource(a.Progress.DelayTime),
		SampleTotal:    take("sample_blks_total"),
		SampleScanned:  take("sample_blks_scanned"),
		ExtTotal:       take("ext_stats_total"),
		ExtComputed:    take("ext_stats_computed"),
		ChildTotal:     take("child_tables_total"),
		ChildDone:      take("child_tables_done"),
		ChildRelID:     bytes.Trim(take("current_child_table_relid"), `"`), // the server's JSON has oids in quotes
		UnknownColumns: other,
	}
}

// blockedBy is null for a wait whose blockers were not asked for; in the list, null
// stands for a prepared transaction.
func blockedBy(pids []int32) []model.Opt[int32] {
	if pids == nil {
		return nil
	}
	return each(pids, unlessZero[int32])
}

// lockRequests are the waits for heavyweight locks; vacuums that are held up without
// one say so themselves.
func lockRequests(s *model.Snapshot) []model.LockWait {
	return slices.DeleteFunc(slices.Clone(s.LockWaits), func(w model.LockWait) bool { return w.Kind != "" })
}

func newLockWait(l model.LockWait) lockWaitObject {
	return lockWaitObject{
		PID:       l.PID,
		BlockedBy: blockedBy(l.BlockedBy),
		Blockers:  each(l.Blockers, newBlocker),
		Masked:    l.Masked,
		LockType:  l.LockType,
		Mode:      l.Mode,
		RelID:     l.RelID,
		Relation:  relationName(l.Schema, l.Table),
		Database:  l.Database,
		WaitedMS:  mapped(l.Waited, milliseconds),
	}
}

// relationName is a relation's qualified name, quoted where SQL needs it; absent
// unless both parts are known.
func relationName(schema, table model.Opt[model.Text]) model.Opt[model.Text] {
	s, known := schema.Get()
	t, both := table.Get()
	if !known || !both {
		return model.None[model.Text]()
	}
	return model.Some(s.QuoteIdent() + "." + t.QuoteIdent())
}

func startedBySource(r *model.Run) model.Opt[string] {
	switch {
	case !r.StartedBy.Known():
		return model.None[string]()
	case r.StartedByServer:
		return model.Some(sourceServer)
	}
	return model.Some(sourceInferred)
}

func delaySource(delay model.Opt[float64]) string {
	ms, known := delay.Get()
	switch {
	case !known:
		return delayAbsent
	case ms == 0:
		return delayOffOrNone
	}
	return sourceServer
}

// role is leader or worker, or the backend_type of another helper.
func role(m model.Member) string {
	switch {
	case m.Helper != "":
		return m.Helper.Display()
	case m.Worker:
		return "worker"
	}
	return "leader"
}

// columns is a copy that can be written to, and is {} rather than null.
func columns(other map[string]json.RawMessage) map[string]json.RawMessage {
	copied := make(map[string]json.RawMessage, len(other))
	maps.Copy(copied, other)
	return copied
}

// each turns every element; the result is [] rather than null.
func each[From, To any](from []From, turn func(From) To) []To {
	to := make([]To, 0, len(from))
	for _, v := range from {
		to = append(to, turn(v))
	}
	return to
}

// mapped turns a value that is there.
func mapped[From, To any](from model.Opt[From], turn func(From) To) model.Opt[To] {
	if v, known := from.Get(); known {
		return model.Some(turn(v))
	}
	return model.None[To]()
}

// unlessZero is v, absent when it is its type's zero, which stands for "not known".
func unlessZero[T comparable](v T) model.Opt[T] {
	var zero T
	if v == zero {
		return model.None[T]()
	}
	return model.Some(v)
}

func utc(t time.Time) model.Opt[timestamp] {
	if t.IsZero() {
		return model.None[timestamp]()
	}
	return model.Some(timestamp(t))
}

// milliseconds is a duration in milliseconds, to the microsecond.
func milliseconds(d time.Duration) float64 {
	return math.Round(model.InMilliseconds(d)*1000) / 1000
}

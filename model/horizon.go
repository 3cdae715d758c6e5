package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// HolderKind says what keeps dead rows from being removed.
type HolderKind string

// What can keep dead rows.
const (
	HolderSession     HolderKind = "session"      // a transaction with an id or a snapshot
	HolderPrepared    HolderKind = "prepared"     // a prepared transaction
	HolderWalsender   HolderKind = "walsender"    // of a standby with hot_standby_feedback and no slot
	HolderSlot        HolderKind = "slot"         // xmin of a replication slot
	HolderSlotCatalog HolderKind = "slot_catalog" // catalog_xmin of a replication slot: rows of catalogs only
)

// XminHolder is one of those who keep dead rows from being removed: rows that were
// deleted after its oldest id are kept.
type XminHolder struct {
	Kind HolderKind `json:"kind,omitzero"`
	// PID and BackendStart are of a session or walsender; BackendStart is absent when
	// masked.
	PID          int32          `json:"pid"`
	BackendStart Opt[time.Time] `json:"backend_start,omitzero"`
	GID          Text           `json:"gid,omitzero"`  // of a prepared transaction
	Slot         Text           `json:"slot,omitzero"` // of a slot
	XID          Opt[uint32]    `json:"xid,omitzero"`  // of a prepared transaction its own, of a slot the oldest that it keeps
	// Age is how many transactions ago its oldest id was given out (age()).
	Age int64 `json:"age"`
	// Since is xact_start, or when it was prepared; absent for slots and when masked.
	Since           Opt[time.Time] `json:"since,omitzero"`
	DatID           uint32         `json:"datid"`             // 0: of no database
	Database        Opt[Text]      `json:"database,omitzero"` // of a slot: only of a logical one
	Role            Opt[Text]      `json:"role,omitzero"`     // of a prepared transaction, its owner
	ApplicationName Opt[Text]      `json:"application_name,omitzero"`
	BackendType     Opt[Text]      `json:"backend_type,omitzero"`
	State           Opt[Text]      `json:"state,omitzero"`
	Query           Opt[Text]      `json:"query,omitzero"` // cut as Process.Query; absent when masked
	Masked          bool           `json:"masked"`         // this role may not see what the session does
	Active          bool           `json:"active"`         // of a slot: somebody reads from it
	Analyzes        bool           `json:"analyzes"`       // it has a row in pg_stat_progress_analyze
}

// HorizonRead is one reading of who keeps dead rows, in its parts. A part that could
// not be read is nil and listed in the sample's Problems.
type HorizonRead struct{ Sessions, Prepared, Slots []XminHolder }

// Horizon is who keeps dead rows from being removed, the oldest first.
type Horizon struct {
	ReadAt  time.Time
	Holders []XminHolder
	Unread  []string // the parts that could not be read
}

// newHorizon takes a reading, without the VACUUMs that keep nothing.
func newHorizon(at time.Time, read *HorizonRead) *Horizon {
	h := &Horizon{ReadAt: at}
	for _, part := range []struct {
		name    string
		holders []XminHolder
	}{{"sessions", read.Sessions}, {"prepared transactions", read.Prepared}, {"replication slots", read.Slots}} {
		if part.holders == nil {
			h.Unread = append(h.Unread, part.name)
		}
		h.Holders = append(h.Holders, part.holders...)
	}
	h.Holders = slices.DeleteFunc(h.Holders, XminHolder.keepsNothing)
	slices.SortStableFunc(h.Holders, func(a, b XminHolder) int { return cmp.Compare(b.Age, a.Age) })
	return h
}

// keepsNothing tells of a lazy VACUUM that shows no progress yet: it waits for its
// table. The server leaves its snapshot out; not while it analyzes.
func (h XminHolder) keepsNothing() bool {
	if h.Kind != HolderSession || h.Analyzes || h.Masked {
		return false
	}
	vacuums := h.State.Or("") == "active" && parseStatement(h.Query.Or("")).Command == "VACUUM"
	return vacuums || h.BackendType.Or("") == "autovacuum worker"
}

// Keeps tells whether the holder keeps dead rows of the user tables of a database. A
// session does in its own database; standbys and slots do in all of them.
func (h XminHolder) Keeps(datid uint32) bool {
	switch h.Kind {
	case HolderWalsender:
		return h.DatID == 0 || h.DatID == datid // a logical one has a database
	case HolderSlot:
		return true
	case HolderSlotCatalog:
		return false
	}
	return h.DatID == datid
}

// KeepsCatalogs tells whether it keeps dead rows of the catalogs of a database. Those
// of the shared catalogs are kept by every holder.
func (h XminHolder) KeepsCatalogs(datid uint32) bool {
	return h.Kind == HolderSlotCatalog || h.Keeps(datid)
}

// keepsOf tells whether it keeps dead rows of what a run vacuums.
func (h XminHolder) keepsOf(r *Run) bool {
	switch {
	case r.Relation != nil && r.Relation.DatID == 0:
		return true
	case r.Relation != nil && r.Relation.Schema == "pg_catalog", r.Key.RelID < firstUserOID:
		return h.KeepsCatalogs(r.Key.DatID)
	}
	return h.Keeps(r.Key.DatID)
}

// What is younger does not matter: transactions come and go. Of whom it is not known
// since when, only the age in transactions can tell.
const (
	leastHolderTime = time.Minute
	leastHolderAge  = 10_000
)

// matters tells whether a holder is old enough to be spoken of.
func (h XminHolder) matters(now time.Time) bool {
	if since, ok := h.Since.Get(); ok {
		return h.Age > 0 && now.Sub(since) >= leastHolderTime
	}
	return h.Age >= leastHolderAge
}

// HoldersOf are those who keep dead rows of what a run vacuums, the oldest first,
// also the young ones.
func (s *Snapshot) HoldersOf(r *Run) []XminHolder { return s.Horizon.holdersOf(r) }

func (h *Horizon) holdersOf(r *Run) []XminHolder {
	if h == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(h.Holders), func(h XminHolder) bool { return !h.keepsOf(r) })
}

// HolderOf is the oldest of those who keep dead rows of what a run vacuums, where it
// is old enough to matter and was there when the run began: how far a vacuum removes
// is fixed when its table begins. Who was read before that can have ended by then, and
// does not count.
func (s *Snapshot) HolderOf(r *Run) Opt[XminHolder] { return s.Horizon.holderOf(r, s.At) }

func (h *Horizon) holderOf(r *Run, now time.Time) Opt[XminHolder] {
	if !h.readIn(r) {
		return None[XminHolder]()
	}
	for _, h := range h.holdersOf(r) {
		if h.matters(now) && h.Since.Or(time.Time{}).Before(r.began()) {
			return Some(h)
		}
	}
	return None[XminHolder]()
}

// readIn tells whether the reading was made when the run had begun.
func (h *Horizon) readIn(r *Run) bool { return h != nil && !h.ReadAt.Before(r.began()) }

// began is when the run began, or was first seen where its beginning was not.
func (r *Run) began() time.Time {
	if r.Began.IsZero() {
		return r.FirstSeen
	}
	return r.Began
}

// Name is who the holder is, safe to print.
func (h XminHolder) Name() string {
	switch h.Kind {
	case HolderPrepared:
		return "prepared transaction " + quoteLiteral(h.GID)
	case HolderSlot, HolderSlotCatalog:
		return "replication slot " + h.Slot.Display()
	case HolderWalsender:
		return fmt.Sprintf("pid %d, the walsender of a standby with hot_standby_feedback", h.PID)
	}
	return fmt.Sprintf("pid %d", h.PID)
}

// Who is who the holder is and what it does, safe to print.
func (h XminHolder) Who(now time.Time) string {
	if does := h.does(now); does != "" {
		return h.Name() + " (" + does + ")"
	}
	return h.Name()
}

// does is what the holder does and since when.
func (h XminHolder) does(now time.Time) string {
	out := h.State.Or("").Display()
	switch {
	case h.Masked:
		return "what it does this role may not see"
	case h.Kind == HolderSlot, h.Kind == HolderSlotCatalog:
		if h.Active {
			return "in use"
		}
		return "nobody reads from it"
	case h.Kind == HolderSession:
		return sessionDoes(h.State, h.Since, h.Role, h.ApplicationName, now)
	case h.Kind == HolderPrepared:
		out = fmt.Sprintf("of %s in database %s", h.Role.Or("").Display(), h.Database.Or("").QuoteIdent().Display())
	case out == "":
		return ""
	}
	return out + forSoLong(h.Since, now)
}

// sessionDoes is what a session does, since when, and whose it is, safe to print: "idle
// in transaction for 3:00:00, role app, shop"; "" when nothing of it is known.
func sessionDoes(state Opt[Text], since Opt[time.Time], role, application Opt[Text], now time.Time) string {
	var facts []string
	if s, ok := state.Get(); ok {
		facts = append(facts, s.Display()+forSoLong(since, now))
	}
	if r, ok := role.Get(); ok {
		facts = append(facts, "role "+r.Display())
	}
	if app := application.Or(""); app != "" {
		facts = append(facts, app.Display())
	}
	return strings.Join(facts, ", ")
}

// forSoLong is " for 3:00:00"; "" when it is not known since when.
func forSoLong(since Opt[time.Time], now time.Time) string {
	if at, ok := since.Get(); ok {
		return " for " + FormatDuration(max(0, now.Sub(at)))
	}
	return ""
}

// EndedBy is the statement that would end it, safe to print; "" where none does, and
// EndedElse says then what does.
func (h XminHolder) EndedBy() string {
	switch {
	case h.Kind == HolderSession:
		return fmt.Sprintf("SELECT pg_terminate_backend(%d)", h.PID)
	case h.Kind == HolderPrepared:
		return "ROLLBACK PREPARED " + quoteLiteral(h.GID)
	case h.Kind != HolderWalsender && !h.Active:
		return "SELECT pg_drop_replication_slot(" + quoteLiteral(h.Slot) + ")"
	}
	return ""
}

// EndedElse is what ends a holder that no statement here does; "" for the others.
func (h XminHolder) EndedElse() string {
	switch {
	case h.EndedBy() != "":
		return ""
	case h.Kind == HolderSlotCatalog:
		return "Its subscriber must confirm what it has received."
	}
	return "A query on the standby holds it: end that one, or turn hot_standby_feedback off there."
}

// NotEnded is why no statement from here ends it; "" where EndedBy does. A session of
// which this role may not see what it does could be another by now.
func (h XminHolder) NotEnded() string {
	switch {
	case h.EndedBy() == "":
		return h.EndedElse()
	case h.Kind == HolderSession && !h.BackendStart.Known():
		return "this role may not see the session, and could not tell it from another."
	}
	return ""
}

// Consequence says what becomes of it and of others when it is ended, safe to print; ""
// where no statement ends it.
func (h XminHolder) Consequence() string {
	switch {
	case h.NotEnded() != "":
		return ""
	case h.Kind == HolderPrepared:
		return "It is rolled back for good: who prepared it may count on being able to commit it."
	case h.Kind == HolderSession:
		return "Its connection is closed, and what its transaction did is rolled back."
	case h.Kind == HolderSlotCatalog:
		return "Its subscriber cannot go on from where it was: it has to be set up anew."
	}
	return "Its standby cannot go on where the WAL that it needs is gone: it may have to be made anew."
}

// Same tells whether two readings are of the same holder.
func (h XminHolder) Same(o XminHolder) bool {
	return h.Kind == o.Kind && h.PID == o.PID && h.GID == o.GID && h.Slot == o.Slot && h.DatID == o.DatID &&
		h.BackendStart.Or(time.Time{}).Equal(o.BackendStart.Or(time.Time{}))
}

// HoldersHere are those who keep dead rows of user tables or catalogs of the connected
// database, the oldest first, also the young ones.
func (s *Snapshot) HoldersHere() []XminHolder {
	if s.Horizon == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Horizon.Holders), func(h XminHolder) bool { return !h.KeepsCatalogs(s.Server.DatID) })
}

// OldestHere is the oldest of those who keep dead rows of user tables of the connected
// database, where it is old enough to matter.
func (s *Snapshot) OldestHere() Opt[XminHolder] {
	for _, h := range s.HoldersHere() {
		if h.Keeps(s.Server.DatID) && h.matters(s.At) {
			return Some(h)
		}
	}
	return None[XminHolder]()
}

// quoteLiteral is a text as an SQL string, for people.
func quoteLiteral(t Text) string { return "'" + strings.ReplaceAll(t.Display(), "'", "''") + "'" }

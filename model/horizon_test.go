package model

import (
	"strings"
	"testing"
	"time"
)

var horizonNow = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// heldRun is a run of database 5 that began a minute ago, and a snapshot in which
// somebody keeps dead rows.
func heldRun(holders ...XminHolder) (*Snapshot, *Run) {
	r := &Run{Key: RunKey{PID: 10, DatID: 5, RelID: 20000}, Command: "VACUUM", State: StateRunning, FirstSeen: horizonNow.Add(-time.Minute)}
	return &Snapshot{At: horizonNow, Horizon: newHorizon(horizonNow, &HorizonRead{Sessions: holders})}, r
}

func idleSince(d time.Duration) XminHolder {
	return XminHolder{
		Kind: HolderSession, PID: 4711, DatID: 5, Age: 12_400_000, Since: Some(horizonNow.Add(-d)),
		State: Some[Text]("idle in transaction"), Role: Some[Text]("app"),
	}
}

func TestTheVerdictNamesWhoKeepsDeadRows(t *testing.T) {
	slot := XminHolder{Kind: HolderSlot, Slot: "standby's", Age: 50_000}
	prepared := XminHolder{Kind: HolderPrepared, GID: "orphan-2", DatID: 5, Age: 3, Since: Some(horizonNow.Add(-time.Hour)), Role: Some[Text]("app"), Database: Some[Text]("shop")}
	feedback := XminHolder{Kind: HolderWalsender, PID: 99, Age: 5, State: Some[Text]("active"), Since: Some(horizonNow.Add(-time.Hour))}
	for name, c := range map[string]struct {
		holder XminHolder
		want   []string
	}{
		"session":  {idleSince(3 * time.Hour), []string{"the last 12,400,000 transactions", "pid 4711 (idle in transaction for 3:00:00", "pg_terminate_backend(4711)", "Only the next vacuum profits"}},
		"prepared": {prepared, []string{"prepared transaction 'orphan-2' (of app in database shop for 1:00:00", "ROLLBACK PREPARED 'orphan-2'"}},
		"slot":     {slot, []string{"replication slot standby's (nobody reads from it", "pg_drop_replication_slot('standby''s')"}},
		"feedback": {feedback, []string{"walsender of a standby", "query on the standby", "Only the next vacuum profits"}},
	} {
		s, r := heldRun(c.holder)
		said := strings.Join(horizonSentences(s, r), " ")
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in %q", name, want, said)
			}
		}
	}
}

func TestWhoIsNotNamedAsKeepingDeadRows(t *testing.T) {
	with := func(change func(*XminHolder)) XminHolder {
		h := idleSince(time.Hour)
		change(&h)
		return h
	}
	for name, h := range map[string]XminHolder{
		"young":                       idleSince(30 * time.Second),
		"began after the run":         idleSince(59 * time.Second),
		"no transaction since":        with(func(h *XminHolder) { h.Age = 0 }),
		"another database":            with(func(h *XminHolder) { h.DatID = 6 }),
		"catalogs only":               {Kind: HolderSlotCatalog, Age: 1_000_000},
		"young, since when not known": {Kind: HolderSession, DatID: 5, Masked: true, Age: 9_999},
		"a VACUUM that waits":         with(func(h *XminHolder) { h.State, h.Query = Some[Text]("active"), Some[Text]("vacuum (verbose) t") }),
		"an autovacuum that begins":   with(func(h *XminHolder) { h.BackendType = Some[Text]("autovacuum worker") }),
	} {
		s, r := heldRun(h)
		if said := horizonSentences(s, r); said != nil {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// Who keeps only the rows of catalogs, or sits in another database, is named for the
// catalogs that it keeps.
func TestCatalogsAreKeptByMore(t *testing.T) {
	elsewhere := idleSince(time.Hour)
	elsewhere.DatID = 6
	for name, c := range map[string]struct {
		holder XminHolder
		rel    Relation
		named  bool
	}{
		"slot, local catalog":               {XminHolder{Kind: HolderSlotCatalog, Age: 1_000_000}, Relation{DatID: 5, Schema: "pg_catalog"}, true},
		"other database, shared catalog":    {elsewhere, Relation{Schema: "pg_catalog"}, true},
		"other database, local catalog":     {elsewhere, Relation{DatID: 5, Schema: "pg_catalog"}, false},
		"analyze of the table's own, local": {func() XminHolder { h := idleSince(time.Hour); h.Analyzes = true; return h }(), Relation{DatID: 5, Schema: "public"}, true},
	} {
		s, r := heldRun(c.holder)
		r.Relation = &c.rel
		if s.HolderOf(r).Known() != c.named {
			t.Errorf("%s: named %v", name, !c.named)
		}
	}
}

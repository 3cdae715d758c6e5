package model

// countWaits adds up what the server counted of waits for locks since the watching
// began; a reset of its statistics begins anew.
func (t *Tracker) countWaits(read Opt[LockTotals]) {
	now, ok := read.Get()
	if !ok {
		return
	}
	before, known := t.countedTo.Get()
	sum := t.counted.Or(LockTotals{})
	if known && now.Waits >= before.Waits && now.WaitTime >= before.WaitTime {
		sum.Waits += now.Waits - before.Waits
		sum.WaitTime += now.WaitTime - before.WaitTime
	}
	t.counted, t.countedTo = Some(sum), read
}

// MaskedWaitSentences say which sessions that this role may not see wait for a lock
// that a VACUUM takes, longest first; nil when none does.
func MaskedWaitSentences(s *Snapshot) []string {
	var out []string
	for _, w := range s.LockWaits {
		if !w.MayVacuum() {
			continue
		}
		on := "a table"
		if table, ok := w.Table.Get(); ok {
			on = RelationName{w.Schema.Or(""), table}.Display()
		}
		out = append(out, "A session of role "+w.Role.Or("").QuoteIdent().Display()+" that this role may not see waits for a ShareUpdateExclusive lock on "+on+
			", which VACUUM takes (and ANALYZE, CREATE INDEX CONCURRENTLY, some forms of ALTER TABLE).")
	}
	return out
}

package poll

import "example.com/vacscope/model"

// lockTotalStatement reads what the server counted of waits for locks on relations,
// of all databases: 19 counts those that lasted longer than deadlock_timeout.
func lockTotalStatement(c columns) *statement {
	sql := `select null::pg_catalog.int8 as waits, null::pg_catalog.float8 as wait_time`
	if c.hasView("pg_stat_lock") && c.mayRead("pg_stat_lock") {
		sql = `select l.waits, l.wait_time from pg_catalog.pg_stat_lock l where l.locktype = 'relation'`
	}
	return &statement{part: "waits for locks that the server counted", name: "vacscope_lock_total", when: nowAndThen, sql: timed(sql)}
}

func decodeLockTotal(poll *model.Poll) func(row) error {
	return func(r row) error {
		if waits, ok := r.integer("waits").Get(); ok {
			poll.LockTotals = model.Some(model.LockTotals{Waits: waits, WaitTime: model.Milliseconds(r.float("wait_time").Or(0))})
		}
		return nil
	}
}

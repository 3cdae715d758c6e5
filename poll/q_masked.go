package poll

import (
	"slices"
	"strconv"
	"time"

	"example.com/vacscope/model"
)

// maskedEvery is how often they are looked for while none waits.
const maskedEvery = 2 * time.Second

// maskedStatement finds the sessions that wait for a lock among those which this
// role may not see, and who blocks them. Of such a session pg_stat_activity has no
// wait event, but every role sees the lock table. It is sent only for a role that
// does not see all: the lock table is copied each time.
func maskedStatement(c columns) *statement {
	return &statement{
		part: "lock waits of sessions that this role may not see",
		name: "vacscope_masked",
		when: "every 2 s, and each beat while one waits, for a role without pg_read_all_stats",
		sql: timed(`
with masked as materialized (
  select a.pid, a.datid, a.datname, a.usename, a.application_name, a.query
  from pg_catalog.pg_stat_activity a
  where a.backend_type is null and a.query = '` + masked + `'
), blocked as materialized (
  select w.pid, ` + c.callOrNull("pg_blocking_pids(int4)", "pg_blocking_pids(w.pid)", "int4[]") + ` as blocked_by
  from (select distinct l.pid from pg_catalog.pg_locks l join masked m on m.pid = l.pid
        where not l.granted limit ` + strconv.Itoa(maxBlocked) + `) w
)
select m.*, coalesce(b.blocked_by, '{}') as blocked_by, b.pid is not null as waits
from masked m left join blocked b on b.pid = m.pid
where b.pid is not null or m.pid in (select pg_catalog.unnest(w.blocked_by) from blocked w)`),
	}
}

func decodeMasked(processes *[]model.Process) func(row) error {
	decode := decodeProcess(processes)
	return func(r row) error {
		err := decode(r)
		p := &(*processes)[len(*processes)-1]
		if p.WaitsUnseen = r.boolean("waits"); !p.WaitsUnseen {
			p.BlockedBy = nil
		}
		return err
	}
}

// maskedWatch keeps what was found of them.
type maskedWatch struct {
	last  time.Time
	due   bool
	found []model.Process
}

// beat begins a beat of a role that does not see all: they are read once in it, where
// it is time for that.
func (w *maskedWatch) beat() { w.due = len(w.found) > 0 || time.Since(w.last) >= maskedEvery }

// take makes the request where it is time for one; none for a role that sees all.
func (w *maskedWatch) take(s *statement, seesAll bool) []*request {
	if seesAll || !w.due {
		return nil
	}
	w.last, w.found, w.due = time.Now(), nil, false
	return []*request{list(s, &w.found, decodeMasked)}
}

// join adds them to a poll that has not got them.
func (w *maskedWatch) join(poll *model.Poll) {
	if poll.Processes == nil {
		return
	}
	for _, p := range w.found {
		at := slices.IndexFunc(poll.Processes, func(q model.Process) bool { return q.PID == p.PID })
		if at < 0 {
			poll.Processes = append(poll.Processes, p)
		} else if poll.Processes[at].Masked {
			poll.Processes[at].WaitsUnseen, poll.Processes[at].BlockedBy = p.WaitsUnseen, p.BlockedBy
		}
	}
}

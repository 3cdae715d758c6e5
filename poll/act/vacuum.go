package act

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

// setupTime ends what comes before the VACUUM itself.
const setupTime = 15 * time.Second

// Prepared is a VACUUM that is ready to be sent, on a connection of its own.
type Prepared struct {
	// Table is the relation's name as the catalog has it.
	Table model.RelationName
	// Statement is the VACUUM that will be sent.
	Statement string
	// Settings are those that govern its work, as its session has them.
	Settings []model.Setting
	// PID is the server process that will run it.
	PID int32

	gate    *Gate
	conn    *pgconn.PgConn
	table   table
	plan    model.VacuumPlan
	patient bool // the plan leaves it to wait until nobody holds the table
	version int
	set     []setting      // what its session has set for itself
	skipped *pgconn.Notice // the warning that said so
}

// Prepare connects, looks the plan's table up and sets the session's settings.
// Nothing has been changed when it fails, nor when nothing is run: the settings are of
// a session that ends, and are reported when Run is called.
func (g *Gate) Prepare(ctx context.Context, config *poll.Config, plan model.VacuumPlan) (*Prepared, error) {
	if g.readOnly {
		return nil, ErrReadOnly
	}
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	p := &Prepared{gate: g, plan: plan, patient: plan.LockTimeout == "" && !plan.SkipLocked}
	conn, err := config.Dial(ctx, map[string]string{"application_name": model.OwnApplication}, p.notice)
	if err != nil {
		return nil, err
	}
	p.conn, p.PID = conn, int32(conn.PID())
	if err := p.setUp(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// setUp does what Prepare says on the new connection.
func (p *Prepared) setUp(ctx context.Context) error {
	rows, err := query(ctx, p.conn, `
select pg_catalog.current_setting('server_version_num'), pg_catalog.pg_backend_pid(), pg_catalog.pg_is_in_recovery()`)
	if err != nil {
		return fmt.Errorf("ask the server what it is: %w", err)
	}
	if rows[0][1] != strconv.Itoa(int(p.PID)) {
		return fmt.Errorf("a pooler stands between: it would give SET and VACUUM to different server processes; connect to the server itself")
	}
	if rows[0][2] == "t" {
		return fmt.Errorf("this server is a standby: VACUUM runs on its primary, and its effect comes from there")
	}
	if p.version, err = strconv.Atoi(rows[0][0]); err != nil {
		return fmt.Errorf("ask the server what it is: %w", err)
	}
	if err := check(p.plan, p.version); err != nil {
		return err
	}
	if p.table, err = findTable(ctx, p.conn, p.plan); err != nil {
		return err
	}
	if p.plan.LockTimeout == "" {
		if p.plan.LockTimeout, err = patience(ctx, p.conn); err != nil {
			return err
		}
	}
	for _, s := range settingsOf(p.plan, p.version) {
		if err := p.conn.Exec(ctx, s.sql()).Close(); err != nil {
			return fmt.Errorf("set %s to %s for this VACUUM: %w", s.name, s.value, err)
		}
		p.set = append(p.set, s)
	}
	if p.Settings, err = workSettings(ctx, p.conn); err != nil {
		return err
	}
	p.Table = p.table.name
	p.Statement = Statement(p.plan, p.Table)
	return nil
}

// patience is a lock_timeout within which no autovacuum is cancelled for the wait:
// below the session's deadlock_timeout.
func patience(ctx context.Context, conn *pgconn.PgConn) (string, error) {
	rows, err := query(ctx, conn, `
select greatest(1, s.setting::pg_catalog.int8 / 2) from pg_catalog.pg_settings s where s.name = 'deadlock_timeout'`)
	if err != nil || len(rows) == 0 {
		return "", fmt.Errorf("read deadlock_timeout: %w", err)
	}
	return rows[0][0] + "ms", nil
}

// Statements are what is sent, in order: the settings of the session (they are set
// already, and only this session has them), then the VACUUM.
func (p *Prepared) Statements() []model.Text {
	var out []model.Text
	for _, s := range p.set {
		out = append(out, model.Text(s.sql()))
	}
	return append(out, model.Text(p.Statement))
}

// workSettings reads what governs the work of a VACUUM in this session.
func workSettings(ctx context.Context, conn *pgconn.PgConn) ([]model.Setting, error) {
	rows, err := query(ctx, conn, `
select s.name, s.setting, coalesce(s.unit, ''), s.source
from pg_catalog.pg_settings s
where s.name in ('vacuum_cost_delay', 'vacuum_cost_limit', 'vacuum_cost_page_hit', 'vacuum_cost_page_miss', 'vacuum_cost_page_dirty',
  'maintenance_work_mem', 'max_parallel_maintenance_workers', 'track_cost_delay_timing', 'vacuum_buffer_usage_limit')
order by s.name`)
	if err != nil {
		return nil, fmt.Errorf("read the settings of the VACUUM's session: %w", err)
	}
	var out []model.Setting
	for _, r := range rows {
		out = append(out, settingOf(r[0], r[1], r[2], r[3]))
	}
	return out, nil
}

// partitioned tells that the table is a partitioned one: its partitions are
// vacuumed one after the other, and each may be held by somebody.
func (p *Prepared) partitioned() bool { return p.table.kind == "p" }

// Run sends the VACUUM and waits for its end. What happens meanwhile is reported as
// events. The result says what the server answered; a VACUUM that skipped the table
// has failed with the warning's SQLSTATE.
func (p *Prepared) Run() model.Result {
	// What the VACUUM runs of others, functions of its indexes, sees the role's own path.
	if _, err := query(context.Background(), p.conn, "reset search_path"); err != nil {
		result := resultOf(err)
		p.record(model.Event{Kind: model.EventEnded, Result: &result})
		return result
	}
	for _, s := range p.set {
		p.record(model.Event{Kind: model.EventCommand, Text: model.Text(s.sql()), Result: &model.Result{How: model.EndCompleted}})
	}
	p.set = nil // said once, also where the VACUUM is sent again
	p.record(model.Event{Kind: model.EventStarted, Text: model.Text(p.Statement), Settings: p.Settings})
	err := p.gate.send(context.Background(), p.conn, p.Statement)
	result := resultOf(err)
	if n := p.skipped; err == nil && n != nil {
		result = model.Result{How: model.EndFailed, SQLState: n.Code, Message: model.Text(n.Message)}
	}
	p.record(model.Event{Kind: model.EventEnded, Result: &result})
	return result
}

func (p *Prepared) record(e model.Event) {
	e.PID = p.PID
	p.gate.record(e)
}

// Cancel asks the server to cancel what Run waits for, over a connection of its own.
// Run still returns with what came of it.
func (p *Prepared) Cancel(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	if err := p.conn.CancelRequest(ctx); err != nil {
		return fmt.Errorf("ask the server to cancel the VACUUM of pid %d: %w", p.PID, err)
	}
	return nil
}

// Close ends the connection. A VACUUM that still runs goes on.
func (p *Prepared) Close() { poll.Leave(p.conn) }

// notice takes what the server says while the VACUUM runs.
func (p *Prepared) notice(n *pgconn.Notice) {
	if isSkip(n) {
		p.skipped = n
	}
	if launch, ok := model.ReadLaunch(n.SeverityUnlocalized, n.Routine, n.Message); ok {
		p.record(model.Event{Kind: model.EventLaunched, Launch: &launch})
	}
	text := n.Message
	if n.Detail != "" {
		text += "\n" + n.Detail
	}
	p.record(model.Event{Kind: model.EventNotice, Text: model.Text(text)})
}

// isSkip tells the warning that a table was not vacuumed. Its text is translated, so
// its severity, SQLSTATE and the server's routine tell.
func isSkip(n *pgconn.Notice) bool {
	if n.SeverityUnlocalized != "WARNING" {
		return false
	}
	const warning = "01000"
	switch n.Code {
	case lockNotAvailable:
		return true
	case warning:
		return n.Routine == "vacuum_is_relation_owner" || n.Routine == "vacuum_is_permitted_for_relation"
	}
	return false
}

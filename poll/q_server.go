package poll

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// identityStatement reads what stays the same while a connection lives. Every
// role may read it. backend_pid is the process that answers: behind a pooler it is
// not the one that the connection was told of. The timeouts are those that a role
// or database can set and that end a connection.
func identityStatement() *statement {
	return &statement{
		part: "server identity",
		when: onConnecting,
		sql: timed(`
select pg_catalog.current_setting('server_version_num')::pg_catalog.int4 as version_num,
       pg_catalog.current_setting('server_version') as version,
       pg_catalog.current_setting('block_size')::pg_catalog.int8 as block_size,
       pg_catalog.pg_backend_pid() as backend_pid,
       pg_catalog.current_setting('transaction_timeout', true) as transaction_timeout,
       pg_catalog.current_setting('idle_session_timeout', true) as idle_session_timeout`),
	}
}

// databaseStatement reads the connected database's number and name, from
// pg_stat_activity, which is there also where pg_database may not be read.
func databaseStatement() *statement {
	return &statement{
		part: "connected database",
		when: onConnecting,
		sql: timed(`
select a.datid, a.datname
from pg_catalog.pg_stat_activity a
where a.pid = pg_catalog.pg_backend_pid()`),
	}
}

// identity is what identityStatement and databaseStatement read.
type identity struct {
	server     model.Server
	backendPID uint32
	timeouts   []string // those that the role or the database sets
}

func (i *identity) decode(r row) error {
	i.server.VersionNum = int(r.integer("version_num").Or(0))
	i.server.Version = r.text("version").Or("")
	i.server.BlockSize = model.Bytes(r.integer("block_size").Or(0))
	i.backendPID = uint32(r.int32("backend_pid").Or(0))
	for _, name := range sessionTimeouts {
		if value := r.string(name); value != "" && value != "0" {
			i.timeouts = append(i.timeouts, name)
		}
	}
	return nil
}

func (i *identity) decodeDatabase(r row) error {
	i.server.DatID = r.oid("datid").Or(0)
	i.server.Database = r.text("datname").Or("")
	return nil
}

// systemIDStatement reads the cluster's identity. The function can be revoked,
// so it stands alone.
func systemIDStatement() *statement {
	return &statement{
		part: "system identifier",
		when: onConnecting,
		sql:  timed(`select system_identifier::pg_catalog.text from pg_catalog.pg_control_system()`),
	}
}

// serverStatement reads the server's state and the settings of this session that
// say how watching shows and what it costs. Every role may read it, unless a
// function was revoked: what that gives is then NULL.
//
//	started_at      pg_postmaster_start_time()
//	conf_loaded_at  pg_conf_load_time(): last reload, by any means
//	wal_position    pg_current_wal_insert_lsn() in bytes; NULL on a standby, which cannot tell
//	sees_all        this role's rights include pg_read_all_stats (pg_monitor, superuser);
//	                before 15 it is enough to be a member without inheriting them
//	delay_timing    track_cost_delay_timing of this session; NULL before 18
//	log_*, pgaudit* whether the server logs each of our statements; NULL: not loaded
func serverStatement(c columns) *statement {
	return &statement{
		part: "server state",
		name: "vacscope_server",
		when: eachBeat,
		sql: timed(`
select ` + c.callOrNull("pg_is_in_recovery()", "pg_is_in_recovery()", "bool") + ` as in_recovery,
       ` + c.callOrNull("pg_postmaster_start_time()", "pg_postmaster_start_time()", "timestamptz") + ` as started_at,
       ` + c.callOrNull("pg_conf_load_time()", "pg_conf_load_time()", "timestamptz") + ` as conf_loaded_at,
       ` + walPosition(c) + ` as wal_position,
       current_user as role,
       pg_catalog.pg_has_role(current_user, 'pg_read_all_stats',
         case when pg_catalog.current_setting('server_version_num')::pg_catalog.int4 < 150000 then 'member' else 'usage' end) as sees_all,
       pg_catalog.current_setting('track_cost_delay_timing', true) as delay_timing,
       pg_catalog.current_setting('log_statement') as log_statement,
       pg_catalog.current_setting('log_duration') as log_duration,
       pg_catalog.current_setting('log_min_duration_statement') as log_min_duration_statement,
       pg_catalog.current_setting('pgaudit.log', true) as pgaudit_log,
       pg_catalog.current_setting('pgaudit.log_catalog', true) as pgaudit_log_catalog`),
	}
}

// walPosition is not asked for where the answer is an error.
func walPosition(c columns) string {
	position := c.callOrNull("pg_current_wal_insert_lsn()", "pg_current_wal_insert_lsn()", "pg_lsn")
	return "case when not " + c.callOrNull("pg_is_in_recovery()", "pg_is_in_recovery()", "bool") +
		" then pg_catalog.pg_wal_lsn_diff(" + position + ", '0/0')::pg_catalog.int8 end"
}

// serverState is what serverStatement read.
type serverState struct {
	read                 bool // else nothing is known yet
	inRecovery           bool
	startedAt            time.Time
	confLoadedAt         time.Time
	role                 model.Text
	seesAll              bool
	trackCostDelayTiming model.Opt[bool]
	walPosition          model.Opt[uint64]
	// logged names the setting by which the server logs every statement; "" when
	// it does not.
	logged string
}

func (s *serverState) decode(r row) error {
	*s = serverState{
		read:         true,
		inRecovery:   r.boolean("in_recovery"),
		startedAt:    r.time("started_at").Or(time.Time{}),
		confLoadedAt: r.time("conf_loaded_at").Or(time.Time{}),
		role:         r.text("role").Or(""),
		seesAll:      r.boolean("sees_all"),
		logged:       loggedBy(r),
	}
	if v, ok := r.text("delay_timing").Get(); ok {
		s.trackCostDelayTiming = model.Some(v == "on")
	}
	if position, ok := r.integer("wal_position").Get(); ok {
		s.walPosition = model.Some(uint64(position))
	}
	return nil
}

// apply copies the state into the server's description.
func (s *serverState) apply(to *model.Server) {
	to.InRecovery = s.inRecovery
	to.StartedAt = s.startedAt
	to.ConfLoadedAt = s.confLoadedAt
	to.Role = s.role
	to.SeesAll = s.seesAll
	to.TrackCostDelayTiming = s.trackCostDelayTiming
}

// loggedBy names the setting by which the server logs each of our statements.
func loggedBy(r row) string {
	for _, c := range []struct{ column, name, value string }{
		{"log_statement", "log_statement", "all"},
		{"log_duration", "log_duration", "on"},
		{"log_min_duration_statement", "log_min_duration_statement", "0"},
	} {
		if r.string(c.column) == c.value {
			return fmt.Sprintf("%s = %s", c.name, c.value)
		}
	}
	if audit := r.string("pgaudit_log"); auditsReads(audit) && r.string("pgaudit_log_catalog") != "off" {
		return "pgaudit.log = " + audit
	}
	return ""
}

// auditsReads tells whether a pgaudit.log value logs SELECT: a list of classes,
// each of which a leading minus takes out again.
func auditsReads(classes string) bool {
	reads := false
	for class := range strings.SplitSeq(strings.ToLower(classes), ",") {
		switch class = strings.TrimSpace(class); class {
		case "read", "all":
			reads = true
		case "-read", "-all", "none":
			reads = false
		}
	}
	return reads
}

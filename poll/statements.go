package poll

import (
	"fmt"
	"slices"
	"strings"
)

// When a statement is sent.
const (
	onConnecting   = "on connecting"
	eachBeat       = "each beat"
	eachTick       = "each tick"
	withWorkers    = "each tick while an index phase or a rewrite runs"
	afterALockWait = "in the beat after one that saw a process wait for a lock"
	whileHeldUp    = "every 2 s while a vacuum waits for others to let go of a page or to leave its table"
	nowAndThen     = "every 5 s and on change"
	forACommand    = "when a command over several relations comes into sight, and once a minute"
	horizonWhen    = "every 5 s while vacuums are in sight, else once a minute; less often where it is dear"
	inACheck       = "by vacscope check"
)

// statements are those of one connection that are sent again and again; they are
// prepared.
type statements struct {
	server, activity, leaders, tick, lock, settings, counters, relation, database, lastVacuum, tree, tables, holder, masked, lockTotal, about, xidSessions, preparedXacts, slots, queue, queueLock, io *statement
}

// statementsFor fits the statements to what a server has.
func statementsFor(c columns) statements {
	return statements{
		server:      serverStatement(c),
		activity:    activityStatement(c),
		leaders:     leadersStatement(c),
		tick:        tickStatement(c),
		lock:        lockStatement(c),
		settings:    settingsStatement(),
		counters:    countersStatement(),
		relation:    relationStatement(c),
		database:    databaseAgeStatement(),
		lastVacuum:  lastVacuumStatement(c),
		tree:        treeStatement(),
		tables:      listStatement(),
		holder:      holderStatement(c),
		masked:      maskedStatement(c),
		lockTotal:   lockTotalStatement(c),
		about:       aboutStatement(c),
		xidSessions: xidSessionsStatement(), preparedXacts: preparedXactsStatement(), slots: slotsStatement(),
		queue: queueStatement(c), queueLock: queueLockStatement(c),
		io: ioStatement(c),
	}
}

// all lists them. What is not in it is not prepared, and not in the list that
// people are shown.
func (s statements) all() []*statement {
	list := []*statement{s.server, s.activity, s.leaders, s.tick, s.lock, s.settings, s.counters, s.relation, s.database, s.lastVacuum, s.tree, s.tables, s.holder, s.masked, s.lockTotal, s.about,
		s.xidSessions, s.preparedXacts, s.slots, s.queue, s.queueLock, s.io}
	return slices.DeleteFunc(list, func(st *statement) bool { return st == nil }) // what this server does not have
}

// rare are those that set their own pace by what they cost: beats do not slow down
// for them.
func (s statements) rare() []*statement {
	return []*statement{s.tree, s.tables, s.xidSessions, s.preparedXacts, s.slots, s.queue, s.queueLock}
}

// seldom are the statements of a session that are sent now and then, and not prepared.
func seldom(versionNum int) []*statement {
	return []*statement{
		identityStatement(), databaseStatement(), systemIDStatement(),
		columnsStatement(), functionsStatement(), encodingStatement(rawEncoding), encodingStatement(ourEncoding),
		roleStatement(), groupsStatement(), databasesStatement(), tablesStatement(versionNum),
		checkSettingsStatement(versionNum), extensionsStatement(), cacheSchemaStatement(), cachedStatement("public"),
	}
}

// Statement is one that the program sends to a server which it watches.
type Statement struct {
	Name string // under which it is prepared; "" for one that is not
	Part string // what it reads, in words
	When string // when it is sent
	SQL  string
}

// The majors that this program knows.
const (
	OldestMajor = minVersion / 10000
	NewestMajor = 19
)

// Statements lists every statement that is sent to a server of a major version
// which is watched. A role that lacks rights is sent the same ones with NULL in
// place of what it may not call, and without the views that it may not read.
func Statements(major int) []Statement {
	versionNum := major * 10000
	var list []Statement
	for _, s := range slices.Concat(seldom(versionNum), statementsFor(columnsOf(versionNum)).all()) {
		list = append(list, Statement{Name: s.name, Part: s.part, When: s.when, SQL: strings.TrimSpace(s.sql)})
	}
	return list
}

// The encodings in which a session receives text.
const (
	ourEncoding = "UTF8"
	rawEncoding = "SQL_ASCII" // bytes as the server holds them
)

// encodingStatement changes the encoding of the results that follow.
func encodingStatement(encoding string) *statement {
	return &statement{
		part: "encoding of results",
		when: "around a statement whose text the server could not turn into " + ourEncoding,
		sql:  fmt.Sprintf("set client_encoding to '%s'", encoding),
	}
}

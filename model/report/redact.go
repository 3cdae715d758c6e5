package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// Redact replaces the names and texts of a report, those of its server included, by
// labels: the same name by the same label in all of its runs. What a statement does, its
// options, phases, wait events and settings stay.
func (r *Report) Redact() {
	l := labels{}
	for i := range r.Runs {
		l.run(&r.Runs[i])
	}
}

// labels are those given so far, by kind and text.
type labels map[string][]model.Text

// everywhere are names that say nothing of anybody.
var everywhere = []model.Text{"", "public", "pg_catalog", "pg_toast", "information_schema"}

// of is the label of a text.
func (l labels) of(kind string, t model.Text) model.Text {
	if slices.Contains(everywhere, t) {
		return t
	}
	i := slices.Index(l[kind], t)
	if i < 0 {
		i = len(l[kind])
		l[kind] = append(l[kind], t)
	}
	return model.Text(fmt.Sprintf("%s%d", kind, i+1))
}

// ofOpt is of for what may be absent.
func (l labels) ofOpt(kind string, t model.Opt[model.Text]) model.Opt[model.Text] {
	return mapped(t, func(t model.Text) model.Text { return l.of(kind, t) })
}

func (l labels) name(n model.RelationName) model.RelationName {
	return model.RelationName{Schema: l.of("schema", n.Schema), Name: l.of("table", n.Name)}
}

func (l labels) run(r *RunReport) {
	r.Statement = mapped(r.Statement, withoutNames)
	r.Database, r.Role = l.of("database", r.Database), l.ofOpt("role", r.Role)
	r.Schema, r.Table = l.ofOpt("schema", r.Schema), l.ofOpt("table", r.Table)
	r.ToastOf, r.Message = mapped(r.ToastOf, l.name), l.of("message", r.Message)
	l.context(&r.Context)
	for i := range r.Locks.Rows {
		p := &r.Locks.Rows[i].LockPlace
		p.Relation = mapped(p.Relation, l.name)
		p.Statement, p.Doing = l.known(p.Statement), l.known(p.Doing)
	}
	r.Impact.Verbose = nil
	r.Change.Before, r.Change.After = l.relation(r.Change.Before), l.relation(r.Change.After)
}

func (l labels) context(c *Context) {
	o := &c.Origin
	o.File, o.CommandLine = "", ""
	o.Configure = mapped(o.Configure, withoutPaths)
	c.Server.Database, c.Server.Role = l.of("database", c.Server.Database), l.of("role", c.Server.Role)
	c.Server.Address, c.Server.SystemIdentifier = "", ""
	c.Relation = l.relation(c.Relation)
	c.Indexes = l.indexes(c.Indexes)
}

func (l labels) relation(r *model.Relation) *model.Relation {
	if r == nil {
		return nil
	}
	out := *r
	out.Schema, out.Name = l.of("schema", r.Schema), l.of("table", r.Name)
	for _, n := range []**model.RelationName{&out.ToastOf, &out.PartitionOf} {
		if *n != nil {
			named := l.name(**n)
			*n = &named
		}
	}
	out.Indexes, out.RelOptions, out.OwnerOptions = l.indexes(r.Indexes), nil, nil
	return &out
}

func (l labels) indexes(indexes []model.Index) []model.Index {
	out := slices.Clone(indexes)
	for i := range out {
		out[i].Name = l.of("index", out[i].Name)
	}
	return out
}

// plainOption is an option that can hold no name.
var plainOption = regexp.MustCompile(`^[A-Za-z0-9_]{0,30}$`)

// withoutNames is a statement's command with its options.
func withoutNames(statement model.Text) model.Text {
	kind := model.StatementKind(statement)
	if !spoken(kind) {
		return "statement"
	}
	var options []string
	stated, _ := model.VacuumOptions(statement, 0)
	for _, o := range stated {
		if o.Name != "FULL" && plainOption.MatchString(o.Name) && plainOption.MatchString(o.Value) {
			options = append(options, strings.TrimSpace(o.Name+" "+o.Value))
		}
	}
	if len(options) > 0 {
		kind += " (" + strings.Join(options, ", ") + ")"
	}
	return model.Text(kind)
}

// withoutPaths are the options of a build that name no place.
func withoutPaths(configure model.Text) model.Text {
	options := strings.Fields(string(configure))
	return model.Text(strings.Join(slices.DeleteFunc(options, func(o string) bool { return strings.ContainsAny(o, `/\@`) }), " "))
}

// known is what a session did, unless a word of it can be somebody's own.
func (l labels) known(doing string) string {
	if spoken(doing) {
		return doing
	}
	return string(l.of("statement", model.Text(doing)))
}

// words are those of SQL and of the server's that say what a session does.
var words = strings.Fields(`
ABORT ALTER ANALYZE BEGIN CALL CHECKPOINT CLOSE CLUSTER COMMENT COMMIT COPY CREATE DEALLOCATE DECLARE DELETE DISCARD DO DROP END EXECUTE EXPLAIN
FETCH GRANT IMPORT INSERT LISTEN LOAD LOCK MERGE MOVE NOTIFY PREPARE REASSIGN REFRESH REINDEX RELEASE REPACK RESET REVOKE ROLLBACK SAVEPOINT SECURITY
SELECT SET SHOW START TABLE TRUNCATE UNLISTEN UPDATE VACUUM VALUES WITH FULL
UNIQUE INDEX CONCURRENTLY MATERIALIZED VIEW SEQUENCE SCHEMA DATABASE TRIGGER FUNCTION PROCEDURE TYPE POLICY STATISTICS FOREIGN PUBLICATION SUBSCRIPTION
EXTENSION ROLE
autovacuum: not visible known prepared transaction waiting itself after idle in (aborted) active fastpath function call disabled starting
client backend worker autovacuum launcher parallel walsender walreceiver walwriter checkpointer background writer logical replication startup
initializing scanning heap vacuuming indexes cleaning up truncating performing final cleanup seq index sorting tuples writing new swapping relation files
rebuilding catch-up acquiring sample inherited rows computing statistics extended finalizing analyze`)

// spoken tells that all words are known ones.
func spoken(s string) bool {
	for word := range strings.FieldsSeq(strings.ReplaceAll(s, ",", " ")) {
		if !slices.Contains(words, word) {
			return false
		}
	}
	return true
}

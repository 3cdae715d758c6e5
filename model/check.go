package model

// Check is what a role on a server can see and do, as the server told it once;
// nothing derived. A part that could not be read is absent and listed in Problems.
type Check struct {
	Server Server
	// TLS is the version of the encrypted connection ("TLS 1.3"); "" when it is not
	// encrypted, as a Unix socket never is.
	TLS    string
	Socket bool // the connection is a Unix socket
	Pooled bool // a pooler gives statements to changing server processes
	// Logged names the setting by which the server logs each of our statements; ""
	// when it does not.
	Logged string

	Superuser     Opt[bool] // rolsuper of current_user
	DatabaseOwner Opt[bool] // has the rights of the connected database's owner
	ReloadConf    Opt[bool] // may execute pg_reload_conf()
	BlockingPIDs  Opt[bool] // may execute pg_blocking_pids(int)

	// Groups are the predefined roles and the roles of managed services that exist
	// on this server; nil when not read.
	Groups    []CheckGroup
	Databases []CheckDatabase // without templates; nil when not read
	Tables    Opt[CheckTables]
	// Settings are those that a check asks about; nil when not read.
	Settings   []CheckSetting
	Extensions []CheckExtension // that help, installed or not; nil when not read

	Problems []Problem
}

// CheckGroup is a role that others are made members of.
type CheckGroup struct {
	Name Text
	// Usage tells that current_user has its rights; Member that current_user can
	// take them with SET ROLE, which it has to where they are not inherited.
	Usage, Member bool
}

// CheckDatabase is a database of the server.
type CheckDatabase struct {
	Name       Text
	MayConnect bool // privilege CONNECT
	Open       bool // datallowconn
}

// CheckTables counts the tables, partitions and materialized views of the
// connected database, without the system's own and temporary ones.
type CheckTables struct {
	Total int64
	Owned int64 // current_user has their owner's rights
	// MayVacuum is how many of them current_user may VACUUM: as owner of the table
	// or the database, and by MAINTAIN (17+).
	MayVacuum int64
}

// CheckSetting is a setting that this server's version has.
type CheckSetting struct {
	Name  string
	Value Text // current_setting(), of the watching session
	// MaySet and MayAlterSystem are the privileges of 15+ on the parameter, for
	// settings that not everybody may set; absent before 15. A superuser has them.
	MaySet, MayAlterSystem Opt[bool]
}

// CheckExtension is an extension that shows more of what a vacuum works on.
type CheckExtension struct {
	Name      Text
	Available bool // its files are on the server
	Installed bool // in the connected database
}

// Group is a role by its name; absent when the server does not have it.
func (c *Check) Group(name Text) Opt[CheckGroup] {
	return find(c.Groups, func(g CheckGroup) bool { return g.Name == name })
}

// Has tells whether the role has the rights of a group. A superuser has all.
func (c *Check) Has(group Text) bool {
	return c.Group(group).Or(CheckGroup{}).Usage
}

// Setting is a setting by its name; absent when the server does not have it.
func (c *Check) Setting(name string) Opt[CheckSetting] {
	return find(c.Settings, func(s CheckSetting) bool { return s.Name == name })
}

func find[T any](list []T, is func(T) bool) Opt[T] {
	for _, v := range list {
		if is(v) {
			return Some(v)
		}
	}
	return None[T]()
}

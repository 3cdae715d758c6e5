package poll

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"slices"

	"example.com/vacscope/model"
)

// CheckServer connects, reads what the role can see and do there, and ends the
// connection. Nothing is changed, and no other database is connected to. Beside
// what a check asks, everything that watching reads is read once, so that a part
// that would fail there is in the Problems. It fails as Open does, and when the
// connection is lost.
func CheckServer(ctx context.Context, config *Config) (*model.Check, error) {
	s, err := connect(ctx, config)
	if err != nil {
		return nil, err
	}
	defer s.close()
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	c := &model.Check{Pooled: s.pooled}
	c.TLS, c.Socket = transport(s.conn.Conn())
	// Watching's own statements first: they say who the server is.
	watched, err := s.beat(ctx, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", config.Address(), err)
	}
	if _, err := s.tick(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", config.Address(), err)
	}
	c.Server, c.Logged = watched.poll.Server, watched.logged
	if err := s.check(ctx, c); err != nil {
		return nil, fmt.Errorf("%s: %w", config.Address(), err)
	}
	return c, nil
}

// check reads the parts that only a check asks for.
func (s *session) check(ctx context.Context, c *model.Check) error {
	out := &reading{}
	version := s.server.VersionNum
	err := s.read(ctx, out, []*request{
		{statement: roleStatement(), decode: decodeRole(c)},
		list(groupsStatement(), &c.Groups, decodeGroup),
		list(databasesStatement(), &c.Databases, decodeDatabase),
		{statement: tablesStatement(version), decode: decodeTables(c)},
		list(checkSettingsStatement(version), &c.Settings, decodeCheckSetting),
		list(extensionsStatement(), &c.Extensions, decodeExtension),
		// lock requests are read while watching only when somebody waits
		list(s.statements.lock, &out.poll.Locks, decodeLock),
	})
	c.Problems = slices.Concat(s.refused, s.failing.problems())
	return err
}

// transport tells how the connection is made.
func transport(conn net.Conn) (tlsVersion string, socket bool) {
	if encrypted, is := conn.(*tls.Conn); is {
		return tls.VersionName(encrypted.ConnectionState().Version), false
	}
	return "", conn.RemoteAddr().Network() == "unix"
}

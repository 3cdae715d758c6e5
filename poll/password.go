package poll

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// commandTakes is the longest that a password command may take.
const commandTakes = 30 * time.Second

// SetPasswordCommand makes each attempt to connect ask a command of the shell for the
// password: the first line of what it prints. It goes before every other password.
func (c *Config) SetPasswordCommand(command string) { c.passwordCommand = command }

// commandError is a password command that gave no password. What it printed is not
// repeated: it may be a part of the password.
type commandError struct{ why string }

// Error is one line.
func (e *commandError) Error() string { return "the password command " + e.why }

// passwordOf runs a command and returns the first line that it prints. It has no
// input, and no terminal where the system can take that away: it cannot prompt.
func passwordOf(ctx context.Context, command string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTakes)
	defer cancel()
	shell := []string{"/bin/sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	cmd := exec.CommandContext(ctx, shell[0], append(shell[1:], command)...)
	alone(cmd)
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", &commandError{"cannot be run: " + err.Error()}
	}
	if err := cmd.Start(); err != nil {
		return "", &commandError{"cannot be run: " + err.Error()}
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	password := lines.Text()
	for lines.Scan() { // to its end, so that it is not killed by what it writes into
	}
	err = cmd.Wait()
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", &commandError{fmt.Sprintf("has not ended after %s", commandTakes)}
	case failed:
		return "", &commandError{"failed: " + exit.ProcessState.String()}
	case err != nil:
		return "", &commandError{"failed: " + err.Error()}
	case password == "":
		return "", &commandError{"printed no password on its first line"}
	}
	return password, nil
}

// authenticate gives a connection the password that it needs.
func (c *Config) authenticate(ctx context.Context, pg *pgconn.Config) (err error) {
	c.usePasswords(pg)
	if c.passwordCommand != "" {
		pg.Password, err = passwordOf(ctx, c.passwordCommand)
	}
	return err
}

// hostPassword is the password file's password for one of the hosts.
type hostPassword struct {
	host     string
	port     uint16
	password string
}

// usePasswords gives each of several hosts its own password: the driver knows one
// for all, and is told which when the connection to a host stands.
func (c *Config) usePasswords(pg *pgconn.Config) {
	if len(c.passwords) == 0 {
		return
	}
	byAddress := map[string]string{}
	keep := func(address, password string) {
		if _, known := byAddress[address]; !known {
			byAddress[address] = password
		}
	}
	for _, h := range c.passwords {
		if network, address := pgconn.NetworkAddress(h.host, h.port); network == "unix" {
			keep(address, h.password)
		}
	}
	lookup, dial, current := pg.LookupFunc, pg.DialFunc, ""
	pg.LookupFunc = func(ctx context.Context, host string) ([]string, error) {
		found, err := lookup(ctx, host)
		for _, h := range c.passwords {
			for _, address := range found {
				if h.host == host {
					keep(net.JoinHostPort(address, strconv.Itoa(int(h.port))), h.password)
				}
			}
		}
		return found, err
	}
	pg.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		current = address
		return dial(ctx, network, address)
	}
	pg.AfterNetConnect = func(_ context.Context, config *pgconn.Config, conn net.Conn) (net.Conn, error) {
		config.Password = byAddress[current]
		return conn, nil
	}
}

// hosts are the hosts of a configuration with their ports, each once.
func hosts(pg *pgconn.Config) []hostPassword {
	list := []hostPassword{{host: pg.Host, port: pg.Port}}
	for _, other := range pg.Fallbacks {
		if h := (hostPassword{host: other.Host, port: other.Port}); !slices.Contains(list, h) {
			list = append(list, h)
		}
	}
	return list
}

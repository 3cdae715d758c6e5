package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	dirPrefix  = "vacscope-server-"
	keptPrefix = "vacscope-kept-"
	dataName   = "data"
	logName    = "log"

	// maxSocketPath is what the address of a Unix socket holds on macOS; Linux
	// has four more.
	maxSocketPath = 103
)

// baseSettings stand in front of those of the Config. Nothing is written safely,
// because nothing is kept. Memory for parallel workers lies in the data folder: it
// goes with it however the server ends, and needs no room in /dev/shm, of which
// containers have little.
var baseSettings = []string{
	"listen_addresses=",
	"port=" + port,
	"fsync=off",
	"log_checkpoints=off",
	"dynamic_shared_memory_type=mmap",
}

// runServer runs in the helper: it makes a cluster, starts the postmaster, tells
// when it is ready, and returns when it has ended and its files are gone. When halt
// is closed the server ends, and its files stay until ctx does.
func runServer(ctx context.Context, config Config, halt <-chan struct{}) helperMessage {
	dir, err := claimServerDir()
	if err != nil {
		return helperMessage{Error: fmt.Sprintf("make a folder for the server: %v", err)}
	}
	logPath := filepath.Join(dir.path, logName)
	ready, err := runCluster(ctx, config, dir, logPath, halt)
	end := helperMessage{Log: logTail(logPath)}
	if err != nil && !errors.Is(err, errAskedToStop) {
		end.Error = err.Error()
	}
	if ready && config.Keep {
		end.Kept, err = dir.keep(dirPrefix, keptPrefix)
	} else {
		err = removePatiently(dir)
	}
	if err != nil && end.Error == "" {
		end.Error = fmt.Sprintf("clean up after the server: %v", err)
	}
	return end
}

// claimServerDir makes the folder of a server where the socket's path is short
// enough for an address.
func claimServerDir() (*workDir, error) {
	var problems []error
	for _, base := range []string{os.TempDir(), "/tmp"} {
		longest := filepath.Join(base, dirPrefix+"4294967295", ".s.PGSQL."+port+".lock")
		if len(longest) > maxSocketPath {
			problems = append(problems, fmt.Errorf("%s is too long a name for a socket's folder", base))
			continue
		}
		dir, err := claimWorkDir(base, dirPrefix)
		if err == nil {
			return dir, nil
		}
		problems = append(problems, err)
	}
	return nil, errors.Join(problems...)
}

// runCluster returns when the postmaster has ended, and whether it was ready before;
// after a halt when ctx ends.
func runCluster(ctx context.Context, config Config, dir *workDir, logPath string, halt <-chan struct{}) (ready bool, err error) {
	data := filepath.Join(dir.path, dataName)
	if err := makeCluster(ctx, config, dir, data); err != nil {
		return false, err
	}
	pm, err := startPostmaster(config, dir, data, logPath)
	if err != nil {
		return false, err
	}
	if err := pm.awaitReady(ctx, data); err != nil {
		pm.stop(false)
		return false, err
	}
	tell(helperMessage{Ready: true, Dir: dir.path, PID: pm.cmd.Process.Pid})
	select {
	case <-halt:
		pm.stop(true)
		tell(helperMessage{Halted: true})
		<-ctx.Done()
		return true, context.Cause(ctx)
	case <-pm.exited:
		return true, fmt.Errorf("the server ended by itself (%v)", pm.cmd.ProcessState)
	case <-ctx.Done():
		pm.stop(config.Keep)
		return true, context.Cause(ctx)
	}
}

// makeCluster makes the database cluster, new or as a copy, and writes its settings.
func makeCluster(ctx context.Context, config Config, dir *workDir, data string) error {
	var err error
	if config.From != "" {
		err = copyCluster(config, data)
	} else {
		err = initCluster(ctx, config, dir, data)
	}
	if err != nil {
		return err
	}
	return appendSettings(filepath.Join(data, "postgresql.conf"),
		slices.Concat(baseSettings, []string{"unix_socket_directories=" + dir.path}, config.Settings))
}

// copyCluster copies the data of a server that has ended.
func copyCluster(config Config, data string) error {
	from := filepath.Join(config.From, dataName)
	if err := sameMajor(from, config.Programs); err != nil {
		return err
	}
	if err := os.CopyFS(data, os.DirFS(from)); err != nil {
		return fmt.Errorf("copy the data of an earlier server: %w", err)
	}
	if err := os.Chmod(data, 0o700); err != nil { // the server refuses one that others can read
		return err
	}
	if err := os.Remove(filepath.Join(data, "postmaster.pid")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // of a server that was killed
	}
	if !config.Standby {
		return nil
	}
	return os.WriteFile(filepath.Join(data, "standby.signal"), nil, 0o600)
}

// sameMajor refuses the data of another major, on which the programs would not start.
func sameMajor(data string, programs Programs) error {
	version, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if err != nil {
		return fmt.Errorf("read of which version the data of an earlier server is: %w", err)
	}
	if major := strings.TrimSpace(string(version)); major != strconv.Itoa(programs.Major) {
		return fmt.Errorf("the data in %s is of PostgreSQL %s, and the programs in %s are %s: a data folder goes with programs of its own major only",
			data, major, programs.BinDir, programs.Version)
	}
	return nil
}

// initCluster makes a new database cluster.
func initCluster(ctx context.Context, config Config, dir *workDir, data string) error {
	args := []string{"-D", data, "-U", Superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"}
	if config.Major >= 14 {
		args = append(args, "--no-instructions")
	}
	initdb := exec.CommandContext(ctx, programPath(config.BinDir, "initdb"), args...)
	var said bytes.Buffer
	initdb.Stdout, initdb.Stderr = &said, &said
	initdb.ExtraFiles = []*os.File{dir.lock}
	killWholeGroup(initdb)
	if err := initdb.Run(); err != nil {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, os.ErrPermission):
			return fmt.Errorf("user %d, whom the server runs as, may not run its programs: %w", os.Geteuid(), err)
		}
		return fmt.Errorf("initdb: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}

func appendSettings(path string, settings []string) error {
	lines, err := settingLines(settings)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString("\n" + lines)
	return errors.Join(err, file.Close())
}

var settingName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

// ownSettings are those by which the server is found and ended, files included.
var ownSettings = []string{
	"listen_addresses", "port", "unix_socket_directories", "dynamic_shared_memory_type",
	"data_directory", "config_file", "hba_file", "ident_file", "external_pid_file",
}

// CheckSetting refuses a setting "name=value" that is none, and one of those that make the
// server one that nobody else reaches and that ends with its files.
func CheckSetting(setting string) error {
	if _, err := settingLines([]string{setting}); err != nil {
		return err
	}
	name, _, _ := strings.Cut(setting, "=")
	if name = strings.ToLower(strings.TrimSpace(name)); slices.Contains(ownSettings, name) {
		return fmt.Errorf("%s is set by vacscope itself", name)
	}
	return nil
}

// settingLines writes "name=value" lines in the syntax of postgresql.conf.
func settingLines(settings []string) (string, error) {
	var b strings.Builder
	for _, setting := range settings {
		name, value, ok := strings.Cut(setting, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !settingName.MatchString(name) || strings.ContainsAny(value, "\n\r\x00") {
			return "", fmt.Errorf("setting %q is not of the form name=value", setting)
		}
		fmt.Fprintf(&b, "%s = '%s'\n", name, strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(value))
	}
	return b.String(), nil
}

// removePatiently removes the folder. Processes of a postmaster that was killed
// end a moment later than it, and until then use memory and write files.
func removePatiently(dir *workDir) error {
	deadline := time.Now().Add(stopWithin / 2)
	data := filepath.Join(dir.path, dataName)
	for !(segmentGone(data) && os.RemoveAll(dir.path) == nil) && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	return dir.remove()
}

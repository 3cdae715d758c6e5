package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
)

// helperName is the name (argv[0]) under which the executable runs as a helper;
// no argument is taken from the program's own command line.
const helperName = "vacscope-server-helper"

// helperMessage is what the helper tells the program that started it, one JSON
// document each: when the server is ready, when it is halted, when it has ended.
type helperMessage struct {
	Ready  bool   `json:",omitempty"`
	Dir    string `json:",omitempty"` // where the socket is
	PID    int    `json:",omitempty"` // the postmaster's
	Halted bool   `json:",omitempty"` // the server has ended cleanly, its folder stays

	Error string `json:",omitempty"` // why it ended; "" when it was told to
	Log   string `json:",omitempty"` // the last lines of its log
	Kept  string `json:",omitempty"` // the folder that was left on purpose
}

// RunHelperIfAsked runs the helper and exits when this process was started as
// one; otherwise it returns at once. It belongs at the top of main and TestMain,
// before anything that reads standard input or the arguments.
func RunHelperIfAsked() {
	if os.Args[0] == helperName {
		runHelper()
		os.Exit(0)
	}
}

// helperCommand returns this executable, to be run as a helper: in a session of
// its own, so that no key press or hang-up reaches it, with a clean environment
// and, for root, as another user.
func helperCommand() (*exec.Cmd, error) {
	if os.Args[0] == helperName {
		return nil, errors.New("this is the helper: main does not call RunHelperIfAsked")
	}
	path, err := executable()
	if err != nil {
		return nil, err
	}
	attributes, err := helperAttributes()
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{
		Path:        path,
		Args:        []string{helperName},
		Dir:         "/",
		Env:         cleanEnvironment(),
		SysProcAttr: attributes,
	}, nil
}

// executable is this program. On Linux it is named so that it can be run by a
// user who may not enter the folder that it lies in.
func executable() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// cleanEnvironment keeps what finding programs and temporary files needs.
func cleanEnvironment() []string {
	env := []string{"LC_ALL=C"}
	for _, name := range []string{"PATH", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// runHelper starts a server as the program says on standard input and watches
// it until it ends or is to end.
func runHelper() {
	// The kernel ties the postmaster's life to the thread that starts it.
	runtime.LockOSThread()
	// The program may be gone when there is something to tell it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	input := bufio.NewReader(os.Stdin)
	config, err := readConfig(input)
	if err != nil {
		tell(helperMessage{Error: fmt.Sprintf("read what to start: %v", err)})
		return
	}
	asked := make(chan struct{})
	tell(runServer(untilAskedToStop(input, config.Outlive, asked), config, asked))
}

func readConfig(input *bufio.Reader) (config Config, err error) {
	line, err := input.ReadBytes('\n')
	if err != nil {
		return config, err
	}
	return config, json.Unmarshal(line, &config)
}

// untilAskedToStop returns a context that ends with errAskedToStop when a signal
// comes or, unless the server is to outlive it, when the program ends or lets go of
// the helper. It closes halt when the program writes a line.
func untilAskedToStop(input *bufio.Reader, outlive bool, halt chan<- struct{}) context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-signals
		cancel(errAskedToStop)
	}()
	go func() {
		if _, err := input.ReadBytes('\n'); err == nil {
			close(halt)
		}
		_, _ = io.Copy(io.Discard, input)
		if !outlive {
			cancel(errAskedToStop)
		}
	}()
	return ctx
}

var errAskedToStop = errors.New("asked to stop")

func tell(m helperMessage) {
	// An error means that nobody is there to be told.
	_ = json.NewEncoder(os.Stdout).Encode(m)
}

// logTail returns the last lines of a log file, "" when it cannot be read.
func logTail(path string) string {
	const lines, bytes = 12, 4096
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > bytes {
		if _, err := file.Seek(-bytes, io.SeekEnd); err != nil {
			return ""
		}
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return ""
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

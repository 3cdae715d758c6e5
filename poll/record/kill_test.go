//go:build unix

package record

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// recordInto makes this test binary record without end and print what it has written,
// instead of running tests.
const recordInto = "VACSCOPE_TEST_RECORD_INTO"

func TestMain(m *testing.M) {
	if path := os.Getenv(recordInto); path != "" {
		recordWithoutEnd(path)
	}
	os.Exit(m.Run())
}

func recordWithoutEnd(path string) {
	w, err := Create(path, Header{}, false)
	for i := 0; err == nil; i++ {
		s := beats(1)[0]
		s.Seq, s.At = uint64(i+1), t0.Add(time.Duration(i)*time.Second)
		if err = w.Write(s); err == nil {
			_, err = os.Stdout.WriteString(strconv.Itoa(i+1) + "\n")
		}
	}
	os.Exit(1)
}

func TestKilledItLosesTwoSecondsAtMost(t *testing.T) {
	for _, after := range []int{1, 9, 10, 11, 57} {
		path := filepath.Join(t.TempDir(), "a"+Suffix)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		command := exec.Command(self)
		command.Env = append(os.Environ(), recordInto+"="+path)
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		written, lines := 0, bufio.NewScanner(out)
		for lines.Scan() {
			if written, _ = strconv.Atoi(lines.Text()); written == after {
				if err := command.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = command.Wait() // it was killed
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		samples := all(t, r)
		r.Close()
		if written < after || len(samples) < written-2 {
			t.Errorf("killed when %d samples were written: %d can be read", written, len(samples))
		}
	}
}

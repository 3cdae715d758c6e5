package lab_test

import (
	"strings"
	"testing"

	"example.com/vacscope/poll/lab"
)

func TestRoomSaysWhatIsMissing(t *testing.T) {
	if err := (lab.Room{Disk: 1, Memory: 1}).Check("less"); err != nil {
		t.Error(err)
	}
	t.Setenv("TMPDIR", "/tmp")
	for _, c := range []struct {
		room lab.Room
		want []string
	}{
		{lab.Room{Disk: 1 << 60}, []string{"about 1024 PiB of disk are needed and /tmp has ", " free; try a smaller --size, or TMPDIR="}},
		{lab.Room{Memory: 1 << 60}, []string{"about 1024 PiB of memory are needed and ", " are free; try a smaller --size"}},
	} {
		err := c.room.Check("a smaller --size")
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%q is not in %v", part, err)
			}
		}
	}
}

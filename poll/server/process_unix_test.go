//go:build unix

package server

import "testing"

func TestServerUser(t *testing.T) {
	t.Setenv("SUDO_UID", "4711")
	t.Setenv("SUDO_GID", "4712")
	if uid, gid, err := serverUser(); uid != 4711 || gid != 4712 || err != nil {
		t.Errorf("behind sudo: %d, %d, %v", uid, gid, err)
	}
	for _, sudo := range []string{"0", "", "none"} { // root called sudo, or nobody did
		t.Setenv("SUDO_UID", sudo)
		if uid, _, err := serverUser(); uid == 0 && err == nil {
			t.Errorf("SUDO_UID %q: the server would run as root", sudo)
		}
	}
}

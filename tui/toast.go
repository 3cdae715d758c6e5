package tui

import (
	"time"

	"example.com/vacscope/model"
)

// toast is a short answer to a key, in the status line until the next key or for
// toastShown.
type toast struct {
	text  string
	until time.Time // by the server's clock; zero: until the next key
}

const toastShown = 6 * time.Second

// say shows a toast.
func (a *App) say(text string) {
	a.toast, a.dirty = toast{text: text}, true
	if a.latest != nil {
		a.toast.until = a.latest.Now.Add(toastShown)
	}
}

// forget takes a toast whose time is over.
func (t *toast) forget(s *model.Snapshot) {
	if !t.until.IsZero() && !s.Now.Before(t.until) {
		*t = toast{}
	}
}

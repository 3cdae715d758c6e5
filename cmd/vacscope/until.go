package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
)

// viewing says what of a stream the screen shows, and when it is over.
type viewing struct {
	filter  model.Filter
	actions *actions      // what the screen can do; nil: it only shows
	until   *model.Chosen // the screen ends when these have; nil: it does not end by itself

	priors *priors // learns of the vacuums that end; nil: nobody does
	past   *past   // of what is watched, once it is shown

	last *model.Snapshot // that was shown
	done bool            // those that were waited for have ended
}

// errDone is the end of the screen by the end of the vacuums it waited for.
var errDone = errors.New("the vacuums have ended")

// next is what is shown of a snapshot, and whether it is the last one.
func (v *viewing) next(s *model.Snapshot) (view *model.Snapshot, done bool) {
	if v.actions != nil {
		v.actions.know(s.Server)
	}
	v.priors.learn(s)
	v.last = v.filter.View(s)
	v.done = v.done || v.until != nil && v.until.Step(v.last)
	return v.last, v.done
}

// result writes the summaries of what was waited for, and is nil if all of it
// completed.
func (v *viewing) result(w io.Writer) error {
	if v.until == nil {
		return nil
	}
	if !v.done {
		return &exitError{exitUnknown, errors.New("the screen was left before the vacuums had ended")}
	}
	for i, r := range v.until.Runs() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprint(w, report.Summary(v.last, r, time.Local))
	}
	counts := v.until.Endings()
	completed, unknown, all := counts[model.EndCompleted], counts[model.EndNotVisible]+counts[model.EndLost], 0
	for _, n := range counts {
		all += n
	}
	switch {
	case unknown > 0:
		return &exitError{exitUnknown, fmt.Errorf("the result of %d of %d vacuums is not visible", unknown, all)}
	case completed < all:
		return &exitError{exitVacuumFailed, fmt.Errorf("%d of %d vacuums did not complete", all-completed, all)}
	}
	return nil
}

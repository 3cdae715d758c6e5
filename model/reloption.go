package model

import (
	"strconv"
	"strings"
)

// autovacuumOptions are the options that autovacuum goes by: the relation's own, or
// of a TOAST relation that has none at all those of the table it belongs to.
func (r *Relation) autovacuumOptions() []Text { return autovacuumOptions(r.RelOptions, r.OwnerOptions) }

func autovacuumOptions(own, owner []Text) []Text {
	if len(own) > 0 {
		return own
	}
	return owner
}

// option reads the value of one of options "name=value".
func option(options []Text, name string) (string, bool) {
	for _, o := range options {
		if key, value, _ := strings.Cut(string(o), "="); key == name {
			return value, true
		}
	}
	return "", false
}

// optionNumber reads a number out of options "name=value".
func optionNumber(options []Text, name string) (float64, bool) {
	value, ok := option(options, name)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(value, 64)
	return n, err == nil
}

// optionOff tells that one of options "name=value" is a boolean that is off. The server
// keeps the word as it was written.
func optionOff(options []Text, name string) bool {
	value, ok := option(options, name)
	return ok && isFalse(value)
}

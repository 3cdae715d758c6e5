package model

import (
	"strconv"
	"strings"
)

// autovacuumOptions are the options that autovacuum goes by: the relation's own, or
// of a TOAST relation that has none at all those of the table it belongs to.
func (r *Relation) autovacuumOptions() []Text {
	if len(r.RelOptions) > 0 {
		return r.RelOptions
	}
	return r.OwnerOptions
}

// optionNumber reads a number out of options "name=value".
func optionNumber(options []Text, name string) (float64, bool) {
	for _, o := range options {
		key, value, _ := strings.Cut(string(o), "=")
		if key == name {
			n, err := strconv.ParseFloat(value, 64)
			return n, err == nil
		}
	}
	return 0, false
}

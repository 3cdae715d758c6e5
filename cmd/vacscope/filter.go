package main

import (
	"example.com/vacscope/model"
	"github.com/spf13/pflag"
)

// filterFlags choose the vacuums that are shown.
type filterFlags struct {
	tables, databases []string
}

func (f *filterFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.tables, "table", nil, "only vacuums of `PATTERN`: table or schema.table, quoted as in SQL, * and ? as in psql; can be repeated")
	flags.StringArrayVar(&f.databases, "database", nil, "only vacuums in database `NAME`; can be repeated")
}

// filter is what the flags choose.
func (f *filterFlags) filter() (model.Filter, error) {
	filter := model.Filter{Databases: f.databases}
	for _, t := range f.tables {
		pattern, err := model.ParseTablePattern(t)
		if err != nil {
			return model.Filter{}, usageErrorf("--table %w", err)
		}
		filter.Tables = append(filter.Tables, pattern)
	}
	return filter, nil
}

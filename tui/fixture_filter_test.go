package tui

import "example.com/vacscope/model"

// chosenSnapshot is several vacuums of which only those of some tables are shown.
func chosenSnapshot(table string) *model.Snapshot {
	pattern, err := model.ParseTablePattern(table)
	if err != nil {
		panic(err)
	}
	return model.Filter{Tables: []model.TablePattern{pattern}}.View(parallelSnapshot())
}

package main

import (
	"strings"
	"testing"

	"example.com/vacscope/model"
)

// The topic is the screen's own texts, all of them and nothing else, in their order.
func TestHelpNumbersIsWhatTheScreenExplains(t *testing.T) {
	_, got, found := strings.Cut(numbersText(), "the same from 13 to 19.\n")
	if !found {
		t.Fatal(numbersText())
	}
	var want strings.Builder
	for _, s := range model.Explanations() {
		s.About.Name = string(s.Subject)
		for _, e := range append([]model.Explanation{s.About}, s.Of...) {
			want.WriteString(e.Name + e.Definition())
			for _, f := range e.Fields() {
				want.WriteString(f[0] + ":" + f[1])
			}
		}
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if squeeze(got) != squeeze(want.String()) {
		t.Errorf("help numbers is\n%s\nwant\n%s", got, want.String())
	}
}

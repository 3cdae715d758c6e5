package tui

import (
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// verdict is the answer to the screen's question, in at most h lines: how the
// selected run stands, or why that cannot be told. A bar on its left carries the
// colour of what the run mostly does.
func (a *App) verdict(w, h int) []line {
	said, s := a.sentences()
	said = slices.DeleteFunc(said, func(t string) bool { return t == "" })
	lines := wrapped(said[0], styleStrong, w-2)
	rest := said[1:]
	if len(lines) == 1 && len(rest) > 0 { // the second stands beside the first, where it has room there
		if beside := append(lines[0], seg{" " + rest[0], stylePlain}); beside.width() <= w-2 {
			lines[0], rest = beside, rest[1:]
		}
	}
	lines = append(lines, wrapped(strings.Join(rest, " "), stylePlain, w-2)...)
	if len(lines) > h && h > 0 {
		lines = append(lines[:h-1:h-1], cutShort(lines[h-1], w-2))
	}
	for i, l := range lines {
		lines[i] = append(line{{glyphAccent, s}, {" ", stylePlain}}, l...)
	}
	return block(lines, w, h)
}

func wrapped(t string, s style, w int) []line {
	var out []line
	for _, l := range wrap(t, w) {
		out = append(out, text(s, l))
	}
	return out
}

// cutShort ends a line with an ellipsis, as more follows that is not drawn.
func cutShort(l line, w int) line {
	if l.width() >= w {
		return fit(append(l, seg{ellipsis, stylePlain}), w)
	}
	return append(l, seg{ellipsis, l[len(l)-1].style})
}

// sentences are the answer, the first of them what it comes to, and the style of the
// whole. A sentence can be "".
func (a *App) sentences() (said []string, s style) {
	snap := a.snap
	switch {
	case snap == nil:
		return []string{"Connecting to " + show(model.Text(a.options.Target)) + "."}, styleFrame
	case a.err != nil:
		return []string{"Watching has ended: " + show(model.Text(a.err.Error())) + ".", a.shownFrom()}, styleBad
	case a.latest.Link.Lost:
		return a.lost(), styleBad
	case a.latest.Overdue().Known():
		return []string{"No answer from the server for " + model.FormatDuration(a.latest.Overdue().Or(0)) + ".", a.shownFrom()}, styleBad
	case snap.Blind:
		return a.blind(snap), styleBad
	case a.run == nil && snap.Filtered != nil && !snap.Server.InRecovery:
		return []string{"None of the chosen vacuums runs.", snap.Filtered.Display() + "."}, styleFrame
	case a.run == nil && len(model.MaskedWaitSentences(snap)) > 0:
		return []string{show(model.Text(model.MaskedWaitSentences(snap)[0])), "GRANT pg_monitor TO " + show(snap.Server.Role.QuoteIdent()) + " shows more."}, styleBad
	case a.run == nil:
		return idleSentences(snap), styleFrame
	}
	return a.judged(snap, a.run), runStyle(a.run)
}

// blind says that the server answers and what is being vacuumed cannot be read.
func (a *App) blind(snap *model.Snapshot) []string {
	said := []string{"What is being vacuumed cannot be read now."}
	for _, p := range snap.Problems {
		said = append(said, show(p.Message)+".")
	}
	return append(said, a.shownFrom())
}

// judged is the model's verdict on a run.
func (a *App) judged(snap *model.Snapshot, r *model.Run) []string {
	sentences := model.Verdict(snap, r)
	if g := groupingOf(snap).of(r); g != nil && g.End != nil && !a.narrowing.open[g.ID] {
		sentences = model.GroupVerdict(g, r)
	}
	said := make([]string, len(sentences))
	for i, sentence := range sentences {
		said[i] = show(model.Text(sentence))
	}
	return said
}

// runStyle is the colour of what a run mostly does.
func runStyle(r *model.Run) style {
	switch r.State {
	case model.StateWaiting:
		return styleBad
	case model.StateHidden, model.StateEnded:
		return styleFrame
	}
	if span := r.Phase(); span != nil {
		for _, s := range classShares(span.Waits) {
			if s.share >= 0.5 {
				return classStyle(s.class)
			}
		}
	}
	return styleGood
}

// lost says since when the connection is gone and when it is tried again.
func (a *App) lost() []string {
	link := a.latest.Link
	first, why := "Connection lost.", ""
	if !link.Since.IsZero() {
		first = fmt.Sprintf("Connection lost %s ago.", model.FormatDuration(a.latest.Now.Sub(link.Since)))
	}
	if next, ok := link.NextTry.Get(); ok {
		first += fmt.Sprintf(" Next try in %s.", model.FormatDuration(next.Sub(a.latest.Now)))
	}
	if link.Reason != "" {
		why = show(link.Reason) + "."
	}
	return []string{first, why, a.shownFrom()}
}

// shownFrom says how old what is drawn is; "" before anything was read.
func (a *App) shownFrom() string {
	if a.snap.At.IsZero() {
		return ""
	}
	return "What is shown is from " + clock(a.snap.At.In(a.options.Location)) + "."
}

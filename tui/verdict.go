package tui

import (
	"fmt"

	"example.com/vacscope/model"
)

// verdict is the answer to the screen's question, in at most h lines: how the
// selected run stands, or why that cannot be told. A bar on its left carries the
// colour of what the run mostly does.
func (a *App) verdict(w, h int) []line {
	first, rest, s := a.sentences()
	lines := wrapped(first, styleStrong, w-2)
	lines = append(lines, wrapped(rest, stylePlain, w-2)...)
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

// sentences are the first and the other sentences, and the style of the whole.
func (a *App) sentences() (first, rest string, s style) {
	snap := a.snap
	switch {
	case snap == nil:
		return "Connecting to " + show(model.Text(a.options.Target)) + ".", "", styleFrame
	case a.err != nil:
		return "Watching has ended: " + show(model.Text(a.err.Error())) + ".",
			a.shownFrom(), styleBad
	case a.latest.Link.Lost:
		return a.lost()
	case a.latest.Overdue().Known():
		return "No answer from the server for " + model.FormatDuration(a.latest.Overdue().Or(0)) + ".", a.shownFrom(), styleBad
	case snap.Blind:
		return a.blind(snap)
	case a.run == nil && snap.Filtered != nil && !snap.Server.InRecovery:
		return "None of the chosen vacuums runs.", snap.Filtered.Display() + ".", styleFrame
	case a.run == nil && len(model.MaskedWaitSentences(snap)) > 0:
		return show(model.Text(model.MaskedWaitSentences(snap)[0])), "GRANT pg_monitor TO " + show(snap.Server.Role.QuoteIdent()) + " shows more.", styleBad
	case a.run == nil:
		return a.idleSentences(snap)
	}
	return a.judged(snap, a.run)
}

// blind says that the server answers and what is being vacuumed cannot be read.
func (a *App) blind(snap *model.Snapshot) (first, rest string, s style) {
	for _, p := range snap.Problems {
		rest += show(p.Message) + ". "
	}
	return "What is being vacuumed cannot be read now.", rest + a.shownFrom(), styleBad
}

// judged is the model's verdict on a run.
func (a *App) judged(snap *model.Snapshot, r *model.Run) (first, rest string, s style) {
	sentences := model.Verdict(snap, r)
	if g := groupingOf(snap).of(r); g != nil && g.End != nil && !a.narrowing.open[g.ID] {
		sentences = model.GroupVerdict(g, r)
	}
	for i, sentence := range sentences {
		sentence = show(model.Text(sentence))
		switch i {
		case 0:
			first = sentence
		case 1:
			rest = sentence
		default:
			rest += " " + sentence
		}
	}
	return first, rest, runStyle(r)
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
func (a *App) lost() (first, rest string, s style) {
	link := a.latest.Link
	first = "Connection lost."
	if !link.Since.IsZero() {
		first = fmt.Sprintf("Connection lost %s ago.", model.FormatDuration(a.latest.Now.Sub(link.Since)))
	}
	if next, ok := link.NextTry.Get(); ok {
		first += fmt.Sprintf(" Next try in %s.", model.FormatDuration(next.Sub(a.latest.Now)))
	}
	if link.Reason != "" {
		rest = show(link.Reason) + ". "
	}
	return first, rest + a.shownFrom(), styleBad
}

// shownFrom says how old what is drawn is; "" before anything was read.
func (a *App) shownFrom() string {
	if a.snap.At.IsZero() {
		return ""
	}
	return "What is shown is from " + clock(a.snap.At.In(a.options.Location)) + "."
}

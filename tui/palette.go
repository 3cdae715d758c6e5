package tui

import "github.com/charmbracelet/lipgloss"

// look is how a style is drawn: a colour for each colour profile, and weight.
type look struct {
	// trueColor is "" for the terminal's own colour in every profile. ansi is "" where
	// no colour of the 16 is readable on every palette in use.
	trueColor, ansi256, ansi string
	bold                     bool
}

func (l look) style(r *lipgloss.Renderer) lipgloss.Style {
	s := r.NewStyle().Bold(l.bold)
	if l.trueColor != "" {
		s = s.Foreground(lipgloss.CompleteColor{TrueColor: l.trueColor, ANSI256: l.ansi256, ANSI: l.ansi})
	}
	return s
}

// looks returns the one theme in its form for dark or light backgrounds. Asleep
// on purpose is amber and light; red is kept for what a person should act on.
func looks(dark bool) [styles]look {
	if dark {
		return [styles]look{
			styleStrong: {bold: true},
			styleDim:    {trueColor: "#8a8f98", ansi256: "245", ansi: ""},
			styleFrame:  {trueColor: "#4b515c", ansi256: "239", ansi: "8"},
			styleFocus:  {trueColor: "#7fc7d9", ansi256: "116", ansi: "14"},
			styleGood:   {trueColor: "#7fb98a", ansi256: "108", ansi: "2"},
			styleNote:   {trueColor: "#edc878", ansi256: "222", ansi: "11"},
			styleBad:    {trueColor: "#ff6f7d", ansi256: "204", ansi: "9", bold: true},
			styleAsleep: {trueColor: "#7d6a40", ansi256: "94", ansi: "3"},
			styleDelay:  {trueColor: "#edc878", ansi256: "222", ansi: "11"},
			styleLock:   {trueColor: "#ff6f7d", ansi256: "204", ansi: "9"},
			styleWAL:    {trueColor: "#d09be6", ansi256: "176", ansi: "13"},
			styleIO:     {trueColor: "#3f8af5", ansi256: "33", ansi: "6"},
			styleLWLock: {trueColor: "#dd6410", ansi256: "208", ansi: "15"},
			styleLeader: {trueColor: "#a0f0ea", ansi256: "159", ansi: "14"},
			styleCPU:    {trueColor: "#4fc24f", ansi256: "71", ansi: "2"},
			styleOther:  {trueColor: "#949098", ansi256: "250", ansi: "7"},
		}
	}
	return [styles]look{
		styleStrong: {bold: true},
		styleDim:    {trueColor: "#6a7079", ansi256: "242", ansi: ""},
		styleFrame:  {trueColor: "#b6bbc3", ansi256: "249", ansi: "8"},
		styleFocus:  {trueColor: "#0b7285", ansi256: "24", ansi: "4"},
		styleGood:   {trueColor: "#08713f", ansi256: "22", ansi: ""},
		styleNote:   {trueColor: "#8f6a0c", ansi256: "94", ansi: "5"},
		styleBad:    {trueColor: "#bd0a35", ansi256: "161", ansi: "1", bold: true},
		styleAsleep: {trueColor: "#c9b489", ansi256: "180", ansi: ""},
		styleDelay:  {trueColor: "#8f6a0c", ansi256: "94", ansi: ""},
		styleLock:   {trueColor: "#bd0a35", ansi256: "125", ansi: "1"},
		styleWAL:    {trueColor: "#6532c8", ansi256: "55", ansi: "5"},
		styleIO:     {trueColor: "#123f8c", ansi256: "17", ansi: "4"},
		styleLWLock: {trueColor: "#7a2503", ansi256: "52", ansi: "1"},
		styleLeader: {trueColor: "#1279a2", ansi256: "25", ansi: "4"},
		styleCPU:    {trueColor: "#08713f", ansi256: "23", ansi: ""},
		styleOther:  {trueColor: "#6a5a68", ansi256: "96", ansi: ""},
	}
}

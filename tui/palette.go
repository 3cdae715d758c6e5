package tui

import "github.com/charmbracelet/lipgloss"

// look is how a style is drawn: a colour for each colour profile, and weight.
type look struct {
	trueColor, ansi256, ansi string // "" for the terminal's own
	bold, faint              bool
}

func (l look) style(r *lipgloss.Renderer) lipgloss.Style {
	s := r.NewStyle().Bold(l.bold).Faint(l.faint)
	if l.ansi != "" {
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
			styleDim:    {trueColor: "#8a8f98", ansi256: "245", ansi: "8"},
			styleFrame:  {trueColor: "#4b515c", ansi256: "239", ansi: "8"},
			styleFocus:  {trueColor: "#7fc7d9", ansi256: "116", ansi: "14"},
			styleGood:   {trueColor: "#87c38a", ansi256: "114", ansi: "10"},
			styleNote:   {trueColor: "#d9a94f", ansi256: "179", ansi: "3"},
			styleBad:    {trueColor: "#ff6b6b", ansi256: "203", ansi: "9", bold: true},
			styleDelay:  {trueColor: "#d9a94f", ansi256: "179", ansi: "3"},
			styleLock:   {trueColor: "#ff6b6b", ansi256: "203", ansi: "9"},
			styleWAL:    {trueColor: "#b794f6", ansi256: "141", ansi: "13"},
			styleIO:     {trueColor: "#6cb2ff", ansi256: "75", ansi: "12"},
			styleLWLock: {trueColor: "#ff8f5a", ansi256: "209", ansi: "1"},
			styleLeader: {trueColor: "#66d0d6", ansi256: "80", ansi: "6"},
			styleCPU:    {trueColor: "#87c38a", ansi256: "114", ansi: "2"},
			styleOther:  {trueColor: "#a3a8b0", ansi256: "248", ansi: "7"},
		}
	}
	return [styles]look{
		styleStrong: {bold: true},
		styleDim:    {trueColor: "#6a7079", ansi256: "242", ansi: "8"},
		styleFrame:  {trueColor: "#b6bbc3", ansi256: "249", ansi: "7"},
		styleFocus:  {trueColor: "#0b7285", ansi256: "30", ansi: "6"},
		styleGood:   {trueColor: "#1f7a36", ansi256: "28", ansi: "2"},
		styleNote:   {trueColor: "#8f5f00", ansi256: "94", ansi: "3"},
		styleBad:    {trueColor: "#c62828", ansi256: "160", ansi: "1", bold: true},
		styleDelay:  {trueColor: "#8f5f00", ansi256: "94", ansi: "3"},
		styleLock:   {trueColor: "#c62828", ansi256: "160", ansi: "1"},
		styleWAL:    {trueColor: "#7743cf", ansi256: "92", ansi: "5"},
		styleIO:     {trueColor: "#0b5fc0", ansi256: "25", ansi: "4"},
		styleLWLock: {trueColor: "#b8470b", ansi256: "130", ansi: "9"},
		styleLeader: {trueColor: "#0b7285", ansi256: "30", ansi: "6"},
		styleCPU:    {trueColor: "#1f7a36", ansi256: "28", ansi: "2"},
		styleOther:  {trueColor: "#6a7079", ansi256: "242", ansi: "8"},
	}
}

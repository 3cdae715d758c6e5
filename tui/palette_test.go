package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/muesli/termenv"
)

// visions are how eyes see a colour (linear RGB): all cones, and without one kind
// of them (Machado, Oliveira and Fernandes 2009, severity 1).
var visions = map[string][3][3]float64{
	"all":          {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// The matrix from linear sRGB to CIE XYZ, relative to white.
var toXYZ = [3][3]float64{
	{0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505}, {0.2126, 0.7152, 0.0722}, {0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089},
}

func times(m [3][3]float64, v [3]float64) (out [3]float64) {
	for i, row := range m {
		for j := range row {
			out[i] += row[j] * v[j]
		}
		out[i] = math.Max(0, math.Min(1, out[i]))
	}
	return out
}

// lab is a colour of a palette ("#rrggbb") in CIE L*a*b*, as an eye sees it.
func lab(t *testing.T, hex string, vision [3][3]float64) (out [3]float64) {
	t.Helper()
	xyz := times(toXYZ, times(vision, linear(t, hex)))
	for i, v := range xyz {
		if xyz[i] = 7.787*v + 16.0/116; v > 0.008856 {
			xyz[i] = math.Cbrt(v)
		}
	}
	return [3]float64{116*xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])}
}

// linear is a colour ("#rrggbb") as amounts of light.
func linear(t *testing.T, hex string) (out [3]float64) {
	t.Helper()
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		c := float64(n>>(16-8*i)&0xff) / 255
		if out[i] = c / 12.92; c > 0.04045 {
			out[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return out
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// graphics are the styles that no text is written in.
var graphics = map[style]bool{styleFrame: true, styleAsleep: true}

// palettes are the 16 colours of terminals in use: of xterm, of the VGA text mode
// and of many desktops.
var palettes = [][]string{
	strings.Fields("#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 #7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff"),
	strings.Fields("#000000 #aa0000 #00aa00 #aa5500 #0000aa #aa00aa #00aaaa #aaaaaa #555555 #ff5555 #55ff55 #ffff55 #5555ff #ff55ff #55ffff #ffffff"),
	strings.Fields("#2e3436 #cc0000 #4e9a06 #c4a000 #3465a4 #75507b #06989a #d3d7cf #555753 #ef2929 #8ae234 #fce94f #729fcf #ad7fa8 #34e2e2 #eeeeec"),
}

// cube is a colour of the 256, from 16 on, which terminals agree on.
func cube(t *testing.T, number string) string {
	t.Helper()
	n, err := strconv.Atoi(number)
	if err != nil || n < 16 || n > 255 {
		t.Fatalf("colour %q", number)
	}
	if n >= 232 {
		return fmt.Sprintf("#%02[1]x%02[1]x%02[1]x", 8+10*(n-232))
	}
	level := []int{0, 95, 135, 175, 215, 255}
	return fmt.Sprintf("#%02x%02x%02x", level[(n-16)/36], level[(n-16)/6%6], level[(n-16)%6])
}

// contrast is WCAG's ratio of two colours' luminance.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := linear(t, a), linear(t, b)
	light := func(v [3]float64) float64 { return 0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2] + 0.05 }
	return math.Max(light(x), light(y)) / math.Min(light(x), light(y))
}

// Text can be read on backgrounds in use, in every colour profile.
func TestTextIsReadable(t *testing.T) {
	const readable = 4.5
	for dark, grounds := range map[bool][]string{true: {"#000000", "#101216", "#1e1e1e"}, false: {"#ffffff", "#fdf6e3"}} {
		for s, look := range looks(dark) {
			if graphics[style(s)] || look.trueColor == "" {
				continue
			}
			for _, ground := range grounds {
				for _, colour := range []string{look.trueColor, cube(t, look.ansi256)} {
					if c := contrast(t, colour, ground); c < readable {
						t.Errorf("dark %v, style %d: %s on %s has %.2f", dark, s, colour, ground, c)
					}
				}
			}
			for _, palette := range palettes {
				if look.ansi == "" {
					continue
				}
				n, err := strconv.Atoi(look.ansi)
				if err != nil {
					t.Fatal(err)
				}
				if c := contrast(t, palette[n], grounds[0]); c < readable {
					t.Errorf("dark %v, style %d: colour %d of the 16, %s, on %s has %.2f", dark, s, n, palette[n], grounds[0], c)
				}
			}
		}
	}
}

// Where there are too few colours for the classes letters tell them: in lanes,
// bars and the legend.
func TestFewColoursHaveLetters(t *testing.T) {
	for profile, want := range map[termenv.Profile]bool{termenv.TrueColor: false, termenv.ANSI256: false, termenv.ANSI: true, termenv.Ascii: true} {
		if got := newApp(profile, false).theme.letters(); got != want {
			t.Errorf("profile %v: letters %v", profile, got)
		}
	}
}

// Without colours no sequence but bold is written: text keeps its weight.
func TestNoColoursAreWrittenWithoutAny(t *testing.T) {
	for name, snapshot := range states() {
		a := newApp(termenv.Ascii, false)
		resize(a, 120, 40)
		a.Update(SnapshotMsg{snapshot})
		if i := strings.IndexByte(a.View(), '\x1b'); i >= 0 {
			t.Errorf("%s: %q", name, a.View()[i:i+8])
		}
	}
}

// The classes' colours can be told apart by every kind of eye, and from the
// background.
func TestColoursOfClassesStayApart(t *testing.T) {
	const readable = 35 // black and white are 100 apart
	for dark, background := range map[bool]string{true: "#101216", false: "#ffffff"} {
		for profile, apart := range map[termenv.Profile]float64{termenv.TrueColor: 11, termenv.ANSI256: 8} {
			var colours [model.Classes]string
			for c := range model.Classes {
				look := looks(dark)[classStyle(c)]
				if colours[c] = look.trueColor; profile == termenv.ANSI256 {
					colours[c] = cube(t, look.ansi256)
				}
			}
			for name, vision := range visions {
				ground := lab(t, background, vision)
				for c := range model.Classes {
					mine := lab(t, colours[c], vision)
					if d := distance(mine, ground); d < readable {
						t.Errorf("dark %v, profile %v, %s: %s is %.0f from the background", dark, profile, name, c, d)
					}
					for other := range c {
						if d := distance(mine, lab(t, colours[other], vision)); d < apart {
							t.Errorf("dark %v, profile %v, %s: %s and %s are %.0f apart", dark, profile, name, c, other, d)
						}
					}
				}
			}
		}
	}
}

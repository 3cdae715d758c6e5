package tui

import (
	"math"
	"strconv"
	"testing"

	"example.com/vacscope/model"
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
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	var linear [3]float64
	for i := range linear {
		c := float64(n>>(16-8*i)&0xff) / 255
		if linear[i] = c / 12.92; c > 0.04045 {
			linear[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	xyz := times(toXYZ, times(vision, linear))
	for i, v := range xyz {
		if xyz[i] = 7.787*v + 16.0/116; v > 0.008856 {
			xyz[i] = math.Cbrt(v)
		}
	}
	return [3]float64{116*xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// The classes' colours can be told apart by every kind of eye, and from the
// background.
func TestColoursOfClassesStayApart(t *testing.T) {
	const apart, readable = 11, 35 // black and white are 100 apart
	for dark, background := range map[bool]string{true: "#101216", false: "#ffffff"} {
		palette := looks(dark)
		for name, vision := range visions {
			ground := lab(t, background, vision)
			for c := range model.Classes {
				mine := lab(t, palette[classStyle(c)].trueColor, vision)
				if d := distance(mine, ground); d < readable {
					t.Errorf("dark %v, %s: %s is %.0f from the background", dark, name, c, d)
				}
				for other := range c {
					if d := distance(mine, lab(t, palette[classStyle(other)].trueColor, vision)); d < apart {
						t.Errorf("dark %v, %s: %s and %s are %.0f apart", dark, name, c, other, d)
					}
				}
			}
		}
	}
}

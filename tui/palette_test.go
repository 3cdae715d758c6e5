package tui

import (
	"math"
	"testing"

	"example.com/vacscope/model"
	"github.com/lucasb-eyer/go-colorful"
)

// visions are how eyes see a colour (linear RGB): all cones, and without one kind
// of them (Machado, Oliveira and Fernandes 2009, severity 1).
var visions = map[string][3][3]float64{
	"all":          {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func seen(t *testing.T, hex string, vision [3][3]float64) colorful.Color {
	t.Helper()
	c, err := colorful.Hex(hex)
	if err != nil {
		t.Fatal(err)
	}
	r, g, b := c.LinearRgb()
	part := func(row [3]float64) float64 { return math.Max(0, math.Min(1, row[0]*r+row[1]*g+row[2]*b)) }
	return colorful.LinearRgb(part(vision[0]), part(vision[1]), part(vision[2]))
}

// The classes' colours can be told apart by every kind of eye, and from the
// background.
func TestColoursOfClassesStayApart(t *testing.T) {
	const apart, readable = 0.11, 0.35 // distances in CIE L*a*b*, black to white is 1
	for dark, background := range map[bool]string{true: "#101216", false: "#ffffff"} {
		palette := looks(dark)
		for name, vision := range visions {
			ground := seen(t, background, vision)
			for c := range model.Classes {
				mine := seen(t, palette[classStyle(c)].trueColor, vision)
				if d := mine.DistanceLab(ground); d < readable {
					t.Errorf("dark %v, %s: %s is %.2f from the background", dark, name, c, d)
				}
				for other := range c {
					if d := mine.DistanceLab(seen(t, palette[classStyle(other)].trueColor, vision)); d < apart {
						t.Errorf("dark %v, %s: %s and %s are %.2f apart", dark, name, c, other, d)
					}
				}
			}
		}
	}
}

package report

import "testing"

func TestQuantitiesAsText(t *testing.T) {
	for _, c := range []struct {
		unit         Unit
		value        float64
		text, signed string
	}{
		{UnitCount, 2170, "2,170", "+2,170"},
		{UnitCount, 9574.33, "9,574.3", "+9,574.3"},
		{UnitCount, 6.96, "7", "+7"},
		{UnitSeconds, 496.4146, "8:16.415", "+8:16.4"},
		{UnitSeconds, 0.9996, "0:01.000", "+1.0 s"},
		{UnitSeconds, 59.96, "0:59.960", "+1:00.0"},
		{UnitSeconds, 3600, "1:00:00.000", "+1:00:00.0"},
		{UnitBytes, 28038505, "27 MiB", "+27 MiB"},
	} {
		q := Quantity{Unit: c.unit}
		if text, signed := q.valueText(c.value), q.signedText(c.value); text != c.text || signed != c.signed {
			t.Errorf("%v: %s and %s, want %s and %s", c.value, text, signed, c.text, c.signed)
		}
		if below := q.signedText(-c.value); below != "-"+c.signed[1:] {
			t.Errorf("%v: %s", -c.value, below)
		}
	}
}

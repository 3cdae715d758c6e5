package tui

import (
	"strings"

	"example.com/vacscope/model"
)

// laneEnd is the last second of the lanes of a run: the newest of which any of
// its processes has samples.
func laneEnd(r *model.Run) int64 {
	end := r.LastSeen.Unix() - 1
	for _, m := range r.Processes {
		if n := len(m.Lane); n > 0 {
			end = max(end, m.Lane[n-1].Second)
		}
	}
	return end
}

// lane draws the w seconds of a process up to and with end. A second's height is
// the share of samples awake, its colour what the process did when awake. Who
// sleeps through leaves a low line, so that a throttled process looks calm and
// alive; a second of its life without a sample has its own mark, and blank is
// before it began and after it ended.
func lane(t *theme, m model.Member, end int64, w int) line {
	return laneOf(m, end, w, func(c model.LaneCell) seg {
		class, awake := c.AwakeClass().Get()
		switch {
		case !awake:
			return seg{glyphAsleep, styleAsleep}
		case class == model.ClassLeader:
			return seg{glyphLeader, classStyle(class)}
		}
		return seg{laneHeight(t, c), classStyle(class)}
	})
}

// laneClasses is the second line of a lane where there are no colours: the letter
// of what the process did when awake.
func laneClasses(m model.Member, end int64, w int) line {
	return laneOf(m, end, w, func(c model.LaneCell) seg {
		if class, awake := c.AwakeClass().Get(); awake {
			return seg{classLetter(class), classStyle(class)}
		}
		return seg{" ", stylePlain}
	})
}

// laneHeight is the share awake: a block of that height, or 1 to 9.
func laneHeight(t *theme, c model.LaneCell) string {
	awake := float64(c.Awake().Or(0))
	if t.ascii {
		return string(rune('1' + int(awake*8+0.5)))
	}
	return height(max(1, int(awake*8+0.5)))
}

// laneOf draws each second, from the oldest, joining neighbours of one style.
func laneOf(m model.Member, end int64, w int, draw func(model.LaneCell) seg) line {
	var out line
	put := func(s seg) {
		if n := len(out); n > 0 && out[n-1].style == s.style {
			out[n-1].text += s.text
			return
		}
		out = append(out, s)
	}
	cells := m.Lane
	for second := end - int64(w) + 1; second <= end; second++ {
		for len(cells) > 0 && cells[0].Second < second {
			cells = cells[1:]
		}
		switch {
		case len(cells) > 0 && cells[0].Second == second && cells[0].Taken() > 0:
			put(draw(cells[0]))
		case second > m.FirstSeen.Unix() && second < m.LastSeen.Unix():
			put(seg{glyphNoSample, styleDim})
		default:
			put(seg{" ", stylePlain})
		}
	}
	if len(out) == 0 {
		return plain(strings.Repeat(" ", max(w, 0)))
	}
	return out
}

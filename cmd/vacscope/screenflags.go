package main

import (
	"os"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/tui"
	"github.com/spf13/pflag"
)

// rateFlags say how often the server is read.
type rateFlags struct {
	interval time.Duration
	tickRate float64
}

// The rates that can be asked for.
const (
	minInterval = 100 * time.Millisecond
	maxInterval = time.Hour
	maxTickRate = 100
)

func (f *rateFlags) addInterval(flags *pflag.FlagSet) {
	flags.DurationVar(&f.interval, "interval", time.Second, "`TIME` from one full read to the next, as 500ms or 2s")
}

func (f *rateFlags) addTickRate(flags *pflag.FlagSet) {
	flags.Float64Var(&f.tickRate, "tick-rate", 20, "at most `N` samples of every process's wait per second (0: off)")
}

// check refuses rates outside of their bounds.
func (f *rateFlags) check() error {
	if f.interval < minInterval || f.interval > maxInterval {
		return usageErrorf("--interval is %s, and can be %s to %s", f.interval, minInterval, maxInterval)
	}
	if !(f.tickRate >= 0 && f.tickRate <= maxTickRate) {
		return usageErrorf("--tick-rate is %g, and can be 0 to %d", f.tickRate, maxTickRate)
	}
	return nil
}

// perSecond is the tick rate in the model's unit.
func (f *rateFlags) perSecond() model.PerSecond { return model.PerSecond(f.tickRate) }

// wanted are the rates as a recording names them.
func (f *rateFlags) wanted() *model.Rates {
	return &model.Rates{Interval: f.interval, TickRate: f.perSecond()}
}

// screenFlags say how the screen looks.
type screenFlags struct {
	ascii bool
	theme string
}

var themes = []string{"auto", "dark", "light"}

func (f *screenFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.ascii, "ascii", !utf8Locale(os.Getenv), "draw with ASCII only (what happens anyway where the locale is not UTF-8)")
	flags.Lookup("ascii").DefValue = "false" // the help is the same everywhere
	flags.StringVar(&f.theme, "theme", "auto", "`THEME` for the terminal's background: auto, dark, light")
}

// check refuses a theme that does not exist.
func (f *screenFlags) check() error {
	if !slices.Contains(themes, f.theme) {
		return usageErrorf("--theme is %q, and can be %s", f.theme, strings.Join(themes, ", "))
	}
	return nil
}

// options are what the screen needs to know.
func (f *screenFlags) options() tui.Options {
	return tui.Options{
		Version: version(), Location: time.Local, ASCII: f.ascii, Dark: !f.light(os.Getenv),
		Save: func(f tui.Frame) ([]string, error) { return saveFrame(".", f) },
	}
}

// light tells whether the background is light. The terminal is not asked: what
// auto knows is COLORFGBG, which some terminals set to "foreground;background".
func (f *screenFlags) light(getenv func(string) string) bool {
	if f.theme != "auto" {
		return f.theme == "light"
	}
	colours := strings.Split(getenv("COLORFGBG"), ";")
	background := colours[len(colours)-1]
	return background == "7" || background == "15"
}

// utf8Locale tells whether the locale's character set is UTF-8.
func utf8Locale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := getenv(name); value != "" {
			name := strings.ToLower(value)
			return strings.Contains(name, "utf-8") || strings.Contains(name, "utf8")
		}
	}
	return false
}

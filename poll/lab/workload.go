package lab

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// Workload is something that is run and measured on a throwaway server, again and again
// from the same prepared state.
type Workload struct {
	Name    string // on the command line
	Summary string // what it does, as a clause
	// Published are the flags with which the published experiment ran, "" where there is
	// none.
	Published string
	// Duration and Clients are the defaults. A Duration of 0: it ends by itself.
	Duration time.Duration
	Clients  int
	Options  []Option
	// Tables are those whose vacuums and rows are measured, in schema public; none: all
	// tables outside of the system's schemas.
	Tables []string
	// Expected is what each run is to bring about; it is said of those that did not.
	Expected experiment.Expected
	// Watched tells that the vacuums themselves are what is looked at, phase by phase.
	Watched bool
	// Settings are those that the server needs, as "name=value".
	Settings func(major int, p Params) []string
	// Room is what the machine has to have; nil: what goes with the scale.
	Room func(p Params) Room
	// Load makes the prepared state, from which every run begins.
	Load func(ctx context.Context, s *server.Server, p Params) error
	// Prepare does on each started server what is not to be measured: reading what is to
	// be in memory. nil: nothing.
	Prepare func(ctx context.Context, s *server.Server, p Params, o *Observed) error
	// Run works until ctx ends, which is not an error, or until it is done. What its
	// clients see it tells o; a statement's latency counts from when it was due.
	Run func(ctx context.Context, s *server.Server, p Params, o *Observed) error
}

// room is what the machine has to have: at scale 1 a little table, its copy and WAL.
func (w Workload) room(p Params) Room {
	if w.Room != nil {
		return w.Room(p)
	}
	return Room{Disk: 1<<30 + model.Bytes(p.Scale*(512<<20)), Memory: 512 << 20}
}

// Option is an option of one workload.
type Option struct {
	Name, Default string
	Usage         string                   // as in a flag's help
	Check         func(value string) error // nil: every value is good
}

// Params are what was asked for.
type Params struct {
	Duration time.Duration // 0: until the workload is done
	Clients  int
	Scale    float64  // multiplies the number of rows
	Seed     uint64   // of all that is random
	Command  []string // of the workload that runs one
	Options  map[string]string
	// Note is told what happens, for the person who waits.
	Note func(string)
}

// Rows is a number of rows at this scale, at least one.
func (p Params) Rows(atScaleOne int) int { return max(1, int(float64(atScaleOne)*p.Scale+0.5)) }

// Number is the value of an option whose Check is Number.
func (p Params) Number(option string) int {
	n, _ := strconv.Atoi(p.Options[option])
	return n
}

// Yes tells whether an option whose Check is YesOrNo is "yes".
func (p Params) Yes(option string) bool { return p.Options[option] == "yes" }

// Number checks that a value is a whole number from least to most.
func Number(least, most int) func(string) error {
	return func(value string) error {
		if n, err := strconv.Atoi(value); err != nil || n < least || n > most {
			return fmt.Errorf("%q is not a number from %d to %d", value, least, most)
		}
		return nil
	}
}

// YesOrNo checks that a value is yes or no.
func YesOrNo(value string) error {
	if value != "yes" && value != "no" {
		return errors.New("it is yes or no")
	}
	return nil
}

// Workloads are all of them, in the order of the help.
func Workloads() []Workload {
	return []Workload{VacuumWorkload(), copyLoad(), workQueue(), hotTail(), hotTailDelete()}
}

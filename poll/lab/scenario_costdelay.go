package lab

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// CostDelay shows that a throttled VACUUM sleeps most of its time, and that what other
// settings would change can be told before: the sleep changes with the limit, the work
// stays.
func CostDelay() Scenario {
	return Scenario{
		Name:    "cost-delay",
		Summary: "a throttled VACUUM sleeps; its time can be told before",
		Begin:   beginCostDelay,
	}
}

const (
	lettersAtScaleOne = 32_000

	letterDelay = "10ms"
	lowLimit    = 20
	limitRatio  = 10 // the second limit beside the first
)

// letters is a table of which another sixteenth of the rows dies before each vacuum, some
// of them in every page of the table and its indexes, so that each vacuum has the same to
// do.
type letters struct {
	conn, look *server.Conn
	ended      int // vacuums
	slow       sleptVacuum
}

func beginCostDelay(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	l := &letters{}
	var err error
	if l.conn, err = s.Connect(ctx); err != nil {
		return nil, err
	}
	if l.look, err = s.Connect(ctx); err != nil {
		return nil, err
	}
	err = execAll(ctx, l.conn,
		"create table public.letters (id int not null, street int not null, what varchar(100)) with (autovacuum_enabled = off)",
		fmt.Sprintf("insert into public.letters select g, g::bigint * 7919 %% 1000003, repeat('x', 100) from generate_series(1, %d) g", scaled(lettersAtScaleOne, scale)),
		"create index letters_id on public.letters (id) with (fillfactor = 20)",
		"create index letters_street on public.letters (street) with (fillfactor = 20)",
		"create index letters_street_id on public.letters (street, id) with (fillfactor = 30)",
		"vacuum (analyze) public.letters",
		"set vacuum_cost_delay = '"+letterDelay+"'")
	if err != nil {
		return nil, err
	}
	return []Stage{
		{Caption: Caption{
			Title: fmt.Sprintf("a low limit: %d", lowLimit),
			Happens: fmt.Sprintf("VACUUM counts 1 for a page that it finds in memory, and 20 more where it changes it. Whenever that makes %d (vacuum_cost_limit) "+
				"it sleeps %s (vacuum_cost_delay), to leave others the disk: it sleeps most of the time.", lowLimit, letterDelay),
			Look: "how much of its time it sleeps; w asks for other settings.",
		}, Run: l.low},
		{Caption: Caption{
			Title: "ten times the limit",
			Happens: fmt.Sprintf("As many rows died again, in the same pages. The limit is now %d, the delay as before: the sleep should be a tenth of what it was, "+
				"and the work the same. How long that takes was told at the end of the step before.", lowLimit*limitRatio),
			Look: "how soon it ends.",
		}, Run: l.high},
		{Caption: Caption{
			Title: "not throttled",
			Happens: "The same once more with vacuum_cost_delay = 0, as a VACUUM by hand has it unless that was set: it never sleeps. " +
				"Only the work is left.",
			Look: "it may be over before you see it.",
		}, Run: l.free},
	}, nil
}

func (l *letters) low(ctx context.Context) (Check, error) {
	v, err := l.vacuum(ctx, fmt.Sprintf("set vacuum_cost_limit = %d", lowLimit))
	l.slow = v
	return Check{
		Figure: fmt.Sprintf("It took %s. It slept %s of them and worked %s. With ten times the limit it should take %s / %d + %s = %s.",
			seconds(v.took), v.sleptWords(), seconds(v.work()), seconds(v.slept), limitRatio, seconds(v.work()), seconds(v.withLimit(limitRatio))),
		Holds: v.slept > v.took/2,
	}, err
}

func (l *letters) high(ctx context.Context) (Check, error) {
	v, err := l.vacuum(ctx, fmt.Sprintf("set vacuum_cost_limit = %d", lowLimit*limitRatio))
	foretold := l.slow.withLimit(limitRatio)
	return Check{
		Figure: fmt.Sprintf("%s were foretold; it took %s, and slept %s of them. With the low limit it took %s.", seconds(foretold), seconds(v.took), v.sleptWords(), seconds(l.slow.took)),
		Holds:  (v.took-foretold).Abs() < foretold/5+busyMachine && v.took < l.slow.took/2,
	}, err
}

// busyMachine is what a machine that is busy with others adds to a vacuum or takes from it.
const busyMachine = 400 * time.Millisecond

func (l *letters) free(ctx context.Context) (Check, error) {
	v, err := l.vacuum(ctx, "set vacuum_cost_delay = 0")
	return Check{Figure: fmt.Sprintf("It took %s, all of them work; with the low limit %s.", seconds(v.took), seconds(l.slow.took)), Holds: v.took < l.slow.took/2}, err
}

// sleptVacuum is a VACUUM by how long it slept.
type sleptVacuum struct {
	took, slept time.Duration
	sampled     bool // slept is an estimate
}

func (v sleptVacuum) work() time.Duration { return v.took - v.slept }

// withLimit foretells how long it takes with a limit so many times its own.
func (v sleptVacuum) withLimit(ratio int) time.Duration {
	return v.slept/time.Duration(ratio) + v.work()
}

func (v sleptVacuum) sleptWords() string {
	if v.sampled {
		return "≈ " + seconds(v.slept)
	}
	return seconds(v.slept)
}

// vacuum lets rows die and vacuums with a setting. The checkpoint before it makes all
// pages clean, so that each of them costs the same. How long it slept is sampled, for
// servers that do not say it.
func (l *letters) vacuum(ctx context.Context, setting string) (sleptVacuum, error) {
	dead := fmt.Sprintf("delete from public.letters where id %% 16 = %d", l.ended)
	l.ended++
	if err := execAll(ctx, l.conn, dead, "checkpoint", setting); err != nil {
		return sleptVacuum{}, err
	}
	var said vacuumSaid
	var sleep sleepSamples
	err := lookWhile(ctx, func(ctx context.Context) (err error) {
		said, err = vacuumSaying(ctx, l.conn, "public.letters", "parallel 0")
		return err
	}, func(ctx context.Context) error { return sleep.look(ctx, l.look, l.conn.PID()) })
	if err != nil {
		return sleptVacuum{}, err
	}
	if slept, ok := said.slept().Get(); ok {
		return sleptVacuum{took: said.took, slept: slept}, nil
	}
	return sleptVacuum{took: said.took, slept: time.Duration(float64(sleep.share()) * float64(said.took)), sampled: true}, nil
}

var sleptSaid = regexp.MustCompile(`delay time: ([0-9.]+) ms`)

// slept is how long a VACUUM slept on purpose; it says so from 18 on, with
// track_cost_delay_timing.
func (v vacuumSaid) slept() (slept model.Opt[time.Duration]) {
	for _, message := range v.messages() {
		if said := sleptSaid.FindStringSubmatch(message); said != nil {
			if d, err := time.ParseDuration(said[1] + "ms"); err == nil {
				return model.Some(d)
			}
		}
	}
	return slept
}

// sleepSamples are looks at a process that vacuums.
type sleepSamples struct{ seen, asleep int }

func (l sleepSamples) share() model.Ratio {
	return model.Ratio(float64(l.asleep) / float64(max(l.seen, 1)))
}

// look looks whether the process sleeps on purpose.
func (l *sleepSamples) look(ctx context.Context, look *server.Conn, pid uint32) error {
	var sleeps bool
	err := look.QueryRow(ctx, "select coalesce(wait_event, '') = 'VacuumDelay' from pg_catalog.pg_stat_get_activity($1)", pid).Scan(&sleeps)
	if err != nil {
		return fmt.Errorf("look whether the vacuum sleeps: %w", err)
	}
	l.seen++
	if sleeps {
		l.asleep++
	}
	return nil
}

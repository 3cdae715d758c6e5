package lab

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// MultiPass shows that too little memory for dead rows makes VACUUM go through all
// indexes more than once.
func MultiPass() Scenario {
	return Scenario{
		Name:    "multi-pass",
		Summary: "too little memory: all indexes are gone through repeatedly",
		Begin:   beginMultiPass,
	}
}

const (
	// leastClicks are dead rows for three passes with the least memory that 13 to 16
	// take. A smaller scale leaves them and makes the vacuums sleep less.
	leastClicks   = 400_000
	clicksIndexes = 2

	enoughMemory = "64MB" // the default
)

// clicks is a table whose vacuum is most of all in its indexes.
type clicks struct {
	conn   *server.Conn
	rows   int
	memory string     // too little of it
	many   passesMade // with that
}

func beginMultiPass(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &clicks{conn: conn, rows: max(leastClicks, scaled(leastClicks, scale)), memory: "1MB"}
	if s.Major >= 17 {
		c.memory = "224kB" // dead rows take a fraction of what they did
	}
	if _, err := makeWarmable(ctx, conn); err != nil {
		return nil, err
	}
	// About 15 seconds for three passes at scale 1, a quarter at least at a smaller one: a
	// busy machine does not make one pass as long as three. Each page is to cost the same
	// in each pass, wherever it is found, and though only the first one makes it dirty.
	limit := min(40, max(1, int(10/min(1, scale))))
	err = execAll(ctx, conn, "set vacuum_cost_page_miss = 1", "set vacuum_cost_page_dirty = 0",
		"set vacuum_cost_delay = '10ms'", fmt.Sprintf("set vacuum_cost_limit = %d", limit))
	if err != nil {
		return nil, err
	}
	return []Stage{
		{Caption: Caption{
			Title: "maintenance_work_mem is too little",
			Happens: "VACUUM reads the table and keeps a list of the dead rows, for which it has maintenance_work_mem, here " + c.memory + ". When that is full it goes through all indexes, " +
				"each as a whole, removes those rows, and reads on. Nearly all rows were deleted.",
			Look: "the phases come again and again; the sentences below the vacuums say why.",
		}, Run: c.tooLittle},
		{Caption: Caption{
			Title: "enough memory: one pass",
			Happens: "The same table was made again, and the same VACUUM runs with maintenance_work_mem = " + enoughMemory + ". " +
				"All dead rows find room, so that it goes through the indexes once.",
			Look: "'vacuuming indexes' comes once, when the whole table has been read.",
		}, Run: c.enough},
	}, nil
}

func (c *clicks) tooLittle(ctx context.Context) (Check, error) {
	many, err := c.vacuum(ctx, c.memory)
	c.many = many
	return Check{Figure: many.sentence(c.memory), Holds: many.passes >= 2}, err
}

func (c *clicks) enough(ctx context.Context) (Check, error) {
	one, err := c.vacuum(ctx, enoughMemory)
	return Check{
		Figure: one.sentence(enoughMemory) + fmt.Sprintf(" With %s it took %s.", c.memory, seconds(c.many.took)),
		Holds:  one.passes == 1 && one.took < c.many.took,
	}, err
}

// vacuum makes the table anew, with the same dead rows each time, and vacuums it without
// workers: a list that they share is larger from the start.
func (c *clicks) vacuum(ctx context.Context, memory string) (passesMade, error) {
	statements := []string{
		"drop table if exists public.clicks",
		"create table public.clicks (id int not null, page int not null) with (autovacuum_enabled = off)",
		fmt.Sprintf("insert into public.clicks select g, g::bigint * 7919 %% 1000003 from generate_series(1, %d) g", c.rows),
	}
	for n := range clicksIndexes {
		statements = append(statements, fmt.Sprintf("create index clicks_page_%d on public.clicks (page) with (fillfactor = 50)", n+1))
	}
	statements = append(statements, "delete from public.clicks where id % 20 <> 0", "set maintenance_work_mem = '"+memory+"'")
	if err := execAll(ctx, c.conn, statements...); err != nil {
		return passesMade{}, err
	}
	if _, err := warm(ctx, c.conn, "public.clicks"); err != nil { // a new index is not in memory
		return passesMade{}, err
	}
	v, err := vacuumSaying(ctx, c.conn, "public.clicks", "parallel 0")
	if err != nil {
		return passesMade{}, err
	}
	return passesMade{vacuumSaid: v, passes: v.passes("clicks_page_1")}, nil
}

// passesMade is a VACUUM by its passes over the indexes.
type passesMade struct {
	vacuumSaid
	passes int
}

func (p passesMade) sentence(memory string) string {
	return fmt.Sprintf("With %s VACUUM made %s over %d indexes and took %s.", memory, model.FormatCounted(p.passes, "pass", "passes"), clicksIndexes, seconds(p.took))
}

var passesSaid = regexp.MustCompile(`index scans: (\d+)`)

// passes is how often a VACUUM went through its indexes, of which one is named: 15 and
// later say so, before there is a message for each index each time.
func (v vacuumSaid) passes(index string) (n int) {
	for _, message := range v.messages() {
		if said := passesSaid.FindStringSubmatch(message); said != nil {
			n, _ = strconv.Atoi(said[1])
			return n
		}
		if strings.HasPrefix(message, `scanned index "`+index+`" to remove`) {
			n++
		}
	}
	return n
}

package experiment

import (
	"time"

	"example.com/vacscope/model"
)

// SweepPace is what a small table took on a server, from which the length of a sweep is
// told before it begins.
type SweepPace struct {
	Size       model.Bytes   // of that table, without indexes
	Dirty      model.Ratio   // the share of its pages that has dead rows
	IndexBytes model.Bytes   // of one index of it
	Load       time.Duration // making it
	AddIndex   time.Duration // and an index
	Restore    time.Duration // restoring it, with the index
	Nothing    time.Duration // restoring a database without it
	Heap       time.Duration // vacuuming it without an index, not throttled
	OneIndex   time.Duration // vacuuming it with one, not throttled
}

// quickest is the fewest that copying takes, for a MiB: what two small copies differ by
// can be less by chance.
const quickest = 500 * time.Microsecond

// Step is how long a run of a sweep takes, about: restoring its table, and the VACUUM.
func (p SweepPace) Step(place SweepPlace, step SweepRun) time.Duration {
	grown := float64(step.Size) / float64(p.Size)
	indexBytes := model.Bytes(grown * float64(p.IndexBytes))
	workers := max(0, min(step.Degree, step.Indexes-1, place.MaxWorkers))
	rounds := float64(model.Rounds(step.Indexes, workers))
	work := max(rounds, float64(step.Indexes)/float64(max(1, place.Cores))) // who sleeps needs no core
	return p.restore(place, step) +
		scaled(p.Heap, grown) + place.naps(model.Bytes(float64(p.Dirty)*float64(step.Size)), heapVisits) +
		scaled(max(0, p.OneIndex-p.Heap), grown*work) + scaled(place.naps(indexBytes, 1), rounds)
}

func (p SweepPace) restore(place SweepPlace, step SweepRun) time.Duration {
	grown := float64(step.Size) / float64(p.Size)
	if place.Own {
		return p.make(grown, step.Indexes)
	}
	const mib = 1 << 20
	perMiB := max(quickest, scaled(p.Restore-p.Nothing, mib/float64(p.Size+p.IndexBytes)))
	bytes := float64(step.Size) + grown*float64(step.Indexes)*float64(p.IndexBytes)
	return p.Nothing + scaled(perMiB, bytes/mib)
}

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(by * float64(d)) }

// prepare is how long the tables of some runs take to be made, beside these runs.
func (p SweepPace) prepare(place SweepPlace, steps []SweepRun) time.Duration {
	if place.Own {
		return 0 // each run makes its own
	}
	var all time.Duration
	most := map[model.Bytes]int{} // indexes, by size
	for i, step := range steps {
		most[step.Size] = max(most[step.Size], step.Indexes)
		if i == 0 || steps[i-1].Size != step.Size || steps[i-1].Indexes != step.Indexes {
			all += p.restore(place, step)
		}
	}
	for size, indexes := range most {
		all += p.make(float64(size)/float64(p.Size), indexes)
	}
	return all
}

func (p SweepPace) make(grown float64, indexes int) time.Duration {
	return scaled(p.Load, grown) + scaled(p.AddIndex, grown*float64(indexes))
}

// Left is how long runs take, about.
func (p SweepPace) Left(place SweepPlace, steps []SweepRun) time.Duration {
	var all time.Duration
	for _, step := range steps {
		all += p.Step(place, step)
	}
	return all
}

// Expected is the range in which a sweep of these runs ends, on a machine that is not as
// even as its first second.
func (p SweepPace) Expected(place SweepPlace, steps []SweepRun) model.Range {
	about := p.prepare(place, steps) + p.Left(place, steps)
	return model.Range{Low: about * 4 / 10, High: about * 14 / 10}
}

// The cost of a page that is vacuumed: it is found, and made dirty. The pages of the
// table are visited twice.
const (
	costFound, costDirtied = 1, 20
	heapVisits             = 2
	pageBytes              = 8192
)

// naps is how long one process sleeps on purpose for pages that it makes dirty.
func (place SweepPlace) naps(size model.Bytes, visits int) time.Duration {
	if place.Delay <= 0 || place.Limit <= 0 {
		return 0
	}
	cost := int64(size) / pageBytes * int64(visits*costFound+costDirtied)
	return time.Duration(cost / place.Limit * int64(place.Delay))
}

package model

import "time"

// Position is where in what was seen a snapshot stands that is not the latest one.
type Position struct {
	// Sample is the number of its sample, from 0, of Samples that were read so far.
	Sample, Samples int
	// At is the time of the sample; From and To are those of the first one that can be
	// gone back to and of the last one.
	At, From, To time.Time
	// Recording tells that it is in a recording; else in what is being watched.
	Recording bool
	// Playing tells that it moves on by itself, at Speed times the speed at which it
	// happened.
	Playing bool
	Speed   float64
	// Event is what happened there: "VACUUM of public.t begins"; "" for nothing.
	Event string
}

// Share is how far between From and To the position is, 0 to 1.
func (p Position) Share() Ratio {
	whole := p.To.Sub(p.From)
	if whole <= 0 {
		return 0
	}
	return min(1, max(0, Ratio(p.At.Sub(p.From).Seconds()/whole.Seconds())))
}

// Move is a way from one position to another.
type Move struct {
	// From is the number of the sample that it starts from; where it is absent, the
	// sample is the one that has Seq.
	From Opt[int]
	Seq  uint64
	// Samples, Events and Phases are how many of them to go on, or back where it is
	// below zero; at most one of them is not zero. Phases are of the run that Run names,
	// of all where it is the zero key.
	Samples, Events, Phases int
	Run                     RunKey
	// To is the time to go to; absent where one of the above says how far.
	To Opt[time.Time]
}

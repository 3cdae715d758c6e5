package model

import "slices"

// maxStanding bounds the relations and events that a Standing keeps; the latest.
const maxStanding = 1000

// Standing keeps of a stream what is read only now and then and holds until it is read
// again, so that a recording can begin in its middle. The zero Standing is ready.
type Standing struct {
	about     *About
	settings  []Setting
	databases []Database
	vacuums   []LastVacuum
	relations []Relation // the one read last is the last
	events    []Event    // VACUUMs of this program that go on, and priors
}

// Take takes the next sample.
func (st *Standing) Take(s Sample) {
	for _, e := range s.Events {
		st.event(e)
	}
	p := s.Poll
	if p == nil {
		return
	}
	if p.About != nil {
		st.about = p.About
	}
	if p.Settings != nil {
		st.settings = p.Settings
	}
	if p.Databases != nil {
		st.databases = p.Databases
	}
	if p.LastVacuums != nil {
		st.vacuums = p.LastVacuums
	}
	for _, rel := range p.Relations {
		rel.ReadAt = Some(rel.ReadAt.Or(s.At))
		st.relations = slices.DeleteFunc(st.relations, func(old Relation) bool { return sameRelation(old, rel) })
		st.relations = append(st.relations, rel)
	}
	st.relations = st.relations[max(0, len(st.relations)-maxStanding):]
}

// Clone is a copy that takes samples of its own.
func (st *Standing) Clone() Standing {
	c := *st
	c.relations, c.events = slices.Clone(st.relations), slices.Clone(st.events)
	return c
}

func sameRelation(a, b Relation) bool { return a.DatID == b.DatID && a.RelID == b.RelID }

func (st *Standing) event(e Event) {
	switch e.Kind {
	case EventStarted, EventLaunched, EventPrior:
		st.events = append(st.events, e)
	case EventEnded:
		st.events = slices.DeleteFunc(st.events, func(old Event) bool { return old.PID == e.PID && old.Kind != EventPrior })
	}
	st.events = st.events[max(0, len(st.events)-maxStanding):]
}

// Complete is a sample, which was taken as the last one, with all that stands: the first
// sample of a recording. Ages of databases can be a minute old in it.
func (st *Standing) Complete(s Sample) Sample {
	earlier := slices.DeleteFunc(slices.Clone(st.events), func(e Event) bool { return !e.At.Before(s.At) || slices.ContainsFunc(s.Events, e.same) })
	s.Events = append(earlier, s.Events...)
	if s.Poll == nil {
		return s
	}
	p := *s.Poll
	s.Poll = &p
	p.About = st.about
	if p.Settings == nil {
		p.Settings = st.settings
	}
	if p.Databases == nil {
		p.Databases = st.databases
	}
	if p.LastVacuums == nil {
		p.LastVacuums = st.vacuums
	}
	var more []Relation
	for _, rel := range st.relations {
		if !slices.ContainsFunc(p.Relations, func(now Relation) bool { return sameRelation(now, rel) }) {
			more = append(more, rel)
		}
	}
	if len(more) > 0 {
		p.Relations = append(more, p.Relations...)
	}
	return s
}

// same tells whether both are one event.
func (e Event) same(o Event) bool { return e.Kind == o.Kind && e.PID == o.PID && e.At.Equal(o.At) }

package poll

import (
	"context"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// listingRefresh is how often trees and databases are read again while a command
// goes through them.
const listingRefresh = time.Minute

// listings keeps what commands over several relations go through.
type listings struct {
	known    []listing
	asked    map[uint32]bool // relations whose trees were read, also where there is none
	database bool            // the database was read
	since    time.Time       // when the first of these was read
}

// readListings reads in a round trip of its own what commands in sight go through
// and is not known, which is seldom, and tells the poll where they are.
func (s *session) readListings(ctx context.Context, out *reading) error {
	named, inDatabase := listedCommands(&out.poll, s.server.DatID)
	if time.Since(s.listings.since) > listingRefresh {
		s.listings = listings{asked: map[uint32]bool{}, since: time.Now()}
	}
	var trees, databases []listing
	var requests []*request
	if unread := s.listings.unread(named); len(unread) > 0 {
		requests = append(requests, list(s.statements.tree, &trees, decodeListing, oidList(unread)))
	}
	if len(inDatabase) > 0 && !s.listings.database {
		s.listings.database = true
		requests = append(requests, list(s.statements.tables, &databases, decodeListing))
	}
	if len(requests) > 0 {
		if err := s.read(ctx, out, requests); err != nil {
			return err
		}
		s.listings.known = append(append(s.listings.known, trees...), databases...)
	}
	out.poll.Listings = s.listings.placesOf(append(named, inDatabase...))
	return nil
}

// unread are the relations whose trees are not known, noted as read from now on.
func (l *listings) unread(relids []uint32) []uint32 {
	var out []uint32
	for _, relid := range relids {
		known := l.asked[relid] || slices.ContainsFunc(l.known, func(k listing) bool {
			_, in := k.places[relid]
			return in && k.RelID != 0
		})
		if !known {
			l.asked[relid] = true
			out = append(out, relid)
		}
	}
	return out
}

// placesOf are the listings that hold one of the relations, with their places.
func (l *listings) placesOf(relids []uint32) []model.Listing {
	var out []model.Listing
	for _, k := range l.known {
		seen := k.Listing
		for _, relid := range relids {
			if place, in := k.places[relid]; in {
				seen.Places = append(seen.Places, place)
			}
		}
		if len(seen.Places) > 0 {
			out = append(out, seen)
		}
	}
	return out
}

// listedCommands are the relations of the connected database that sessions vacuum
// now: those of commands that name tables, and those of commands that go through
// all of the database, for which trees do not matter. Autovacuum workers go from
// table to table on their own account.
func listedCommands(poll *model.Poll, connected uint32) (named, inDatabase []uint32) {
	for _, p := range poll.Processes {
		if p.Progress == nil || p.Progress.RelID == 0 || p.BackendType.Or("") == "autovacuum worker" || p.DatID.Or(0) != connected {
			continue
		}
		query, ok := p.Query.Get()
		switch {
		case !ok:
		case model.WholeDatabase(query):
			inDatabase = append(inDatabase, p.Progress.RelID)
		default:
			named = append(named, p.Progress.RelID)
		}
	}
	return named, inDatabase
}

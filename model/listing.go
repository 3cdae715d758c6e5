package model

// Listing is the relations with storage (tables and materialized views, no TOAST
// relations) that one command goes through, in the order in which the server does
// so: those of an inheritance or partition tree, or of the connected database. It
// is as of the catalog when it was read, at most a minute ago: what was created or
// dropped since is not in it.
type Listing struct {
	RelID     uint32  `json:"relid"`           // of the tree's root; 0: the whole database
	Schema    Text    `json:"schema,omitzero"` // of the root
	Name      Text    `json:"name,omitzero"`
	Relations int     `json:"relations"`
	RelPages  Blocks  `json:"relpages"`        // sum of pg_class.relpages: as of each one's last VACUUM or ANALYZE
	Places    []Place `json:"places,omitzero"` // of relations in sight
}

// Place is where one relation stands in a Listing; a TOAST relation stands where its
// table does.
type Place struct {
	RelID       uint32 `json:"relid"`
	Number      int    `json:"number"`       // counted from 1
	PagesBefore Blocks `json:"pages_before"` // sum of relpages of those before it
	RelPages    Blocks `json:"relpages"`
}

// root is the name of the tree's root.
func (l *Listing) root() RelationName { return RelationName{l.Schema, l.Name} }

// place finds a relation.
func (l *Listing) place(relid uint32) (Place, bool) {
	for _, p := range l.Places {
		if p.RelID == relid {
			return p, true
		}
	}
	return Place{}, false
}

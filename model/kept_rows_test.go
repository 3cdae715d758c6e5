package model

import (
	"strings"
	"testing"
)

func TestRowsThatAVacuumCouldNotRemove(t *testing.T) {
	for name, c := range map[string]struct {
		notices []Text
		want    Opt[int64]
	}{
		"15 and later": {[]Text{"vacuuming \"app.public.t\"", "finished vacuuming \"app.public.t\": index scans: 0\npages: 0 removed, 45 remain\ntuples: 0 removed, 10000 remain, 5000 are dead but not yet removable\nremovable cutoff: 740"}, Some[int64](5000)},
		"none left":    {[]Text{"finished vacuuming \"app.public.t\": index scans: 1\ntuples: 5000 removed, 5000 remain, 0 are dead but not yet removable"}, Some[int64](0)},
		"of its TOAST": {[]Text{"finished vacuuming \"app.pg_toast.pg_toast_5\": index scans: 1\ntuples: 0 removed, 7 remain, 7 are dead but not yet removable"}, None[int64]()},
		"13":           {[]Text{"\"t\": found 0 removable, 10000 nonremovable row versions in 45 out of 45 pages\n5000 dead row versions cannot be removed yet, oldest xmin: 740\nThere were 0 unused item identifiers."}, Some[int64](5000)},
		"14":           {[]Text{"table \"t\": found 0 removable, 10000 nonremovable row versions in 45 out of 45 pages\n5000 dead row versions cannot be removed yet, oldest xmin: 740"}, Some[int64](5000)},
		"German":       {[]Text{"Vakuum von »app.public.t« beendet: Index-Scans: 0\nTupel: 0 entfernt, 10000 verbleiben, 5000 sind tot"}, None[int64]()},
		"no messages":  {nil, None[int64]()},
	} {
		r := &Run{Command: "VACUUM", Database: "app", Schema: Some[Text]("public"), Table: Some[Text]("t"), End: &End{How: EndCompleted}}
		for _, n := range c.notices {
			r.Notices = append(r.Notices, Event{Kind: EventNotice, Text: n})
		}
		if got := r.KeptRows(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		said := strings.Contains(strings.Join(keptSentences(&Snapshot{}, r), " "), "could not be removed")
		if said != (c.want.Or(0) > 0) {
			t.Errorf("%s: said %v", name, said)
		}
	}
}

package act

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"example.com/vacscope/model"
)

// Journal is the file in which a running program keeps the changes that it made on
// one server, so that they can be put back, also after a crash. It is locked while
// the program lives: another instance does not touch it.
type Journal struct {
	path   string
	lock   *flock.Flock
	file   *os.File
	stands []model.Done // in the order in which they were made
}

// entry is one line of the file.
type entry struct {
	Stands *model.Done `json:",omitempty"` // a change is about to be made
	Gone   *model.Done `json:",omitempty"` // it was put back, or never made
}

// journalSuffix ends the name of a journal, after the server's system identifier
// and the program's process id.
const journalSuffix = ".changes"

// OpenJournal makes the journal of this process for a server, in a folder of the
// program's own state.
func OpenJournal(folder, systemIdentifier string) (*Journal, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the journal: %w", err)
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%d%s", systemIdentifier, os.Getpid(), journalSuffix))
	return openJournal(path)
}

// openJournal opens and locks a journal and reads what stands in it.
func openJournal(path string) (*Journal, error) {
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the journal: %w", err)
	}
	if !locked {
		return nil, errJournalInUse
	}
	j := &Journal{path: path, lock: lock}
	if err := j.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("read the journal %s: %w", path, err), lock.Unlock())
	}
	j.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the journal: %w", err), lock.Unlock())
	}
	return j, nil
}

// errJournalInUse tells that a living process has the journal.
var errJournalInUse = errors.New("a running vacscope has this journal")

// Leftover opens the journals of earlier processes on the server that still hold
// changes and that no living process has. Those that hold none are removed.
func Leftover(folder, systemIdentifier string) []*Journal {
	paths, _ := filepath.Glob(filepath.Join(folder, systemIdentifier+"-*"+journalSuffix)) // fails only for a bad pattern
	var out []*Journal
	for _, path := range paths {
		j, err := openJournal(path)
		if err != nil {
			continue
		}
		if len(j.stands) == 0 {
			j.Close()
			continue
		}
		out = append(out, j)
	}
	return out
}

// read takes the entries; the last one may be cut off in the middle.
func (j *Journal) read() error {
	f, err := os.Open(j.path)
	if err != nil {
		return err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		switch {
		case e.Stands != nil:
			j.forget(*e.Stands)
			j.stands = append(j.stands, *e.Stands)
		case e.Gone != nil:
			j.forget(*e.Gone)
		}
	}
	return nil
}

// Stands are the changes that were made and not put back, the first one first.
func (j *Journal) Stands() []model.Done { return slices.Clone(j.stands) }

// Close ends the journal; the file stays if changes stand in it.
func (j *Journal) Close() {
	if len(j.stands) == 0 {
		os.Remove(j.path)
	}
	j.file.Close()
	j.lock.Close()
}

// intend writes down a change that is about to be made; takeBack is for when it is
// not. An earlier change of the same thing that stands keeps what was before both.
func (j *Journal) intend(d model.Done) (takeBack func(), err error) {
	earlier := j.find(d)
	takeBack = func() { j.drop(d) }
	if earlier >= 0 {
		before := j.stands[earlier]
		d.Before = before.Before
		takeBack = func() { _ = j.keep(before) } // what is on disk puts back the same
	}
	if err := j.keep(d); err != nil {
		return nil, fmt.Errorf("nothing is changed, because it could not be noted how to put it back: %w", err)
	}
	return takeBack, nil
}

// keep writes down that a change stands.
func (j *Journal) keep(d model.Done) error {
	if err := j.write(entry{Stands: &d}); err != nil {
		return err
	}
	j.forget(d)
	j.stands = append(j.stands, d)
	return nil
}

// drop takes out a change that was put back or not made.
func (j *Journal) drop(d model.Done) {
	_ = j.write(entry{Gone: &d}) // at worst it is offered once more, and found to be gone
	j.forget(d)
}

func (j *Journal) write(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *Journal) forget(d model.Done) {
	if i := j.find(d); i >= 0 {
		j.stands = slices.Delete(j.stands, i, i+1)
	}
}

// find is the index of the change of the same setting in the same place; -1 for none.
func (j *Journal) find(d model.Done) int {
	return slices.IndexFunc(j.stands, func(o model.Done) bool { return sameThing(o.Change, d.Change) })
}

func sameThing(a, b model.Change) bool {
	a.Value, b.Value = model.None[string](), model.None[string]()
	return a == b
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"example.com/vacscope/model"
)

// priors are what earlier vacuums of the tables of a server tell of the next ones. They
// stand beside the history, in one file for each server, so that no recording is read
// for them. A prior goes into the stream when its table comes into sight: who replays it
// sees what was seen.
type priors struct {
	folder string

	mu      sync.Mutex
	system  string // system identifier; "" until a sample tells
	known   map[relation]model.Prior
	given   map[relation]bool
	learned map[model.RunKey]bool
}

type relation struct{ datid, relid uint32 }

// maxPriorsKept bounds the tables of a server that are remembered.
const maxPriorsKept = 1000

func newPriors(folder string) *priors {
	return &priors{folder: folder, learned: map[model.RunKey]bool{}}
}

func (p *priors) path() string { return filepath.Join(p.folder, p.system+".priors.json") }

// give adds to a sample the priors of tables that come into sight in it.
func (p *priors) give(s model.Sample) model.Sample {
	if p == nil || s.Poll == nil || s.Poll.Server.SystemIdentifier == "" {
		return s
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if system := s.Poll.Server.SystemIdentifier; p.system != system {
		p.system, p.known, p.given = system, nil, map[relation]bool{}
		p.known = byRelation(p.read())
	}
	for _, proc := range s.Poll.Processes {
		if proc.Progress == nil || proc.Progress.View != model.ViewVacuum {
			continue
		}
		of := relation{proc.DatID.Or(0), proc.Progress.RelID}
		if prior, is := p.known[of]; is && !p.given[of] {
			p.given[of] = true
			s.Events = append(s.Events[:len(s.Events):len(s.Events)], model.Event{At: s.At, Kind: model.EventPrior, Prior: &prior})
		}
	}
	return s
}

// read is what the file holds, the one learned last first; nothing where it cannot be
// read.
func (p *priors) read() []model.Prior {
	text, err := os.ReadFile(p.path())
	var list []model.Prior
	if err != nil || json.Unmarshal(text, &list) != nil {
		return nil
	}
	return list
}

func byRelation(list []model.Prior) map[relation]model.Prior {
	known := map[relation]model.Prior{}
	for _, prior := range list {
		known[relationOf(prior)] = prior
	}
	return known
}

func relationOf(p model.Prior) relation { return relation{p.DatID, p.RelID} }

// learn keeps what vacuums tell that have completed. What cannot be written is not
// needed: the next vacuum is then estimated without it.
func (p *priors) learn(s *model.Snapshot) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.system == "" || p.system != s.Server.SystemIdentifier {
		return
	}
	var news []model.Prior // of those that ended, the last one first
	for _, r := range s.Ended {
		if p.learned[r.Key] || r.End == nil || r.End.Open {
			continue
		}
		p.learned[r.Key] = true
		source := fmt.Sprintf("the vacuum of %s", r.End.At.Local().Format("2006-01-02 15:04"))
		prior, tells := model.NewPrior(r, model.Text(source)).Get()
		if r.End.How == model.EndCompleted && tells {
			news = append(news, prior)
			p.given[relationOf(prior)] = false
		}
	}
	if len(news) > 0 {
		p.write(news)
	}
}

// write adds priors, the newest first, to those of the file, which others may have
// written since. The tables that were vacuumed last are kept.
func (p *priors) write(news []model.Prior) {
	var list []model.Prior
	kept := map[relation]bool{}
	for _, prior := range slices.Concat(news, p.read()) {
		if of := relationOf(prior); !kept[of] && len(list) < maxPriorsKept {
			kept[of], list = true, append(list, prior)
		}
	}
	p.known = byRelation(list)
	text, err := json.Marshal(list)
	if err != nil || os.MkdirAll(p.folder, 0o700) != nil {
		return
	}
	_ = replaceFile(p.path(), text, 0o600)
}

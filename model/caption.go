package model

import "fmt"

// Caption tells the person at the screen what a demonstration shows.
type Caption struct {
	Scenario Text `json:"scenario"`
	Stage    int  `json:"stage"` // from 1 on; 0 while it is prepared
	Stages   int  `json:"stages"`
	Title    Text `json:"title"`
	Happens  Text `json:"happens"` // what happens, in sentences
	Look     Text `json:"look"`    // what to look at; "": nothing yet
	// Seen is what came of the stage, with its figures; "" while it goes on.
	Seen Text `json:"seen"`
	// Failed tells that what the stage is to show did not occur.
	Failed bool `json:"failed"`
}

// Over tells that the stage has ended: the person decides when the next one begins.
func (c Caption) Over() bool { return c.Seen != "" }

// Last tells that no stage follows.
func (c Caption) Last() bool { return c.Stage == c.Stages }

// Place is where in the scenario it stands.
func (c Caption) Place() string {
	if c.Stage == 0 {
		return "being prepared"
	}
	return fmt.Sprintf("step %d of %d", c.Stage, c.Stages)
}

package model

// Subject is a part of the screen whose columns, numbers and marks are explained
// together. It is written as people read it.
type Subject string

// The subjects, in the order in which they are explained. Those of the page of one
// vacuum are made by PageSubject.
const (
	SubjectHeader   Subject = "Header"
	SubjectMarks    Subject = "Marks"
	SubjectVacuums  Subject = "Vacuums"
	SubjectEndings  Subject = "How a vacuum ended"
	SubjectLast     Subject = "Last vacuums"
	SubjectQueue    Subject = "What comes next"
	SubjectPhases   Subject = "Phases"
	SubjectNames    Subject = "The phases of a vacuum"
	SubjectDelay    Subject = "Delay and process-time"
	SubjectProcess  Subject = "Processes"
	SubjectClasses  Subject = "What a process does"
	SubjectLocks    Subject = "Lock waits"
	SubjectWhatIf   Subject = "What if"
	SubjectSettings Subject = "Settings"
)

// PageSubject is a section of the page of one vacuum.
func PageSubject(section string) Subject { return Subject("Page: " + section) }

// Explanation says what one thing on the screen is: a pane, a column, a number, a
// mark. A field is "" where there is nothing to say.
type Explanation struct {
	Name     string // as it stands on the screen
	What     string // what it is, in a line of at most 60 characters
	More     string // what more there is to it, in sentences
	Unit     string
	Source   string // the catalog's column, or what it is made from
	Versions string // how versions differ; "": they do not, from 13 on
	Traps    string // how it misleads
}

// Explained is a subject and what belongs to it.
type Explained struct {
	Subject Subject
	About   Explanation // of the subject as a whole
	Of      []Explanation
}

// Explanations are the texts on everything that the screen shows. The screen
// explains with them, and the help topic numbers prints them.
func Explanations() []Explained {
	all := []Explained{
		explainHeader(), explainMarks(), explainVacuums(), explainEndings(), explainLast(), explainQueue(),
		explainPhases(), explainNames(), explainDelay(), explainProcesses(), explainClasses(), explainLocks(),
	}
	all = append(all, explainPage()...)
	all = append(all, explainWhatIf(), explainSettings())
	for i := range all {
		if all[i].About.Name == "" {
			all[i].About.Name = string(all[i].Subject)
		}
	}
	return all
}

// ExplainSubject are the texts on a subject; empty where there is none.
func ExplainSubject(s Subject) Explained {
	for _, e := range Explanations() {
		if e.Subject == s {
			return e
		}
	}
	return Explained{}
}

// Explain are the texts on some things of a subject; what is not known by its name is
// left out.
func Explain(s Subject, names ...string) []Explanation {
	subject := ExplainSubject(s)
	var out []Explanation
	for _, name := range names {
		for _, e := range subject.Of {
			if e.Name == name {
				out = append(out, e)
			}
		}
	}
	return out
}

// Fields are what there is to an explanation beside its definition, each with what
// it is.
func (e Explanation) Fields() [][2]string {
	var out [][2]string
	for _, f := range [][2]string{{"unit", e.Unit}, {"source", e.Source}, {"versions", e.Versions}, {"mind", e.Traps}} {
		if f[1] != "" {
			out = append(out, f)
		}
	}
	return out
}

// Definition is what it is, and what more there is to it.
func (e Explanation) Definition() string {
	if e.More == "" {
		return e.What
	}
	return e.What + ". " + e.More
}

// Explain is the rule in the form in which the screen explains.
func (r Rule) Explain() Explanation {
	return Explanation{Name: r.Name, What: r.When, More: "What helps: " + r.Helps + ".", Source: r.Source}
}

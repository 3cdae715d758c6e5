package report

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
)

// pageText is the page of a report: one file that loads nothing and runs nothing.
//
//go:embed page/report.html
var pageText string

// page is the template of the page. It escapes what is put into it, wherever that stands.
var page = template.Must(template.New("report").Parse(pageText))

// WriteReportHTML writes a report as one page with its charts, which needs nothing beside
// itself. section chooses one part; "" is all of them.
func WriteReportHTML(w io.Writer, r Report, section string) error {
	return WriteDocumentsHTML(w, r.Documents(), section)
}

// WriteDocumentsHTML is WriteReportHTML for any documents.
func WriteDocumentsHTML(w io.Writer, documents []Document, section string) error {
	some := slices.Clone(documents)
	for i := range some {
		d := &some[i]
		d.makeSafe()
		d.Sections = slices.DeleteFunc(slices.Clone(d.Sections), func(s Section) bool { return section != "" && s.Name != section })
	}
	return page.Execute(w, some)
}

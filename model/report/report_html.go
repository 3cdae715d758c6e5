package report

import (
	_ "embed"
	"html/template"
	"io"
)

// pageText is the page of a report: one file that loads nothing and runs nothing.
//
//go:embed page/report.html
var pageText string

// page is the template of the page. It escapes what is put into it, wherever that stands.
var page = template.Must(template.New("report").Parse(pageText))

// WriteDocumentsHTML writes documents as one page with their charts, which needs nothing
// beside itself. section chooses one part; "" is all of them.
func WriteDocumentsHTML(w io.Writer, documents []Document, section string) error {
	return page.Execute(w, toWrite(documents, section))
}

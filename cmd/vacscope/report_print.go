package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
)

// printable is a report in every format: as documents for people, and as programs read it.
type printable struct {
	documents func() []report.Document
	json      func(io.Writer) error
	csv       func(w io.Writer, section string) error
}

// write writes it in a format. section chooses one part; "" is all of them.
func (p printable) write(w io.Writer, format, section string) error {
	switch format {
	case formatMarkdown:
		return report.WriteDocumentsMarkdown(w, p.documents(), section)
	case formatHTML:
		return report.WriteDocumentsHTML(w, p.documents(), section)
	case formatJSON:
		return p.json(w)
	case formatCSV:
		return p.csv(w, section)
	}
	return report.WriteDocumentsText(w, p.documents(), section)
}

func printReport(r report.Report) printable {
	return printable{
		r.Documents,
		func(w io.Writer) error { return report.WriteReportJSON(w, r) },
		func(w io.Writer, section string) error { return report.WriteReportCSV(w, r, section) },
	}
}

func printComparison(a, b report.Report) (printable, error) {
	all, err := report.Compare(a, b)
	if err != nil {
		return printable{}, err
	}
	documents := func() []report.Document {
		out := make([]report.Document, len(all))
		for i := range all {
			out[i] = all[i].Document()
		}
		return out
	}
	return printable{
		documents,
		func(w io.Writer) error { return report.WriteComparisonJSON(w, all) },
		func(w io.Writer, _ string) error { return report.WriteComparisonCSV(w, all) },
	}, nil
}

// readDurations reads files of durations. A side that a file does not name is called as
// the file.
func readDurations(files []string) (printable, error) {
	var d report.Durations
	for _, path := range files {
		if err := readDurationsFile(&d, path); err != nil {
			return printable{}, err
		}
	}
	return printable{
		func() []report.Document { return []report.Document{d.Document()} },
		func(w io.Writer) error { return report.WriteDurationsJSON(w, d) },
		func(w io.Writer, _ string) error { return report.WriteDurationsCSV(w, d) },
	}, nil
}

func readDurationsFile(d *report.Durations, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read durations: %w", err)
	}
	defer file.Close()
	if err := d.Read(file, model.Text(filepath.Base(path))); err != nil {
		return fmt.Errorf("read durations from %s: %w", model.Text(path).Display(), err)
	}
	return nil
}

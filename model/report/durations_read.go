package report

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// Durations are durations that were measured elsewhere, by side: the first is the one
// that the others are compared with.
type Durations struct {
	Sides []DurationSide
	// Without is how many transactions of pgbench logs have no duration: they failed, or
	// were skipped.
	Without int
}

// DurationSide is one side of a measurement.
type DurationSide struct {
	Name         model.Text
	Milliseconds []float64
}

// Read adds the durations of a file to those that are there. The file is one of
//
//   - CSV with a heading that has a column ms and, where the file has more than one
//     side, a column side or variant;
//   - JSON lines with the same keys;
//   - one number of milliseconds on each line;
//   - a log of pgbench -l, a line for each transaction.
//
// What names no side is of the side called name.
func (d *Durations) Read(r io.Reader, name model.Text) error {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); string(mark) == "\xef\xbb\xbf" { // written by spreadsheets
		_, _ = in.Discard(3)
	}
	blank, err := skipBlank(in)
	if err != nil {
		return err
	}
	lines := io.MultiReader(io.LimitReader(newlines{}, blank), in) // errors name lines of the file
	switch first := firstLine(in); {
	case first == "":
		return errors.New("it has no line")
	case strings.HasPrefix(first, "{"):
		return eachLine(lines, func(line string) error { return d.takeJSON(line, name) })
	case isNumber(strings.Fields(first)[0]):
		return eachLine(lines, func(line string) error { return d.takeNumbers(strings.Fields(line), name) })
	}
	return d.readCSV(lines, name)
}

// skipBlank reads up to the first character that is not blank, and counts the lines that
// end before it.
func skipBlank(in *bufio.Reader) (lines int64, err error) {
	for {
		c, _, err := in.ReadRune()
		switch {
		case errors.Is(err, io.EOF):
			return lines, nil
		case err != nil:
			return 0, err
		case !unicode.IsSpace(c):
			return lines, in.UnreadRune()
		case c == '\n':
			lines++
		}
	}
}

// newlines are lines without an end.
type newlines struct{}

func (newlines) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

// firstLine is the line that comes next, as far as it can be looked at without reading
// it; "" when there is none.
func firstLine(in *bufio.Reader) string {
	ahead, _ := in.Peek(in.Size())
	first, _, _ := bytes.Cut(ahead, []byte("\n"))
	return string(bytes.TrimSpace(first))
}

// eachLine gives each line that is not blank to take.
func eachLine(in io.Reader, take func(string) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		if err := take(line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return lines.Err()
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// add adds one duration, which is written as text.
func (d *Durations) add(side model.Text, text string) error {
	ms, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(ms) || math.IsInf(ms, 0) || ms < 0 {
		return fmt.Errorf(`"%s" is no number of milliseconds`, model.Text(text).Display())
	}
	i := slices.IndexFunc(d.Sides, func(s DurationSide) bool { return s.Name == side })
	if i < 0 {
		i, d.Sides = len(d.Sides), append(d.Sides, DurationSide{Name: side})
	}
	d.Sides[i].Milliseconds = append(d.Sides[i].Milliseconds, ms)
	return nil
}

// The columns of a file of durations.
var sideColumns, durationColumns = []string{"side", "variant"}, []string{"ms", "duration_ms", "milliseconds"}

func (d *Durations) takeJSON(line string, name model.Text) error {
	var row map[string]any
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	if err := decoder.Decode(&row); err != nil {
		return fmt.Errorf("it is no JSON object: %w", err)
	}
	value := func(names []string) (any, bool) {
		for _, n := range names {
			if v, has := row[n]; has && v != nil {
				return v, true
			}
		}
		return nil, false
	}
	ms, has := value(durationColumns)
	if !has {
		return errors.New("it has no ms")
	}
	side := name
	if v, has := value(sideColumns); has {
		side = model.Text(fmt.Sprint(v))
	}
	return d.add(side, fmt.Sprint(ms))
}

// takeNumbers takes a line of one number, or one of pgbench's log.
func (d *Durations) takeNumbers(fields []string, name model.Text) error {
	switch {
	case len(fields) == 1:
		return d.add(name, fields[0])
	case len(fields) < 6:
		return errors.New("it is neither a number of milliseconds nor a line of a log of pgbench -l")
	}
	t, err := experiment.ReadTransaction(fields)
	if err != nil {
		return err
	}
	took, has := t.Took.Get()
	if !has {
		d.Without++
		return nil
	}
	return d.add(name, strconv.FormatFloat(model.InMilliseconds(took), 'f', -1, 64))
}

func (d *Durations) readCSV(in io.Reader, name model.Text) error {
	rows := csv.NewReader(in)
	rows.TrimLeadingSpace = true
	heading, err := rows.Read()
	if err != nil {
		return err
	}
	column := func(names []string) int {
		return slices.IndexFunc(heading, func(h string) bool {
			return slices.Contains(names, strings.ToLower(strings.TrimSpace(h)))
		})
	}
	ms, side := column(durationColumns), column(sideColumns)
	if ms < 0 {
		return errors.New("its first line has no column ms")
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		of := name
		if side >= 0 {
			of = model.Text(row[side])
		}
		if err := d.add(of, row[ms]); err != nil {
			line, _ := rows.FieldPos(ms)
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

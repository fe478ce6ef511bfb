package document

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

// columnNames are the names of columns that programs for references export, in small letters.
var columnNames = map[string]field{
	"title": titleField, "article title": titleField, "document title": titleField, "ti": titleField,
	"authors": authorField, "author": authorField, "au": authorField, "author full names": authorField,
	"year": yearField, "publication year": yearField, "py": yearField, "doi": doiField, "di": doiField, "url": urlField, "link": urlField,
}

// Limits of a table: a row of empty cells takes many times its size of memory.
const (
	maxColumns = 500
	maxRow     = 1 << 20 // bytes of a line
)

// table reads rows of cells.
type table struct {
	in   *csv.Reader
	rest string // of a table with tabs, which has no quotes
	line int    // of the row that was read
}

func newTable(s string, comma rune) *table {
	if comma == '\t' {
		return &table{rest: s}
	}
	in := csv.NewReader(strings.NewReader(s))
	in.Comma, in.LazyQuotes, in.FieldsPerRecord = comma, true, -1
	return &table{in: in}
}

// next returns the next row. The error is io.EOF at the end.
func (t *table) next() ([]string, error) {
	if t.in != nil {
		row, err := t.in.Read()
		if err == nil {
			t.line, _ = t.in.FieldPos(0)
		}
		return row, err
	}
	if t.rest == "" {
		return nil, io.EOF
	}
	t.line++
	row := ""
	row, t.rest, _ = strings.Cut(t.rest, "\n")
	return strings.SplitN(row, "\t", maxColumns), nil
}

// tableOf returns what parts the cells of a table and what its columns are. ok is false unless a column has titles and
// another one has something else of works.
func tableOf(s string) (comma rune, fields []field, ok bool) {
	head, _, _ := strings.Cut(s, "\n")
	for _, comma := range []rune{'\t', ',', ';'} {
		names, err := newTable(head, comma).next()
		if err != nil || len(names) == maxColumns {
			continue
		}
		has := map[field]bool{}
		fields = nil
		for _, name := range names {
			f := columnNames[strings.ToLower(strings.Trim(name, ` "`))]
			fields = append(fields, f)
			has[f] = true
		}
		if delete(has, noField); has[titleField] && len(has) > 1 {
			return comma, fields, true
		}
	}
	return 0, nil, false
}

// readTable reads a table whose first line names its columns, as Web of Science, Scopus and Zotero export it.
func readTable(d *Document, s string) {
	s = strings.TrimLeft(s, " \t\n")
	n := 0
	for line := range strings.Lines(s) {
		if len(line) > maxRow {
			d.warn(1+strings.Count(s[:n], "\n"), "this table has a line of more than 1 MiB and was not read further", "export it again")
			s = s[:n]
			break
		}
		n += len(line)
	}
	comma, fields, ok := tableOf(s)
	in := newTable(s, comma)
	for first := true; ok && !d.full(); first = false {
		row, err := in.next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			d.warn(in.line, "this table is broken after this line and was not read further", "export it again")
			return
		}
		if first || strings.TrimSpace(strings.Join(row, "")) == "" {
			continue
		}
		t := tagged{d: d, open: true, begun: in.line}
		for i, value := range row[:min(len(row), len(fields))] {
			if fields[i] == authorField {
				for name := range strings.SplitSeq(value, ";") {
					t.author(name)
				}
				continue
			}
			t.put(fields[i], strings.TrimSpace(value))
		}
		t.close(true)
	}
}

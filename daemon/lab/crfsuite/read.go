package crfsuite

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// item is a line of the file.
type item struct {
	Label string
	Page  []string // names of features, sorted, each once
	Link  []string // the same, without "link:"
}

// sequence is the lines between two empty ones.
type sequence struct {
	Items  []item // at least one
	Weight float64
}

// longestLine is in bytes.
const longestLine = 16 << 20

// read reads a file. Its errors name the line.
func read(from io.Reader) ([]sequence, error) {
	var set []sequence
	now := sequence{Weight: 1}
	end := func() {
		if len(now.Items) > 0 {
			set = append(set, now)
		}
		now = sequence{Weight: 1}
	}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, longestLine)
	n := 0
	for lines.Scan() {
		n++
		text := strings.TrimRight(lines.Text(), "\r")
		if text == "" {
			end()
			continue
		}
		if err := now.add(text); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d MiB", n+1, longestLine>>20)
	} else if err != nil {
		return nil, err
	}
	end()
	return set, nil
}

// add reads a line that is not empty.
func (s *sequence) add(line string) error {
	if !utf8.ValidString(line) {
		return errors.New("not UTF-8; convert the file first")
	}
	if strings.Contains(line, "\r") {
		return errors.New("a carriage return within the line; end lines with a newline")
	}
	fields := strings.Split(line, "\t")
	if at := slices.IndexFunc(fields, func(f string) bool { return strings.HasPrefix(f, "#") }); at >= 0 {
		if fields = fields[:at]; at == 0 {
			return nil
		}
	}
	label, value, hasValue, err := parse(fields[0])
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(fields[0], "@"):
		return s.declare(label, value)
	case label == "":
		return errors.New("no label before the first tab")
	case hasValue:
		return fmt.Errorf(`label %q has a value; write \: for a colon in a name`, label)
	}
	it := item{Label: label}
	for _, field := range fields[1:] {
		if field == "" {
			continue
		}
		if err := it.add(field); err != nil {
			return err
		}
	}
	s.Items = append(s.Items, it)
	return it.sort()
}

// declare reads a line that says something of the sequence.
func (s *sequence) declare(name, value string) error {
	if name != "@weight" {
		return fmt.Errorf("unknown declaration %q; only @weight is known, and labels must not begin with @", name)
	}
	w, err := strconv.ParseFloat(value, 64)
	if err != nil || !(w > 0) || math.IsInf(w, 0) {
		return fmt.Errorf("weight %q is not a number above 0", value)
	}
	s.Weight = w
	return nil
}

// add reads a feature.
func (it *item) add(field string) error {
	to := &it.Page
	for _, prefix := range []string{"link:", `link\:`} {
		if rest, ok := strings.CutPrefix(field, prefix); ok {
			field, to = rest, &it.Link
			break
		}
	}
	name, value, hasValue, err := parse(field)
	if err != nil {
		return err
	}
	if name == "" {
		return errors.New("a feature without a name")
	}
	if w, err := strconv.ParseFloat(value, 64); hasValue && value != "" && (err != nil || w != 1) {
		return fmt.Errorf(`feature %q has the value %q, but only the value 1 can be read; write \: for a colon in a name`, name, value)
	}
	*to = append(*to, name)
	return nil
}

// sort puts the features in order, and refuses those that are there twice: CRFsuite gives them the value 2.
func (it *item) sort() error {
	for _, names := range [][]string{it.Page, it.Link} {
		slices.Sort(names)
		for i := 1; i < len(names); i++ {
			if names[i] == names[i-1] {
				return fmt.Errorf("feature %q is there twice, but a feature can only be on or off", names[i])
			}
		}
	}
	return nil
}

// parse cuts a field at its colon, and resolves \: and \\.
func parse(field string) (name, value string, hasValue bool, err error) {
	var b strings.Builder
	for i := 0; i < len(field); i++ {
		switch c := field[i]; {
		case c == '\\' && i+1 < len(field) && (field[i+1] == ':' || field[i+1] == '\\'):
			i++
			b.WriteByte(field[i])
		case c == ':' && hasValue:
			return "", "", false, fmt.Errorf(`two colons in %q; write \: for a colon in a name`, field)
		case c == ':':
			name, hasValue = b.String(), true
			b.Reset()
		default:
			b.WriteByte(c)
		}
	}
	if hasValue {
		return name, b.String(), true, nil
	}
	return b.String(), "", false, nil
}

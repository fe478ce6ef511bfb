package ontology

import (
	"fmt"
	"regexp"
	"strings"

	"nightjar/model/ontology"
)

// sense is the name of a WordNet sense.
var sense = regexp.MustCompile(`^[^\s,\[\]|\\]+\.[nvasr]\.[0-9]{1,4}$`)

// level is a term that the lines below may stand below.
type level struct {
	indent string
	key    string
}

// textReader reads indented text.
type textReader struct {
	items []ontology.Item
	warn  warnings
	above []level
	lines map[string]int // key -> its line

	copies map[string]int // label -> terms that have it besides the first
}

// readText reads indented text. The key of a term is its label, with a number behind it if an earlier term has that label.
func readText(s string) ([]ontology.Item, []string, error) {
	r := &textReader{lines: make(map[string]int), copies: make(map[string]int)}
	number := 0
	for line := range strings.Lines(s) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		if rest := strings.TrimLeft(line, " \t"); rest == "" || rest[0] == '#' {
			continue
		}
		if err := r.line(number, line); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", number, err)
		}
		if len(r.items) > ontology.MaxTerms {
			break // Build refuses them all: the rest of a large file would only take memory
		}
	}
	return r.items, r.warn, nil
}

// line reads a line with a term.
func (r *textReader) line(number int, line string) error {
	rest := strings.TrimLeft(line, " \t")
	indent := line[:len(line)-len(rest)]
	if err := r.descend(indent); err != nil {
		return err
	}
	labels, senses, err := parseTerm(rest)
	if err != nil {
		return err
	}
	item := ontology.Item{Senses: senses}
	for _, l := range labels {
		clean, cut := cleanLabel(l)
		if cut {
			r.warn.add(number, "the label %s is longer than %d characters and was cut", quoted(l), maxLabel)
		}
		item.Labels = append(item.Labels, clean)
	}
	if item.Labels[0] == "" {
		return fmt.Errorf("there is no term before the first | or [; write the term's name first")
	}
	item.Key = r.key(number, item.Labels[0])
	if len(r.above) > 0 {
		item.Parents = []string{r.above[len(r.above)-1].key}
	}
	r.items = append(r.items, item)
	r.above = append(r.above, level{indent, item.Key})
	return nil
}

// descend ends the terms that the line with this indentation does not stand below.
func (r *textReader) descend(indent string) error {
	old := len(r.above)
	for len(r.above) > 0 && len(r.above[len(r.above)-1].indent) >= len(indent) {
		r.above = r.above[:len(r.above)-1]
	}
	switch {
	case len(r.above) < old && r.above[:old][len(r.above)].indent != indent:
		return fmt.Errorf("the line is indented by %s, and no term before it is; give terms on one level the same spaces or tabs", counted(indent))
	case len(r.above) > 0 && !strings.HasPrefix(indent, r.above[len(r.above)-1].indent):
		return fmt.Errorf("the line is indented by %s, and the term above it by %s; use only spaces or only tabs",
			counted(indent), counted(r.above[len(r.above)-1].indent))
	case len(r.above) >= maxDepth:
		return fmt.Errorf("the term is more than %d levels deep; indent fewer lines", maxDepth)
	}
	return nil
}

// counted says what an indentation consists of.
func counted(indent string) string {
	return fmt.Sprintf("%d spaces and %d tabs", strings.Count(indent, " "), strings.Count(indent, "\t"))
}

// key is the key of a term on a line.
func (r *textReader) key(number int, label string) string {
	key := label
	if before, taken := r.lines[label]; taken {
		r.warn.add(number, "%s is also on line %d; these are two terms, so rename one if they differ, or remove one", quoted(label), before)
	}
	for r.lines[key] > 0 {
		r.copies[label]++
		key = fmt.Sprintf("%s (%d)", label, r.copies[label]+1)
	}
	r.lines[key] = number
	return key
}

// parseTerm reads "term | synonym [sense, sense]". There is at least one label.
func parseTerm(s string) (labels, senses []string, err error) {
	var label strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i++; i == len(s) {
				return nil, nil, fmt.Errorf("the line ends with \\; remove it, or write \\\\ for a \\")
			}
			label.WriteByte(s[i])
		case '|':
			labels = append(labels, label.String())
			label.Reset()
		case '[':
			labels = append(labels, label.String())
			senses, err = parseSenses(s[i:])
			return labels, senses, err
		default:
			label.WriteByte(c)
		}
	}
	return append(labels, label.String()), nil, nil
}

// parseSenses reads "[sense, sense]".
func parseSenses(s string) (senses []string, err error) {
	inside, after, closed := strings.Cut(s[1:], "]")
	switch {
	case !closed:
		return nil, fmt.Errorf("there is no ] after %s; add it, or write \\[ for a [ in a name", quoted(s))
	case after != "":
		return nil, fmt.Errorf("%s follows the senses; move it in front of them, or write \\[ for a [ in a name", quoted(after))
	}
	for name := range strings.FieldsFuncSeq(inside, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		if !sense.MatchString(name) {
			return nil, fmt.Errorf("%s is not a WordNet sense; write one like wind.n.07, or \\[ for a [ in a name", quoted(name))
		}
		senses = append(senses, name)
	}
	return senses, nil
}

package ontology

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// foreignKinds are kinds of files that are not read, by how their first line with content begins.
var foreignKinds = []struct {
	begins *regexp.Regexp
	says   string
}{
	{regexp.MustCompile(`^(?:Prefix|Ontology|Import|Declaration)\s*\(`), "OWL in functional syntax; open it in Protégé and save it as Turtle or RDF/XML"},
	{regexp.MustCompile(`^(?:Prefix|Namespace|Ontology|Import|Class|ObjectProperty|DataProperty|AnnotationProperty|Individual|Datatype):\s`),
		"OWL in Manchester syntax; open it in Protégé and save it as Turtle or RDF/XML"},
	{regexp.MustCompile(`^(?:format-version:|data-version:|\[(?:Term|Typedef|Instance)\]\s*$)`),
		"an OBO file; convert it with ROBOT (robot convert --input FILE.obo --output FILE.owl), or open it in Protégé, and save it as RDF/XML or Turtle"},
	{regexp.MustCompile(`^(?:\{|\[\s*(?:\{|$)|//|/\*)`),
		"JSON; convert JSON-LD to Turtle (riot --output=turtle FILE.jsonld of Apache Jena, or rdfpipe -o turtle FILE.jsonld of RDFLib), or write one term a line, and indent those below it"},
	{regexp.MustCompile(`^(?:\[\s*(?:"|\[|\d)|"[^"]*"\s*:)`), "JSON of another kind; write one term a line, and indent those below it, or export the terms as SKOS"},
	{regexp.MustCompile(`^(?:%YAML|---\s*$)`), "YAML; write one term a line, without colons and dashes, and indent those below it"},
	{regexp.MustCompile(`^!(?:OBO|gaf-version)`), "an annotation file; import the ontology itself as RDF/XML or Turtle"},
}

// foreign says what a text is that would be read as indented text although it is something else, nil for any other.
func foreign(s string) error {
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		for _, k := range foreignKinds {
			if k.begins.MatchString(line) {
				return fmt.Errorf("this is %s", k.says)
			}
		}
		break
	}
	if isTable(s) {
		return errors.New("this is a table (CSV); write one term a line, and indent those below it, or export the terms as SKOS in Turtle")
	}
	return nil
}

// tableLines is how many lines of a file show whether it is a table.
const tableLines = 50

// columns are names of columns in tables of terms.
var columns = regexp.MustCompile(`(?i)^"?(?:terms?|concepts?|class|labels?|name|title|id|identifier|uri|iri|code|key|notation|parents?|parent.?id|broader|narrower|level|` +
	`definition|description|synonyms?|alt.?labels?|pref.?labels?|language)"?$`)

// isTable reports whether the lines of a text are rows of cells: the same number in each, without indentation, and there are names
// of columns, cells in quotes, tabs, or three cells or more.
func isTable(s string) bool {
	var rows []string
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) == "" {
			continue
		}
		if line[0] == ' ' || line[0] == '#' {
			return false
		}
		if rows = append(rows, line); len(rows) == tableLines {
			break
		}
	}
	if len(rows) < 2 {
		return false
	}
	for _, separator := range []string{"\t", ";", ","} {
		cells := strings.Count(outsideQuotes(rows[0]), separator)
		same, quotes := strings.Contains(strings.TrimRight(rows[0], " \t"), separator), 0 // a tab at the end separates nothing
		for _, row := range rows {
			same = same && strings.Count(outsideQuotes(row), separator) == cells
			if strings.HasPrefix(row, `"`) || strings.Contains(row, separator+`"`) {
				quotes++
			}
		}
		named := 0
		for _, cell := range strings.Split(rows[0], separator) {
			if columns.MatchString(strings.TrimSpace(cell)) {
				named++
			}
		}
		if same && rows[0][0] != '\t' && (named > 0 || quotes*2 > len(rows) || separator == "\t" || cells > 1 && len(rows) > 2) {
			return true
		}
	}
	return false
}

// outsideQuotes is a row of a table without what stands in quotes.
func outsideQuotes(row string) string {
	var b strings.Builder
	for i, part := range strings.Split(row, `"`) {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

// The marks before the lines of lists.
var (
	bullet  = regexp.MustCompile(`^([ \t]*)(?:[-*+•–][ \t]+)(?:\[[ xX]\][ \t]+)?(\S.*)$`)
	ordinal = regexp.MustCompile(`^([ \t]*)(\d{1,6}(?:\.\d{1,6})*)([.)]?)[ \t]+(\S.*)$`)
)

// withoutMarks makes indented text of a list with bullets or numbers, which is the same with a mark before each term, and says what
// it was. Lines stay where they are. Numbers like 1.2.1 say the level. Any other text stays as it is.
func withoutMarks(s string) (plain string, kind Kind) {
	if plain, ok := unmark(s, func(line string) (string, bool) {
		m := bullet.FindStringSubmatch(line)
		if m == nil {
			return "", false
		}
		return m[1] + m[2], true
	}); ok {
		return plain, Bullets
	}
	deep := false
	for line := range strings.Lines(s) {
		m := ordinal.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		deep = deep || m != nil && strings.Contains(m[2], ".")
	}
	if plain, ok := unmark(s, func(line string) (string, bool) {
		m := ordinal.FindStringSubmatch(line)
		if m == nil || m[3] == "" && !deep {
			return "", false
		}
		if deep {
			return strings.Repeat("\t", strings.Count(m[2], ".")) + m[4], true
		}
		return m[1] + m[4], true
	}); ok {
		return plain, Numbered
	}
	return s, Text
}

// unmark replaces each line with a term. ok is false if there is one that cannot be replaced, or none.
func unmark(s string, replace func(line string) (string, bool)) (plain string, ok bool) {
	var b strings.Builder
	found := false
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\r\n")
		if rest := strings.TrimLeft(line, " \t"); rest != "" && rest[0] != '#' {
			if line, ok = replace(line); !ok {
				return "", false
			}
			found = true
		}
		b.WriteString(line + "\n")
	}
	return b.String(), found
}

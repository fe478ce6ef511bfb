package document

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// readText reads every kind that is lines of text.
func readText(d *Document, s string) error {
	switch d.Kind {
	case BibTeX:
		readBibTeX(d, s)
	case RIS, NBIB, WoS, RefWorks:
		readTagged(d, s, formats[d.Kind])
	case EndNote:
		if looksXML.MatchString(s) {
			return readEndNoteXML(d, s)
		}
		readTagged(d, s, formats[d.Kind])
	case CSLJSON:
		return readCSL(d, s)
	case Table:
		readTable(d, s)
	case Titles:
		readTitles(d, s)
	default:
		readPlain(d, s)
	}
	return nil
}

// readTitles takes each line as a title, without a number or a bullet before it.
func readTitles(d *Document, s string) {
	line := 0
	for text := range strings.Lines(s) {
		line++
		title := trimTitle(unquote(label.ReplaceAllString(markdown(strings.TrimSpace(text)), "")))
		switch n := countWords(title); {
		case n == 0:
		case n > maxWords: // rather a whole reference
			d.warn(line, "this line has more than 30 words and was left out", "shorten it to the title")
		default:
			d.add(Reference{Title: title, DOI: findDOI(text), URL: trimAddress(address.FindString(text))}, line)
		}
	}
}

func unquote(s string) string {
	for _, q := range []string{`"`, "“", "„", "«"} {
		if strings.HasPrefix(s, q) {
			return strings.TrimRight(s[len(q):], "\"”“».,")
		}
	}
	return s
}

var (
	markHeading = regexp.MustCompile(`^(#{1,6})\s+(.*?)\s*#*$`)
	underline   = regexp.MustCompile(`^(?:=+|-+)\s*$`)
	markLink    = regexp.MustCompile(`!?\[([^\]]*)\]\(([^()\s]*)(?:\s+"[^"]*")?\)`)
	emphasis    = regexp.MustCompile(`(\*\*|__|\*|\b_|_\b)`)
)

// markdown takes the marks of Markdown out of a line. An address stays behind its words; the words of a link that an item
// begins with are its title.
func markdown(s string) string {
	if start := label.FindString(s); start != "" && strings.HasPrefix(s[len(start):], "[") && start != s {
		if at := markLink.FindStringIndex(s); at != nil && at[0] == len(start) {
			s = start + markLink.ReplaceAllString(s[at[0]:at[1]], "“$1” $2") + s[at[1]:]
		}
	}
	s = markLink.ReplaceAllString(s, "$1 $2")
	if strings.ContainsAny(s, "*_") && !strings.Contains(s, "://") {
		bullet := ""
		if strings.HasPrefix(s, "* ") {
			bullet, s = "- ", s[2:]
		}
		s = bullet + emphasis.ReplaceAllString(s, "")
	}
	return s
}

// readPlain reads text and Markdown: the first heading or line is the title, the references are below their heading.
func readPlain(d *Document, s string) {
	rows := plainRows(s, d.Kind == Markdown)
	for _, r := range rows {
		if r.heading || d.Title == "" && d.Kind == Text {
			if !isHeading(r.text) {
				d.Title = trimTitle(r.text)
			}
			break
		}
	}
	if d.Title == "" && len(rows) > 0 && !isHeading(rows[0].text) {
		d.Title = trimTitle(rows[0].text)
	}
	if countWords(d.Title) > maxWords {
		d.Title = ""
	}
	d.entries(section(rows), wordsOf(rows))
	d.Language = language(s[:min(len(s), 200_000)])
}

// Rows of a text that are kept: the title is among the first, the references are at the end.
const (
	firstRows = 1000
	lastRows  = 100_000
)

func plainRows(s string, marks bool) (rows []row) {
	blank := true
	for line := range strings.Lines(s) {
		text := strings.TrimRight(line, " \t\n")
		if strings.TrimSpace(text) == "" {
			blank = true
			continue
		}
		if marks && len(rows) > 0 && !blank && underline.MatchString(text) {
			rows[len(rows)-1].heading = true
			continue
		}
		bare := strings.TrimLeft(text, " \t")
		// A space of indentation is 4 points wide, so that the rules for pages hold for texts.
		r := row{text: bare, x: float64(4 * utf8.RuneCountInString(strings.ReplaceAll(text[:len(text)-len(bare)], "\t", "    "))), blank: blank}
		if m := markHeading.FindStringSubmatch(bare); marks && m != nil {
			r.text, r.heading = m[2], true
		} else if marks {
			r.text = markdown(bare)
		}
		if r.text != "" {
			rows = append(rows, r)
		}
		if len(rows) == firstRows+2*lastRows {
			rows = slices.Delete(rows, firstRows, firstRows+lastRows)
		}
		blank = false
	}
	return rows
}

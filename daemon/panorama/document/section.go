package document

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// row is a line of a document. A text has only its indentation as place.
type row struct {
	text    string
	x, y    float64
	size    float64 // 0 in a text
	page    int
	blank   bool // a blank line before it, in a text
	heading bool // in Markdown
}

var (
	numbering = regexp.MustCompile(`^(?:#+\s*)?(?:(?:\d{1,2}(?:\.\d+)*|[IVX]{1,5}|[A-Z])[.)]?\s+)?`)
	endings   = regexp.MustCompile(`(?i)^(?:[A-Z0-9]{1,2}[.)]?\s+)?(?:affiliations?|appendi(?:x|ces)|supplement(?:s|ary material)?|acknowledge?ments?|about the authors?|index|anhang|author information)\s*(?::|$|[A-Z\d]\b)`)
)

var headings = strings.Fields(`references referencescited bibliography literature literaturecited literatur literaturverzeichnis
	quellen quellenverzeichnis workscited furtherreading referencesandnotes bibliographie références référencesbibliographiques bibliografie
	bibliografía referencias referenciasbibliográficas bibliografia riferimenti riferimentibibliografici referências literatura
	literatuur literaturaporównawcza piśmiennictwo referenser källor referanser litteratur litteraturliste kilder lähteet viitteet
	kaynakça kaynaklar irodalom irodalomjegyzék použitáliteratura zoznampoužitejliteratúry bibliografieselectivă
	литература списоклитературы списокиспользованнойлитературы списокиспользованныхисточников библиография библиографическийсписок
	списоквикористанихджерел література βιβλιογραφία αναφορές 参考文献 參考文獻 主要参考文献 参考资料 引用文献 文献 参考文献一覧 참고문헌 참고자료 المراجع
	المصادر المصادروالمراجع قائمةالمراجع ביבליוגרפיה מקורות רשימתמקורות संदर्भ บรรณานุกรม เอกสารอ้างอิง`)

// isHeading reports whether a line is the heading of a list of references.
func isHeading(s string) bool {
	if utf8.RuneCountInString(s) > 60 {
		return false
	}
	return slices.Contains(headings, onlyLetters(s)) || slices.Contains(headings, onlyLetters(numbering.ReplaceAllString(s, "")))
}

func onlyLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// section returns the rows below the last heading of references, nil if there is none. Smaller rows, of footnotes and
// figures, are left out.
func section(rows []row) []row {
	for i := len(rows) - 1; i >= 0; i-- {
		if !isHeading(rows[i].text) || i+1 == len(rows) {
			continue
		}
		rest := rows[i+1:]
		body := bodySize(rest[:min(len(rest), 60)])
		rest = rest[:sectionEnd(rest, body)]
		return slices.DeleteFunc(slices.Clone(rest), func(r row) bool { return r.size < body-1.5 })
	}
	return nil
}

// bodySize is the size of most letters.
func bodySize(rows []row) (body float64) {
	letters := map[float64]int{}
	for _, r := range rows {
		if letters[r.size] += len(r.text); letters[r.size] > letters[body] {
			body = r.size
		}
	}
	return body
}

// sectionEnd finds the next heading: of an appendix, or larger than the text.
func sectionEnd(rows []row, body float64) int {
	for i, r := range rows {
		if i > 0 && (endings.MatchString(r.text) || r.heading || body > 0 && r.size > body+.8 && countWords(r.text) > 0) {
			return i
		}
	}
	return len(rows)
}

var (
	numbered = regexp.MustCompile(`^\s*(?:[\[［【][^\]］】]{1,24}[\]］】]|[(（]\d{1,3}[)）]|\d{1,3}(?:[.)](?:\s|$)|[、）．])|[-*•+]\s)`)
	surname  = regexp.MustCompile(`^\p{Lu}[\pL'’-]+,? (?:\p{Lu}[\p{Lu}.,-]{0,5}[ ,&]*)+.{0,200}?\(?(?:1[5-9]|20)\d\d`)
)

// caption finds what stands below a picture that floated among the references.
var caption = regexp.MustCompile(`^(?:Figure|Fig\.|Table|Abbildung|Tabelle) \d+[:.]`)

// split groups the rows of a section into entries: by labels, hanging indents, blank lines, or names with a year, whichever
// the section has. known are the words of the document.
func split(rows []row, known wordSet) []string {
	starts := startsOf(rows)
	var all []string
	var now []string
	flush := func() {
		if len(now) > 0 {
			all = append(all, joinLines(now, known))
		}
		now = nil
	}
	for i, r := range rows {
		if starts[i] || caption.MatchString(r.text) {
			flush()
		}
		now = append(now, r.text)
	}
	flush()
	return all
}

func startsOf(rows []row) []bool {
	for _, rule := range []func([]row) []bool{byLabel, byIndent, byBlank, byName} {
		starts := rule(rows)
		n := 0
		for _, s := range starts {
			if s {
				n++
			}
		}
		if n >= 2 || n == 1 && len(rows) <= 4 {
			return starts
		}
	}
	all := make([]bool, len(rows))
	for i := range all {
		all[i] = true
	}
	return all
}

func byLabel(rows []row) []bool {
	starts := make([]bool, len(rows))
	n := 0
	for i, r := range rows {
		if numbered.MatchString(r.text) {
			starts[i] = true
			n++
		}
	}
	if n == 0 || !starts[0] && n < 3 || n*12 < len(rows) { // an entry seldom has more than twelve lines
		return nil
	}
	return starts
}

// byBlank starts an entry after each blank line.
func byBlank(rows []row) []bool {
	starts := make([]bool, len(rows))
	for i, r := range rows {
		starts[i] = i == 0 || r.blank
	}
	return starts
}

func byName(rows []row) []bool {
	starts := make([]bool, len(rows))
	for i, r := range rows {
		text := r.text
		if i+1 < len(rows) {
			text += " " + rows[i+1].text
		}
		starts[i] = surname.MatchString(text) || beginsNames(rows, i)
	}
	return starts
}

// beginsNames reports whether a row begins with names that no list of names before it goes on with.
func beginsNames(rows []row, i int) bool {
	if i > 0 && goesOn.MatchString(rows[i-1].text) {
		return false
	}
	p, ok := readNames(rows[i].text)
	return ok && p.sure
}

// goesOn finds a row that names go on behind.
var goesOn = regexp.MustCompile(`(?:[,;&]|\b(?:and|und|et|y))$`)

// run is a stretch of rows of one column of one page, [from, to), with its left margin and where its other lines begin.
type run struct {
	from, to         int
	margin, indented float64
}

// byIndent starts an entry where a line begins at the left margin while most others are indented. Margins differ between
// columns and between left and right pages.
func byIndent(rows []row) []bool {
	runs := columns(rows)
	margins := map[int]float64{} // of columns with hanging lines, by where these begin
	for _, r := range runs {
		if r.indented > 0 {
			margins[int(r.indented+.5)] = r.margin
		}
	}
	starts := make([]bool, len(rows))
	n, hanging := 0, false
	for _, r := range runs {
		margin := r.margin
		if r.indented == 0 {
			if m, ok := margins[int(r.margin+.5)]; ok {
				margin = m // a column of continued lines only
			}
		} else {
			hanging = true
		}
		for i := r.from; i < r.to; i++ {
			if near(rows[i].x, margin) {
				starts[i] = true
				n++
			}
		}
	}
	if !hanging || n*10 < len(rows) {
		return nil
	}
	return starts
}

func near(a, b float64) bool { return a-b < 2 && b-a < 2 }

func columns(rows []row) (runs []run) {
	from := 0
	for i := 1; i <= len(rows); i++ {
		if i < len(rows) && rows[i].page == rows[from].page && rows[i].y <= rows[i-1].y+40 {
			continue
		}
		runs = append(runs, measure(rows, from, i))
		from = i
	}
	return runs
}

func measure(rows []row, from, to int) run {
	r := run{from: from, to: to, margin: rows[from].x}
	for _, one := range rows[from:to] {
		r.margin = min(r.margin, one.x)
	}
	counts := map[float64]int{}
	for _, one := range rows[from:to] {
		if d := one.x - r.margin; d >= 2 && d < 60 {
			if counts[one.x]++; counts[one.x] > counts[r.indented] {
				r.indented = one.x
			}
		}
	}
	return r
}

// brokenDOI finds a DOI that goes on in the next line.
var brokenDOI = regexp.MustCompile(`(?i)^(?:doi:)?10\.\d{4,9}(?:/\S*)?[./]$`)

// joinLines joins the lines of an entry. A word that was hyphenated at a line's end is joined, unless the words known say that it has
// a hyphen; an address that was broken is joined, too.
func joinLines(lines []string, known wordSet) string {
	var b strings.Builder
	for _, line := range lines {
		if b.Len() > 2*maxEntry {
			break
		}
		line = strings.TrimSpace(line)
		before := b.String()
		first, _ := utf8.DecodeRuneInString(line)
		last := before[strings.LastIndexByte(before, ' ')+1:]
		switch {
		case before == "":
		case strings.HasSuffix(before, softHyphen):
			b.Reset()
			b.WriteString(strings.TrimSuffix(before, softHyphen))
		case strings.Contains(last, "://") && strings.ContainsAny(last[len(last)-1:], "/-_.=:?&") || strings.HasSuffix(last, "http:"),
			brokenDOI.MatchString(last):
		case strings.HasSuffix(before, "-") && hyphenated(before):
			if unicode.IsLower(first) && !known.hyphen(last, line) {
				b.Reset()
				b.WriteString(before[:len(before)-1])
			}
		case unparted(first) && endsUnparted(before):
		default:
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// wordSet has the words of a document in small letters, also those with hyphens inside, but no parts of words from the ends of lines.
type wordSet map[string]bool

func wordsOf(rows []row) wordSet {
	known, parted := wordSet{}, false
	for _, r := range rows {
		all := strings.FieldsFunc(strings.ToLower(r.text), func(c rune) bool { return c != '-' && !unicode.IsLetter(c) })
		if parted && len(all) > 0 {
			all = all[1:]
		}
		if parted = strings.HasSuffix(r.text, "-"); parted && len(all) > 0 {
			all = all[:len(all)-1]
		}
		for _, w := range all {
			known[w] = true
		}
	}
	return known
}

// shortPart is the number of bytes of a syllable that may be a word by chance.
const shortPart = 3

// compounds end words with hyphens: "force-directed". They are no syllables.
const compounds = " based directed driven oriented aware free related specific dependent independent valued weighted dimensional "

// hyphen reports whether a word that is parted after a hyphen has it in the middle of a line, too: the document has it so, or has both
// parts as words, or the second part usually stands behind a hyphen. A word that the document has without a hyphen has none.
func (known wordSet) hyphen(before, after string) bool {
	letters := func(c rune) bool { return !unicode.IsLetter(c) }
	before = strings.ToLower(strings.TrimSuffix(before, "-"))
	before = before[strings.LastIndexFunc(before, letters)+1:]
	after = strings.ToLower(after)
	if end := strings.IndexFunc(after, letters); end >= 0 {
		after = after[:end]
	}
	if known[before+after] || known[before+"-"+after] || len(before) <= shortPart || len(after) <= shortPart {
		return !known[before+after] && known[before+"-"+after]
	}
	return known[before] && known[after] || strings.Contains(compounds, " "+after+" ")
}

// endsUnparted reports whether a line ends in a script without spaces between words.
func endsUnparted(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unparted(r)
}

// softHyphen stands where a word may be parted.
const softHyphen = "\u00ad"

// hyphenated reports whether the hyphen at the end of s follows a letter.
func hyphenated(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:len(s)-1])
	return unicode.IsLetter(r)
}

// entries reads the references of a section of a document with some words.
func (d *Document) entries(rows []row, known wordSet) {
	for _, s := range split(rows, known) {
		if caption.MatchString(s) {
			continue
		}
		if len(d.References) == MaxReferences {
			return
		}
		if r, ok := parseEntry(s); ok {
			d.add(r, 0)
		}
	}
}

package document

import (
	"context"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"nightjar/crawler/texts"
	"nightjar/daemon/panorama/document/pdftext"
)

var pdfProblems = map[error]*Problem{
	pdftext.ErrEncrypted: ErrEncrypted, pdftext.ErrNoText: ErrScanned, pdftext.ErrBroken: ErrBroken,
	pdftext.ErrSlow: ErrSlow, pdftext.ErrTooMuch: ErrTooMuch, pdftext.ErrStart: ErrReader,
}

func readPDF(ctx context.Context, d *Document, body []byte) error {
	r, err := pdfLines(ctx, body)
	if err == nil {
		d.readLines(r)
	}
	return err
}

// pdfLines reads the lines of a PDF for at most MaxTime. The errors are those of Read for a PDF and that of a cancelled ctx.
func pdfLines(ctx context.Context, body []byte) (pdftext.Result, error) {
	within, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	r, err := pdftext.Lines(within, body)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	for is, problem := range pdfProblems {
		if errors.Is(err, is) {
			return r, problem
		}
	}
	return r, err
}

// readLines reads the lines of a PDF.
func (d *Document) readLines(r pdftext.Result) {
	const look = "compare the list with the document and add what is missing"
	if r.Partial {
		d.warn(0, "not all pages were read: time or memory ran out", look)
	}
	if r.Missing > 0 {
		d.warn(0, texts.Count(r.Missing, "page is broken and was", "pages are broken and were")+" left out", look)
	}
	rows := withoutMargins(r.Lines)
	known := wordsOf(rows)
	d.Title, d.Authors = front(rows, known)
	d.entries(section(rows), known)
	var b strings.Builder
	for _, one := range rows[:min(len(rows), 400)] {
		b.WriteString(one.text)
		b.WriteByte(' ')
	}
	d.Language = language(b.String())
}

// withoutMargins leaves out the running heads and page numbers: the first and last lines of a page that stand at the same
// height on another page with the same words, or are a number.
func withoutMargins(lines []pdftext.Line) (rows []row) {
	type mark struct {
		text string
		y    float64
	}
	key := func(l pdftext.Line) mark { return mark{onlyLetters(l.Text), math.Round(l.Y)} }
	top, bottom := map[int]float64{}, map[int]float64{}
	times := map[mark]int{}
	for _, l := range lines {
		if y, ok := top[l.Page]; !ok || l.Y > y {
			top[l.Page] = l.Y
		}
		if y, ok := bottom[l.Page]; !ok || l.Y < y {
			bottom[l.Page] = l.Y
		}
		times[key(l)]++
	}
	for _, l := range lines {
		edge := l.Y > top[l.Page]-3 || l.Y < bottom[l.Page]+3
		if edge && (onlyLetters(l.Text) == "" && len(l.Text) < 12 || times[key(l)] > 1) {
			continue
		}
		rows = append(rows, row{text: l.Text, x: l.X, y: l.Y, size: l.Size, page: l.Page})
	}
	return rows
}

// affiliation finds a line below the names.
var affiliation = regexp.MustCompile(`(?i)universit|institut|department|college|laborator|school|center|centre|faculty|abstract|introduction|@|\d{4}|\b(?:inc|ltd|gmbh|ag)\b|^\d+\.? `)

// banner finds the name of a journal above a title.
var banner = regexp.MustCompile(`^(?:Journal|Annals|Proceedings|Transactions|Communications|Bulletin|Archives) (?:of|on)\b|^JSS\b`)

// front returns the title of a document, the lines in the largest font of its first page, and the names below it.
func front(rows []row, known wordSet) (title string, authors []string) {
	if end := slices.IndexFunc(rows, func(r row) bool { return r.page != 1 }); end >= 0 {
		rows = rows[:end]
	}
	rows = rows[:min(len(rows), 400)]
	from, to := largest(rows)
	if from == to {
		return "", nil
	}
	var lines []string
	for _, r := range rows[from:to] {
		lines = append(lines, r.text)
	}
	title = trimTitle(joinLines(lines, known))
	for i := to; i < len(rows) && rows[i].size > rows[to].size-.3; i++ {
		if affiliation.MatchString(rows[i].text) || len(authors) >= maxNames {
			break
		}
		for _, name := range splitNames(strings.Map(withoutMarks, rows[i].text)) {
			if n := len(strings.Fields(name)); n >= 2 && n <= 5 {
				authors = append(authors, name)
			}
		}
	}
	return title, authors
}

// withoutMarks drops the marks of footnotes at names.
func withoutMarks(r rune) rune {
	if unicode.IsDigit(r) || strings.ContainsRune("∗*†‡§¶", r) {
		return -1
	}
	return r
}

// largest finds the stretch of lines in the largest font that has at least a word of four letters. A capital that begins a
// paragraph is no title.
func largest(rows []row) (from, to int) {
	size := math.Inf(1)
	for {
		next := 0.0
		for _, r := range rows {
			if r.size < size-.3 {
				next = max(next, r.size)
			}
		}
		if next == 0 {
			return 0, 0
		}
		size = next
		for i := range rows {
			if rows[i].size < size-.3 || rows[i].size > size+.3 {
				continue
			}
			j, letters := i, 0
			for j < len(rows) && rows[j].size > size-.3 && rows[j].size < size+.3 && j-i < 8 {
				letters += len(onlyLetters(rows[j].text))
				j++
			}
			if letters >= 4 && !banner.MatchString(rows[i].text) {
				return i, j
			}
		}
	}
}

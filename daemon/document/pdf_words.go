package document

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/daemon/document/pdftext"
)

// Words is what a PDF says: all of its text, without running heads and page numbers.
type Words struct {
	Title      string   // "" if it cannot be told
	Paragraphs []string // in order; texts with white space folded and no control characters
	Partial    bool     // not all pages were read
}

// Sizes of paragraphs.
const (
	lineGap      = 1.8  // heights of a line between two lines of one paragraph, at most
	maxParagraph = 4000 // bytes; a longer one is parted between lines
)

// ReadWords reads the text of a PDF. The errors are ErrKind for what is no PDF, those of Read for a PDF and that of a cancelled
// ctx.
func ReadWords(ctx context.Context, body []byte) (Words, error) {
	if len(body) > MaxBytes {
		return Words{}, ErrTooLarge
	}
	if !IsPDF(body) {
		return Words{}, ErrKind
	}
	within, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	r, err := pdftext.Lines(within, body)
	if ctx.Err() != nil {
		return Words{}, ctx.Err()
	}
	for is, problem := range pdfProblems {
		if errors.Is(err, is) {
			return Words{}, problem
		}
	}
	if err != nil {
		return Words{}, err
	}
	rows := withoutMargins(r.Lines)
	first := 0
	for first < len(rows) && rows[first].page == 1 {
		first++
	}
	title, _ := front(rows[:min(first, 400)])
	return Words{Title: Clean(title), Paragraphs: paragraphs(rows), Partial: r.Partial || r.Missing > 0}, nil
}

// pdfHead finds the beginning of a PDF.
var pdfHead = regexp.MustCompile(`%PDF-[12]\.\d`)

// IsPDF reports whether bytes are those of a PDF. There may be something else before it, as browsers allow.
func IsPDF(body []byte) bool {
	head := body[:min(len(body), 1024)]
	return bytes.HasPrefix(bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n"), []byte("%PDF-")) || pdfHead.Match(head) && bytes.Contains(body, []byte(" obj"))
}

// paragraphs joins lines that stand close below each other in one size.
func paragraphs(rows []row) (all []string) {
	var b strings.Builder
	end := func() {
		if text := strings.Join(strings.FieldsFunc(b.String(), blank), " "); text != "" {
			all = append(all, text)
		}
		b.Reset()
	}
	for i, r := range rows {
		if i > 0 {
			last := rows[i-1]
			down := last.y - r.y
			apart := r.page != last.page || down < -1 || down > lineGap*max(r.size, last.size)
			if other := r.size - last.size; apart || other > .6 || other < -.6 || b.Len() > maxParagraph {
				end()
			}
		}
		appendLine(&b, r.text)
	}
	end()
	return all
}

// appendLine appends a line of a paragraph. A word that was hyphenated at the end of the line before is joined.
func appendLine(b *strings.Builder, line string) {
	line = strings.TrimSpace(line)
	before := b.String()
	first, _ := utf8.DecodeRuneInString(line)
	switch soft, parted := strings.HasSuffix(before, softHyphen), strings.HasSuffix(before, "-") && hyphenated(before); {
	case soft:
		b.Reset()
		b.WriteString(strings.TrimSuffix(before, softHyphen))
	case parted && unicode.IsLower(first):
		b.Reset()
		b.WriteString(before[:len(before)-1])
	case before != "" && !parted:
		b.WriteByte(' ')
	}
	b.WriteString(line)
}

// blank reports whether a rune parts words or cannot be shown.
func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError
}

package document

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
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
	r, err := pdfLines(ctx, body)
	if err != nil {
		return Words{}, err
	}
	rows := withoutMargins(r.Lines)
	known := wordsOf(rows)
	title, _ := front(rows, known)
	return Words{Title: Clean(title), Paragraphs: paragraphs(rows, known), Partial: r.Partial || r.Missing > 0}, nil
}

// pdfHead finds the beginning of a PDF.
var pdfHead = regexp.MustCompile(`%PDF-[12]\.\d`)

// IsPDF reports whether bytes are those of a PDF. There may be something else before it, as browsers allow.
func IsPDF(body []byte) bool {
	head := body[:min(len(body), 1024)]
	return bytes.HasPrefix(bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n"), []byte("%PDF-")) || pdfHead.Match(head) && bytes.Contains(body, []byte(" obj"))
}

// paragraphs joins lines that stand close below each other in one size.
func paragraphs(rows []row, known wordSet) (all []string) {
	var lines []string
	bytes := 0
	end := func() {
		if text := strings.Join(strings.FieldsFunc(joinLines(lines, known), blank), " "); text != "" {
			all = append(all, text)
		}
		lines, bytes = nil, 0
	}
	for i, r := range rows {
		if i > 0 {
			last := rows[i-1]
			down := last.y - r.y
			apart := r.page != last.page || down < -1 || down > lineGap*max(r.size, last.size)
			if other := r.size - last.size; apart || other > .6 || other < -.6 || bytes > maxParagraph {
				end()
			}
		}
		lines = append(lines, r.text)
		bytes += len(r.text) + 1
	}
	end()
	return all
}

// blank reports whether a rune parts words or cannot be shown.
func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError
}

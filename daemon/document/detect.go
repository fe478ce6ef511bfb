package document

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/charset"
)

var (
	looksBib  = regexp.MustCompile(`(?m)^\s*@\s*[A-Za-z]+\s*[{(]\s*[^@{}()\s]`)
	looksRIS  = regexp.MustCompile(`(?m)^TY  ?- ?[A-Z]`)
	looksHTML = regexp.MustCompile(`(?i)<(?:!doctype\s+html|html|head|body|h1|title|meta)\b`)
	looksMark = regexp.MustCompile(`(?m)^#{1,6} +\S|^\S.*\n(?:=+|-+)\s*$|\]\(https?://`)
)

// detect tells the kind of a document by its content.
func detect(body []byte, o Options) (Kind, error) {
	head := body[:min(len(body), 64<<10)]
	if IsPDF(body) {
		return PDF, nil
	}
	text := decode(head)
	switch {
	case strings.TrimSpace(text) == "":
		return "", ErrEmpty
	case binary(head):
		return "", ErrKind
	case o.TitlePerLine:
		return Titles, nil
	case looksHTML.MatchString(text[:min(len(text), 4096)]):
		return HTML, nil
	case looksRIS.MatchString(text):
		return RIS, nil
	case looksBib.MatchString(text):
		return BibTeX, nil
	case looksMark.MatchString(text):
		return Markdown, nil
	}
	return Text, nil
}

// binary reports whether bytes are no text: zero bytes, unless of UTF-16, or many control characters.
func binary(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return false
	}
	control := 0
	for _, b := range head {
		if b == 0 {
			return true
		}
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' && b != '\f' {
			control++
		}
	}
	return control*20 > len(head)
}

func decode(body []byte) string {
	s := string(charset.UTF8("text/plain", body))
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n").Replace(s)
}

// Clean makes a title of a text: it folds white space, drops what cannot be seen and cuts at MaxTitle bytes.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > MaxTitle {
		s = strings.TrimSpace(strings.ToValidUTF8(strings.Clone(s[:MaxTitle]), ""))
	}
	return s
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

package document

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/charset"
)

// signs are how records of bibliographies begin. What stands first tells the kind: an abstract may hold another.
var signs = []struct {
	kind Kind
	re   *regexp.Regexp
}{
	{RIS, regexp.MustCompile(`(?m)^` + anySpace + `*TY` + anySpace + `*-` + anySpace + `*[A-Z]`)},
	{BibTeX, regexp.MustCompile(`(?m)^\s*@\s*[A-Za-z]+\s*[{(]\s*[^@{}()\s]`)},
	{NBIB, regexp.MustCompile(`(?m)^PMID ?- ?\d`)},
	{EndNote, regexp.MustCompile(`(?m)^%0 +[A-Z]|^%[AT] \S.*\n%[A-Z0-9] \S`)},
	{WoS, regexp.MustCompile(`(?m)^PT [A-Z]\n(?:[A-Z][A-Z0-9] | )`)},
	{RefWorks, regexp.MustCompile(`(?m)^RT [A-Z][a-z].*\n(?:[A-Z][A-Z0-9] )`)},
}

var looksHTML = regexp.MustCompile(`(?i)<(?:!doctype\s+html|html|head|body|h1|title|meta)\b`)

var looksMark = regexp.MustCompile(`(?m)^#{1,6} +\S|^\S.*\n(?:=+|-+)\s*$|\]\(https?://`)

// detect tells the kind of a document by its content.
func detect(body []byte, o Options) (Kind, error) {
	head := body[:min(len(body), 64<<10)]
	if IsPDF(body) {
		return PDF, nil
	}
	text := strings.TrimLeft(decode(head), " \t\n")
	switch {
	case text == "":
		return "", ErrEmpty
	case binary(head):
		return "", binaryProblem(body)
	case o.TitlePerLine:
		return Titles, nil
	}
	if looksXML.MatchString(text) {
		return EndNote, nil
	}
	if problem := xmlProblem(text); problem != nil {
		return "", problem
	}
	if kind := structured(body, text); kind != "" {
		return kind, nil
	}
	if problem := textProblem(text); problem != nil {
		return "", problem
	}
	if looksMark.MatchString(text) {
		return Markdown, nil
	}
	return Text, nil
}

// structured tells the kind of a page or a bibliography by the begin of its text. It is "" for another text.
func structured(body []byte, text string) Kind {
	if text[0] == '[' || text[0] == '{' {
		if json.Valid([]byte(decode(body))) {
			return CSLJSON
		}
	}
	if _, _, ok := tableOf(text); ok {
		return Table
	}
	text = strings.TrimLeft(comment.ReplaceAllString(text, ""), " \t\n")
	kind, first := Kind(""), len(text)
	for _, sign := range signs {
		if at := sign.re.FindStringIndex(text); at != nil && at[0] < first {
			kind, first = sign.kind, at[0]
		}
	}
	page := looksHTML.FindStringIndex(text[:min(len(text), 4096)])
	if page != nil && (kind == "" || text[0] == '<' && page[0] < first) {
		return HTML
	}
	return kind
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

// decode turns a text into UTF-8 with plain line ends.
func decode(body []byte) string {
	if mixedUTF8(body) {
		body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	s := string(charset.UTF8("text/plain", body))
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n").Replace(s)
}

// mixedUTF8 reports whether a text is UTF-8 with some letters in another encoding, as bibliographies are that were put together
// of others. As many right sequences as wrong ones are enough: text in another encoding has one in ten by chance.
func mixedUTF8(body []byte) bool {
	if utf8.Valid(body) || len(body) < 2 || body[0] >= 0xFE || body[0] == '<' || bytes.ContainsAny(body, "\x00\x1b") {
		return false
	}
	good, bad := 0, 0
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(body[i:])
		if i += size; r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
	}
	return good >= bad
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

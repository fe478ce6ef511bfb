package page

import (
	"strings"
	"sync"
	"unicode/utf8"

	"nightjar/crawler/charset"
)

// Source is what is known about a document besides its bytes in UTF-8.
type Source struct {
	URL string
	// Encoding is the name of the encoding in which it was sent, in which browsers write the queries of its links. If it is not
	// known ("", as for stored pages and snapshots), it is the one that the document declares.
	Encoding string
	Refresh  string // header Refresh of the answer, which is read like a meta refresh; "" for none
}

// SourceOf returns the document at url in UTF-8, and what is known about it. contentType is as in Parse.
func SourceOf(url, contentType string, body []byte) (Source, []byte) {
	body, name := charset.Decode(contentType, body)
	if name == "utf-8" { // by now, perhaps; see ContentUTF8
		name = ""
	}
	return Source{URL: url, Encoding: name}, body
}

// Queries returns how the queries of the links of a document in UTF-8 are written, for weburl.Base.
func (s Source) Queries(body []byte) func(query string) string {
	encoder := sync.OnceValue(func() func(string) string {
		if s.Encoding == "" {
			return charset.Query(charset.Declared(body))
		}
		return charset.Query(s.Encoding)
	})
	return func(query string) string {
		if encode := encoder(); encode != nil {
			return encode(query)
		}
		return query
	}
}

// HeaderRefresh returns the value of a header Refresh as text: its bytes are characters of Latin-1 unless they are UTF-8.
func HeaderRefresh(value string) string {
	if utf8.ValidString(value) {
		return value
	}
	var b strings.Builder
	for i := range len(value) {
		b.WriteRune(rune(value[i]))
	}
	return b.String()
}

package unlink

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// Clean returns a document without the site, by its media type, and whether anything went. ok is false when the document
// names the site and cannot be changed, such as a PDF or a picture; it is returned unchanged.
func (s *Site) Clean(url, contentType string, doc []byte) (clean []byte, changed, ok bool) {
	media, _, _ := strings.Cut(contentType, ";")
	switch media = strings.ToLower(strings.TrimSpace(media)); {
	case media == "" || media == "text/html" || media == "application/xhtml+xml":
		clean, _, changed = s.HTML(url, doc)
		return clean, changed, true
	case strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "xml") || strings.HasSuffix(media, "json") || strings.HasSuffix(media, "javascript"):
		clean, changed = s.Text(doc)
		return clean, changed, true
	}
	return doc, false, !s.May(doc)
}

// minWord is the number of letters from which on a word counts, as where words are counted for models.
const minWord = 3

// gone returns the words of dropped texts that a document does not have, sorted.
func gone(dropped, doc []byte) []string {
	folded := strings.ToLower(string(doc))
	var words []string
	for _, w := range bytes.FieldsFunc(bytes.ToLower(dropped), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if len(w) >= minWord {
			words = append(words, string(w))
		}
	}
	slices.Sort(words)
	return slices.DeleteFunc(slices.Compact(words), func(w string) bool { return strings.Contains(folded, w) })
}

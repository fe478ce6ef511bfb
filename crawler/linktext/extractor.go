package linktext

import (
	"fmt"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// Limits of one document.
const (
	MaxLinks  = 10_000  // links of a result
	MaxWords  = 200     // different words of a link
	maxAnchor = 4 << 10 // bytes of source of an anchor that are read, and of alternative texts
	window    = 100     // characters on each side of a link, [THESUS] §5.2
)

// Link is one hyperlink of a document.
type Link struct {
	URL   string // canonical
	Pos   int    // bytes of the document in UTF-8 before the link's tag
	Words []Word // in the order of their first occurrence, at most MaxWords; empty if no word is left
}

// Word is a word with its number of occurrences around one link, at least 1.
type Word struct {
	Word string
	N    int
}

// Extractor finds the words around links. It is safe for concurrent use if its function for base forms is.
type Extractor struct {
	navigation map[string]bool
	base       func(word string) string
}

// New makes an Extractor that leaves out the words of navigation, in lower case; nil means those of Navigation. base gives
// the base form of a word in lower case, or the word itself; nil means that words stay as they are. A word is left out, too,
// if its base form is a stop word or a word of navigation, or "".
func New(navigation map[string]bool, base func(word string) string) *Extractor {
	if navigation == nil {
		navigation = defaultNavigation
	}
	if base == nil {
		base = func(word string) string { return word }
	}
	return &Extractor{navigation: navigation, base: base}
}

// Extract returns the links of the HTML document at url in document order, at most MaxLinks. contentType is that of the
// answer, as for page.Parse. Any bytes give links or none; the only errors are those of weburl.Canonical for url.
func (e *Extractor) Extract(url, contentType string, body []byte) ([]Link, error) {
	self, err := weburl.Canonical(url)
	if err != nil {
		return nil, fmt.Errorf("find the words around links: %w", err)
	}
	base, err := weburl.NewBase(self)
	if err != nil {
		return nil, fmt.Errorf("find the words around links: %w", err)
	}
	src, body := page.SourceOf(self, contentType, body)
	base.Encode(src.Queries(body))
	s := newScan(body, e.newVocabulary())
	s.run()
	if s.hasBase {
		base = base.With(s.base)
	}
	links := make([]Link, 0, len(s.found))
	for _, f := range s.found {
		if u, err := base.Resolve(f.href); err == nil && u != self {
			links = append(links, Link{URL: u, Pos: f.pos, Words: f.words})
		}
		if len(links) == MaxLinks {
			break
		}
	}
	return links, nil
}

// Anchor returns the words of a link if only its anchor text is known. text has no markup and no entities.
func (e *Extractor) Anchor(text string) []Word {
	c := counting{vocabulary: e.newVocabulary()}
	c.addText(text)
	return c.words
}

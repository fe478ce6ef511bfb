package online

import (
	"slices"
	"strings"
	"sync"

	"nightjar/model/logistic"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// Field is where a token of a link stands.
type Field byte

// The fields of a link.
const (
	Anchor  Field = 'a' // stems of the anchor text
	Around  Field = 'r' // stems of the words around it
	Heading Field = 'h' // stems of the heading above
	Address Field = 'u' // words of the URL, digits folded to 0
	Shape   Field = 'x' // how deep the URL is, whether it ends in a slash, whether it stays on the site
	Element Field = 'e' // one element that holds it, with its class
	Place   Field = 'p' // all of them
)

// Most tokens of each kind.
const (
	maxAnchorTokens  = 10
	maxAroundTokens  = 20
	maxHeadingTokens = 6
	maxAddressTokens = 12
	maxElements      = 3
	maxLinkTokens    = maxAnchorTokens + maxAroundTokens + maxHeadingTokens + 2*maxAddressTokens + 3 + maxElements + 1
	maxNames         = 100_000
)

// Vocabulary makes tokens of links. It is safe for concurrent use. A token is a 32-bit hash, so that it means the same in every crawl without a shared
// list; of 100,000 words one or two share a hash. The words are remembered as long as there is room, so that tokens can be
// shown.
type Vocabulary struct {
	words *text.Counter
	row   func([]text.Counted) logistic.Row

	mu    sync.RWMutex
	names Keys[Token]
}

// ReadText is what a text of a link says. It must not be changed.
type ReadText struct {
	stems []text.Counted // in alphabetical order
	Row   logistic.Row   // of its words
}

// Token is a token in readable form.
type Token struct {
	Field Field
	Text  string
}

// LinkText is a text of a link, in the language of the page that holds the link.
type LinkText struct {
	Language text.Language
	Text     string
}

// NewVocabulary returns an empty vocabulary. words counts the stems of a text, such as model.Bundle.Counter, and row weighs
// those of a text.
func NewVocabulary(words *text.Counter, row func([]text.Counted) logistic.Row) *Vocabulary {
	return &Vocabulary{words: words, row: row}
}

// Name returns the readable form of a token; ok is false when it was forgotten.
func (v *Vocabulary) Name(token uint32) (t Token, ok bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.names.Get(uint64(token))
}

// State is the tokens that are remembered.
func (v *Vocabulary) State() Pairs[uint32, Token] {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return PairsIn[uint32](&v.names)
}

// SetState remembers the tokens of another vocabulary in place of its own.
func (v *Vocabulary) SetState(s Pairs[uint32, Token]) error {
	var names Keys[Token]
	if err := s.Into(&names, maxNames); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.names = names
	return nil
}

// ReadLink is what the texts of a link say.
type ReadLink struct {
	Tokens         []uint32  // each once
	Anchor, Around *ReadText // empty ones for no text
}

// Link reads a link of a page in a language. sameSite means that it leads to the site of its page.
func (v *Vocabulary) Link(in text.Language, l webgraph.Link, sameSite bool) ReadLink {
	var read ReadLink
	var t tokens
	read.Anchor = v.Text(LinkText{in, l.Anchor})
	t.stems(Anchor, read.Anchor, maxAnchorTokens)
	read.Around = v.Text(LinkText{in, l.Around})
	t.stems(Around, read.Around, maxAroundTokens)
	t.stems(Heading, v.Text(LinkText{in, l.Heading}), maxHeadingTokens)
	t.address(l.URL, sameSite)
	t.place(l.Path)
	v.remember(&t)
	read.Tokens = slices.Clone(t.list[:t.n])
	return read
}

// Address reads an address in a list of a site's pages. Lists are long, so the names of its tokens are not remembered.
func (v *Vocabulary) Address(url string) (list []uint32) {
	var t tokens
	t.address(url, true)
	return slices.Clone(t.list[:t.n])
}

// NameIn returns a token of a link in readable form, with false when its name was forgotten and it is not in the link's address.
func (v *Vocabulary) NameIn(url string, token uint32) (Token, bool) {
	if name, ok := v.Name(token); ok {
		return name, true
	}
	var t tokens
	t.address(url, true)
	if i := slices.Index(t.list[:t.n], token); i >= 0 {
		return t.names[i], true
	}
	return Token{}, false
}

// remember remembers the names of tokens.
func (v *Vocabulary) remember(t *tokens) {
	if v.knows(t) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, token := range t.list[:t.n] {
		if v.names.Len() < maxNames && v.names.Place(uint64(token)) < 0 {
			v.names.Set(uint64(token), Token{t.names[i].Field, strings.Clone(t.names[i].Text)})
		}
	}
}

// knows reports whether there is no name to be remembered.
func (v *Vocabulary) knows(t *tokens) bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.names.Len() >= maxNames {
		return true
	}
	for _, token := range t.list[:t.n] {
		if v.names.Place(uint64(token)) < 0 {
			return false
		}
	}
	return true
}

var noText = new(ReadText)

// Text reads a short text.
func (v *Vocabulary) Text(s LinkText) *ReadText {
	if s.Text == "" {
		return noText
	}
	var room [48]text.Counted
	stems := slices.Clone(v.words.Append(room[:0], s.Language, s.Text))
	slices.SortFunc(stems, func(a, b text.Counted) int { return strings.Compare(a.Stem, b.Stem) })
	return &ReadText{stems, v.row(stems)}
}

// tokens are the n tokens of a link, each once, with their names.
type tokens struct {
	n     int
	list  [maxLinkTokens]uint32
	names [maxLinkTokens]Token
}

// stems adds the stems of a text, in alphabetical order.
func (t *tokens) stems(f Field, s *ReadText, most int) {
	for _, c := range s.stems[:min(most, len(s.stems))] {
		t.add(f, c.Stem)
	}
}

// address adds the words of a URL. A tilde begins a person's folder, which says more than the name behind it.
func (t *tokens) address(url string, sameSite bool) {
	_, rest, _ := strings.Cut(url, "://")
	words := 0
	for w := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r != '~' && !letter(r) && !digit(r) }) {
		if words++; words > maxAddressTokens {
			break
		}
		w = foldWord(w)
		t.add(Address, w)
		if len(w) > 1 && w[0] == '~' {
			t.add(Address, "~")
		}
	}
	t.add(Shape, slashes[min(6, strings.Count(rest, "/"))])
	if strings.HasSuffix(rest, "/") {
		t.add(Shape, "ends in a slash")
	}
	if sameSite {
		t.add(Shape, "same site")
	}
}

var slashes = [...]string{"0 slashes", "1 slashes", "2 slashes", "3 slashes", "4 slashes", "5 slashes", "6 or more slashes"}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 }
func digit(r rune) bool  { return r >= '0' && r <= '9' }

// foldWord is a word in lower case with its digits folded to 0.
func foldWord(w string) string {
	for i := range len(w) {
		if c := w[i]; c >= 0x80 || c >= 'A' && c <= 'Z' || c >= '1' && c <= '9' {
			return strings.Map(foldDigit, strings.ToLower(w))
		}
	}
	return w
}

func foldDigit(r rune) rune {
	if digit(r) {
		return '0'
	}
	return r
}

// place adds the elements that hold a link, the innermost ones each for itself.
func (t *tokens) place(path string) {
	if path == "" {
		return
	}
	from := len(path)
	for range maxElements {
		if from = strings.LastIndexByte(path[:from], '>'); from < 0 {
			break
		}
	}
	for e := range strings.SplitSeq(path[from+1:], ">") {
		t.add(Element, e)
	}
	t.add(Place, path)
}

func (t *tokens) add(f Field, s string) {
	token := hash32(f, s)
	if slices.Contains(t.list[:t.n], token) {
		return
	}
	t.list[t.n], t.names[t.n] = token, Token{f, s}
	t.n++
}

func hash32(f Field, s string) uint32 {
	const offset, prime = 2166136261, 16777619 // FNV-1a
	h := (uint32(offset) ^ uint32(f)) * prime
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * prime
	}
	return h
}

// Key returns a 64-bit hash of names in order, such as the parts of an address, to be used as a key.
func Key(parts ...string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a, a zero byte after each part
	h := uint64(offset)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * prime
		}
		h *= prime
	}
	return h
}

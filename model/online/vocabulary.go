package online

import (
	"slices"
	"strings"

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
	maxNames         = 100_000
	maxSorted        = 20_000 // texts whose stems are remembered: some 10 MB
)

// Vocabulary makes tokens of links. A token is a 32-bit hash, so that it means the same in every crawl without a shared
// list; of 100,000 words one or two share a hash. The words are remembered as long as there is room, so that tokens can be
// shown.
type Vocabulary struct {
	words  *text.Counter
	sorted map[LinkText][]text.Counted // stems of texts met lately, in alphabetical order
	names  map[uint32]Token
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

// NewVocabulary returns an empty vocabulary of words that are counted in a way, that of the model.
func NewVocabulary(way text.Way) *Vocabulary {
	return &Vocabulary{words: way.NewCounter(), sorted: map[LinkText][]text.Counted{}, names: map[uint32]Token{}}
}

// Name returns the readable form of a token; ok is false when it was forgotten.
func (v *Vocabulary) Name(token uint32) (t Token, ok bool) {
	t, ok = v.names[token]
	return t, ok
}

// State lists all remembered tokens.
func (v *Vocabulary) State() Pairs[uint32, Token] { return PairsOf(v.names) }

// SetState remembers the tokens of another vocabulary in place of its own.
func (v *Vocabulary) SetState(s Pairs[uint32, Token]) error {
	names, err := s.Map(maxNames)
	if err == nil {
		v.names = names
	}
	return err
}

// Link lists the tokens of a link of a page in a language, each once. sameSite means that it leads to the site of its page.
func (v *Vocabulary) Link(in text.Language, l webgraph.Link, sameSite bool) []uint32 {
	out := make([]uint32, 0, 40)
	out = v.stems(out, Anchor, LinkText{in, l.Anchor}, maxAnchorTokens)
	out = v.stems(out, Around, LinkText{in, l.Around}, maxAroundTokens)
	out = v.stems(out, Heading, LinkText{in, l.Heading}, maxHeadingTokens)
	out = v.address(out, l.URL, sameSite)
	return v.place(out, l.Path)
}

// stems adds the stems of a text, in alphabetical order.
func (v *Vocabulary) stems(out []uint32, f Field, s LinkText, most int) []uint32 {
	if s.Text == "" {
		return out
	}
	stems := v.Stems(s)
	for _, c := range stems[:min(most, len(stems))] {
		out = v.add(out, f, c.Stem)
	}
	return out
}

// Stems returns the stems of a short text in alphabetical order. They are remembered for a while, as a site repeats its menu
// on every page, so that the list must not be changed.
func (v *Vocabulary) Stems(s LinkText) []text.Counted {
	if stems, known := v.sorted[s]; known {
		return stems
	}
	var room [48]text.Counted
	stems := slices.Clone(v.words.Append(room[:0], s.Language, s.Text))
	slices.SortFunc(stems, func(a, b text.Counted) int { return strings.Compare(a.Stem, b.Stem) })
	if len(v.sorted) >= maxSorted {
		clear(v.sorted)
	}
	v.sorted[s] = stems
	return stems
}

// address adds the words of a URL. A tilde begins a person's folder, which says more than the name behind it.
func (v *Vocabulary) address(out []uint32, url string, sameSite bool) []uint32 {
	_, rest, _ := strings.Cut(url, "://")
	words := 0
	for w := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r != '~' && !letter(r) && !digit(r) }) {
		if words++; words > maxAddressTokens {
			break
		}
		w = foldWord(w)
		out = v.add(out, Address, w)
		if len(w) > 1 && w[0] == '~' {
			out = v.add(out, Address, "~")
		}
	}
	out = v.add(out, Shape, [...]string{"0", "1", "2", "3", "4", "5", "6 or more"}[min(6, strings.Count(rest, "/"))]+" slashes")
	if strings.HasSuffix(rest, "/") {
		out = v.add(out, Shape, "ends in a slash")
	}
	if sameSite {
		out = v.add(out, Shape, "same site")
	}
	return out
}

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
func (v *Vocabulary) place(out []uint32, path string) []uint32 {
	if path == "" {
		return out
	}
	elements := strings.Split(path, ">")
	for _, e := range elements[max(0, len(elements)-maxElements):] {
		out = v.add(out, Element, e)
	}
	return v.add(out, Place, path)
}

func (v *Vocabulary) add(out []uint32, f Field, s string) []uint32 {
	token := hash32(f, s)
	if slices.Contains(out, token) {
		return out
	}
	if _, known := v.names[token]; !known && len(v.names) < maxNames {
		v.names[token] = Token{f, strings.Clone(s)}
	}
	return append(out, token)
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

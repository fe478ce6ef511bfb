package wordnet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// POS is a part of speech, as WordNet's files write it.
type POS byte

// The parts of speech that have hypernyms.
const (
	Noun POS = 'n'
	Verb POS = 'v'
)

// String is "n" or "v".
func (p POS) String() string { return string(rune(p)) }

// Sense is a synset of a Net: a number in [0, Net.Len()), nouns first, then verbs, each in the order of their file. It
// holds only for the Net that gave it. To keep a sense, keep its Name.
type Sense int32

// None is no sense. Its similarity to every sense is 0.
const None Sense = -1

// Net is the nouns and verbs of a WordNet. It is not changed after Read, and may be used from several goroutines at the
// same time. Methods panic when a Sense is outside of [0, Len()), unless they say otherwise.
type Net struct {
	nouns     Sense             // senses below it are nouns
	offset    []uint32          // [sense]: byte of its line in the data file
	words     lists[wordID]     // [sense]: its words in the index of its part of speech, in the file's order
	hypernyms lists[Sense]      // [sense]: hypernyms and instance hypernyms, in the file's order
	hyponyms  lists[Sense]      // [sense]: the inverse, ascending
	index     map[POS]*index    // words and their senses
	exc       map[POS]exception // irregular forms
	above     above             // what Similarity reads
}

// Len is the number of senses.
func (n *Net) Len() int { return len(n.offset) }

// Count is the numbers of senses, words and irregular forms of a part of speech.
func (n *Net) Count(pos POS) (senses, words, irregular int) {
	if n.index[pos] == nil {
		return 0, 0, 0
	}
	senses = int(n.nouns)
	if pos == Verb {
		senses = n.Len() - senses
	}
	forms := n.exc[pos].forms
	return senses, n.index[pos].words.len(), max(0, forms.len())
}

// POS is the part of speech of a sense.
func (n *Net) POS(s Sense) POS {
	if s < n.nouns {
		return Noun
	}
	return Verb
}

// Senses lists the senses of a word in WordNet's order, the most frequent first; nil when WordNet lacks the word. Case
// does not count, and spaces and underscores are the same. Inflected forms are not looked up: see Morphy. The result must
// not be changed.
func (n *Net) Senses(word string, pos POS) []Sense {
	ix := n.index[pos]
	if ix == nil {
		return nil
	}
	if w, ok := ix.words.find(key(word)); ok {
		return ix.senses.at(int(w))
	}
	return nil
}

// Words lists the words of a sense as the index writes them, the sense's name first: lower case, underscores for spaces.
func (n *Net) Words(s Sense) []string {
	ids := n.words.at(int(s))
	all := make([]string, len(ids))
	for i, w := range ids {
		all[i] = n.index[n.POS(s)].words.at(w)
	}
	return all
}

// Hypernyms lists the senses that are directly more general, with those of which s is an instance. The result must not be
// changed.
func (n *Net) Hypernyms(s Sense) []Sense { return n.hypernyms.at(int(s)) }

// Hyponyms lists the senses that are directly more specific, with the instances of s. The result must not be changed.
func (n *Net) Hyponyms(s Sense) []Sense { return n.hyponyms.at(int(s)) }

// Name is the name of a sense as NLTK writes it: "wind.n.07" is the seventh sense of the noun "wind", which is the first
// word of the sense. For None it is "".
func (n *Net) Name(s Sense) string {
	if s == None {
		return ""
	}
	pos := n.POS(s)
	ix, first := n.index[pos], n.words.at(int(s))[0]
	number := slices.Index(ix.senses.at(int(first)), s) + 1
	return fmt.Sprintf("%s.%s.%02d", ix.words.at(first), pos, number)
}

// ByName finds the sense that a name means: the word of the name may be any word of the sense. It is None and false when
// there is none.
func (n *Net) ByName(name string) (Sense, bool) {
	rest, number, ok := cutLast(name)
	if !ok {
		return None, false
	}
	word, pos, ok := cutLast(rest)
	i, err := strconv.Atoi(number)
	if !ok || err != nil || len(pos) != 1 {
		return None, false
	}
	all := n.Senses(word, POS(pos[0]))
	if i < 1 || i > len(all) {
		return None, false
	}
	return all[i-1], true
}

// cutLast cuts at the last dot, since words such as "u.s." have dots, too.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// Paths lists the ways down to a sense: each begins at a root and ends with the sense. The virtual root of verbs is not in
// them. There are at most maxPaths.
func (n *Net) Paths(s Sense) [][]Sense {
	var all [][]Sense
	var climb func(s Sense, below []Sense)
	climb = func(s Sense, below []Sense) {
		below = append(below, s)
		if len(n.Hypernyms(s)) == 0 {
			path := slices.Clone(below)
			slices.Reverse(path)
			all = append(all, path)
		}
		for _, h := range n.Hypernyms(s) {
			climb(h, below)
		}
	}
	climb(s, nil)
	return all
}

// key is a word as the index writes it.
func key(word string) string {
	return strings.ReplaceAll(strings.ToLower(word), " ", "_")
}

package explore

import (
	"slices"
	"strings"

	"nightjar/model/conceptset"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// space is what the concepts of a grouping are: terms of tree, senses of net, or words. Concepts are numbered as they come, so
// that tables of them are small. known tells, for each, the term, the sense or the place in words.
type space struct {
	mode  Mode
	net   *wordnet.Net   // nil without WordNet
	tree  *ontology.Tree // of Terms
	terms *senses.Terms  // of Terms
	words []string       // of Words
	place map[string]int // in words
	known []int          // of each concept
	at    map[int]int    // the concept of what known has
}

// newSpace is a space without concepts. Without a tree it is of Senses if there is a net, otherwise of Words.
func newSpace(net *wordnet.Net, tree *ontology.Tree, terms *senses.Terms) *space {
	s := &space{mode: Words, net: net, tree: tree, terms: terms, place: map[string]int{}, at: map[int]int{}}
	switch {
	case tree != nil:
		s.mode = Terms
	case net != nil:
		s.mode = Senses
	}
	return s
}

// number is the concept of a term, a sense, or a place in words.
func (s *space) number(known int) int {
	c, ok := s.at[known]
	if !ok {
		c = len(s.known)
		s.known, s.at[known] = append(s.known, known), c
	}
	return c
}

// word is the concept of a word.
func (s *space) word(word string) int {
	p, ok := s.place[word]
	if !ok {
		p = len(s.words)
		s.words, s.place[word] = append(s.words, word), p
	}
	return s.number(p)
}

// find returns the concept of a key made by key; false if it is no longer known.
func (s *space) find(key string) (int, bool) {
	switch s.mode {
	case Terms:
		if term, ok := s.tree.ByKey(key); ok {
			return s.number(term), true
		}
	case Senses:
		if sense, ok := s.net.ByName(key); ok {
			return s.number(int(sense)), true
		}
	case Words:
		return s.word(key), true
	}
	return 0, false
}

// key is the key of a term, the name of a sense, or a word.
func (s *space) key(c int) string {
	switch known := s.known[c]; s.mode {
	case Terms:
		return s.tree.Term(known).Key
	case Senses:
		return s.net.Name(wordnet.Sense(known))
	default:
		return s.words[known]
	}
}

// name is a concept as it is shown.
func (s *space) name(c int) string {
	switch known := s.known[c]; s.mode {
	case Terms:
		return s.tree.Label(known)
	case Senses:
		return spaced(s.net.Words(wordnet.Sense(known))[0])
	default:
		return s.words[known]
	}
}

// spaced is a word of WordNet as people write it.
func spaced(word string) string { return strings.ReplaceAll(word, "_", " ") }

// similarity is S of two of the concepts that there are when it is called.
func (s *space) similarity() conceptset.Func {
	known := slices.Clone(s.known)
	return func(a, b int) float64 { return s.between(known[a], known[b]) }
}

// between is S of two terms, senses, or places in words.
func (s *space) between(a, b int) float64 {
	switch s.mode {
	case Terms:
		return s.tree.Similarity(a, b)
	case Senses:
		return s.net.Similarity(wordnet.Sense(a), wordnet.Sense(b))
	}
	if a == b {
		return 1
	}
	return 0
}

// groups names the groups of a concept for conceptset.CandidatePairs, as its Depth has it. They are not concepts.
func (s *space) groups(c int) []int {
	switch known := s.known[c]; s.mode {
	case Terms:
		return []int{s.tree.Ancestor(known, conceptset.Depth+1)}
	case Senses:
		var all []int
		for _, path := range s.net.Paths(wordnet.Sense(known)) {
			all = append(all, int(path[min(conceptset.Depth, len(path)-1)]))
		}
		slices.Sort(all)
		return slices.Compact(all)
	default:
		return []int{known}
	}
}

// leastDepth is the depth, in nodes, that a sense needs to be in front of a label: broader ones, such as "physical object",
// tell nothing.
const leastDepth = 5

// broader is the most specific common ancestor of concepts, which may be one of them; -1 if it is too general to say anything.
func (s *space) broader(concepts ...int) int {
	switch s.mode {
	case Terms:
		terms := make([]int, len(concepts))
		for i, c := range concepts {
			terms[i] = s.known[c]
		}
		if top := s.tree.Common(terms...); top != 0 {
			return s.number(top)
		}
	case Senses:
		common := s.depths(concepts[0])
		for _, c := range concepts[1:] {
			also := s.depths(c)
			for sense := range common {
				if _, ok := also[sense]; !ok {
					delete(common, sense)
				}
			}
		}
		best, depth := wordnet.None, 0
		for sense, d := range common {
			if d > depth || d == depth && sense < best {
				best, depth = sense, d
			}
		}
		if depth >= leastDepth {
			return s.number(int(best))
		}
	case Words:
		if len(concepts) == 1 {
			return concepts[0]
		}
	}
	return -1
}

// depths gives the senses above a concept, and the concept's own, each with the nodes of its longest path from a root.
func (s *space) depths(c int) map[wordnet.Sense]int {
	all := map[wordnet.Sense]int{}
	for _, path := range s.net.Paths(wordnet.Sense(s.known[c])) {
		for i, sense := range path {
			all[sense] = max(all[sense], i+1)
		}
	}
	return all
}

// above gives what is above a concept, and the concept itself, for cobweb.Describe. It may make new concepts.
func (s *space) above(c int) []int {
	var all []int
	switch s.mode {
	case Terms:
		for _, term := range s.tree.Above(s.known[c]) {
			all = append(all, s.number(term))
		}
	case Senses:
		for _, path := range s.net.Paths(wordnet.Sense(s.known[c])) {
			for _, sense := range path {
				all = append(all, s.number(int(sense)))
			}
		}
	case Words:
		return []int{c}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

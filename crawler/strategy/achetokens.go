package strategy

import (
	"cmp"
	"hash/fnv"
	"net/url"
	"slices"
	"strings"

	"nightjar/crawler/page"
	"nightjar/model/text"
)

// acheField says where a word of a link comes from. A token is a word with its field.
type acheField uint32

// The fields that ACHE's online learning reads.
const (
	acheAround acheField = iota
	acheAddress
	acheAnchor
	acheFields
)

// mostTokens is the maximum number of tokens per field that the classifier reads, the most frequent ones.
var mostTokens = [acheFields]int{acheAround: 100, acheAddress: 150, acheAnchor: 150}

const (
	leastLetters = 3  // of a word
	mostOfLink   = 40 // tokens of each field of one link
	fewFollowed  = 10 // links; a token must occur in six links, or in two while no token of its field occurs in more than this
	fieldBits    = 30 // the bits of a token below its field are those of the word's hash
)

// tokens lists the tokens of a link of a page in a language: from its anchor text, the text around it, and its address with the top-level domain.
func (s *ache) tokens(in text.Language, l page.Link) []uint32 {
	out := s.stems(nil, acheAround, in, l.Around)
	out = s.stems(out, acheAnchor, in, l.Anchor)
	u, err := url.Parse(l.URL)
	if err != nil {
		return out
	}
	out = s.stems(out, acheAddress, in, u.Path+" "+u.RawQuery)
	if host := u.Hostname(); strings.Contains(host, ".") {
		out = append(out, acheToken(acheAddress, "host_"+host[strings.LastIndexByte(host, '.')+1:]))
	}
	return out
}

func (s *ache) stems(out []uint32, f acheField, in text.Language, words string) []uint32 {
	from := len(out)
	for stem := range s.words.CountIn(in, words) {
		if len(stem) >= leastLetters {
			out = append(out, acheToken(f, stem))
		}
	}
	slices.Sort(out[from:])
	return out[:min(len(out), from+mostOfLink)]
}

func acheToken(f acheField, word string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(word)) // a hash takes everything
	return uint32(f)<<fieldBits | h.Sum32()&(1<<fieldBits-1)
}

// selectTokens returns the tokens that the classifier reads, ascending: in each field the most frequent ones of those that
// occur in enough of the followed links.
func selectTokens(followed []acheLink) []uint32 {
	links := map[uint32]int{}
	for _, l := range followed {
		for _, t := range l.Tokens {
			links[t]++
		}
	}
	var of [acheFields][]uint32
	for t := range links {
		if f := t >> fieldBits; f < uint32(acheFields) {
			of[f] = append(of[f], t)
		}
	}
	var all []uint32
	for f, tokens := range of {
		slices.SortFunc(tokens, func(a, b uint32) int { return cmp.Or(links[b]-links[a], cmp.Compare(a, b)) })
		least := 6
		if len(tokens) > 0 && links[tokens[0]] <= fewFollowed {
			least = 2
		}
		for _, t := range tokens[:min(len(tokens), mostTokens[f])] {
			if links[t] >= least {
				all = append(all, t)
			}
		}
	}
	slices.Sort(all)
	return all
}

package wordnet

import (
	"slices"
	"sort"
)

// lists holds many short lists in two arrays: list i is items[start[i]:start[i+1]].
type lists[T ~int32] struct {
	start []uint32
	items []T
}

func (l *lists[T]) at(i int) []T {
	return l.items[l.start[i]:l.start[i+1]:l.start[i+1]]
}

// end closes the list to which items were appended last.
func (l *lists[T]) end() { l.start = append(l.start, uint32(len(l.items))) }

func newLists[T ~int32]() lists[T] { return lists[T]{start: []uint32{0}} }

// inverse lists for each of m targets in which lists it is.
func inverse(of *lists[Sense], m int) lists[Sense] {
	start := make([]uint32, m+1)
	for _, s := range of.items {
		start[s+1]++
	}
	for i := range m {
		start[i+1] += start[i]
	}
	items, next := make([]Sense, len(of.items)), slices.Clone(start)
	for i := range len(of.start) - 1 {
		for _, s := range of.at(i) {
			items[next[s]] = Sense(i)
			next[s]++
		}
	}
	return lists[Sense]{start: start, items: items}
}

// wordID is the place of a word in a lexicon.
type wordID int32

// lexicon is a sorted list of words in one string.
type lexicon struct {
	text  string
	start []uint32 // word i is text[start[i]:start[i+1]]
}

func (l *lexicon) len() int { return len(l.start) - 1 }

func (l *lexicon) at(w wordID) string { return l.text[l.start[w]:l.start[w+1]] }

func (l *lexicon) find(word string) (wordID, bool) {
	i := sort.Search(l.len(), func(i int) bool { return l.at(wordID(i)) >= word })
	return wordID(i), i < l.len() && l.at(wordID(i)) == word
}

// sorted makes a lexicon of words, and says at which place of the lexicon to put what belongs to word i: order[place] = i.
func sorted(words []string) (l lexicon, order []int32) {
	order = make([]int32, len(words))
	for i := range order {
		order[i] = int32(i)
	}
	less := func(a, b int32) int {
		switch {
		case words[a] < words[b]:
			return -1
		case words[a] > words[b]:
			return 1
		}
		return int(a - b)
	}
	if !slices.IsSortedFunc(order, less) { // WordNet's own files are sorted
		slices.SortFunc(order, less)
	}
	size := 0
	for _, w := range words {
		size += len(w)
	}
	text := make([]byte, 0, size)
	l.start = append(make([]uint32, 0, len(words)+1), 0)
	for _, i := range order {
		text = append(text, words[i]...)
		l.start = append(l.start, uint32(len(text)))
	}
	l.text = string(text)
	return l, order
}

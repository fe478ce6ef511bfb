package reason

import "slices"

// place is where a text has a named word or phrase, in any of its grammatical forms.
type place struct {
	from, to int // bytes
	name     int // its index among those named
}

// sought is a named word or phrase by the stems of its words.
type sought struct {
	stems []string
	name  int
}

// wanted stems the named words, longest phrases first.
func (st stemmer) wanted(words []string) (all []sought) {
	for i, w := range words {
		var stems []string
		for _, t := range st.tokens(w) {
			stems = append(stems, t.stem)
		}
		if len(stems) > 0 {
			all = append(all, sought{stems, i})
		}
	}
	slices.SortStableFunc(all, func(a, b sought) int { return len(b.stems) - len(a.stems) })
	return all
}

// find lists where a text of some words has those wanted, in the order of the text.
func find(s string, words []token, wanted []sought) (all []place) {
	end := 0
	for i := 0; i < len(words); i++ {
		if words[i].from < end {
			continue // its beginning belongs to the place before
		}
		for _, w := range wanted {
			if w.begins(s, words[i:]) {
				last := i + len(w.stems) - 1
				all = append(all, place{words[i].from, words[last].to, w.name})
				i, end = last, words[last].to
				break
			}
		}
	}
	return all
}

// begins reports whether a text begins with the word or phrase.
func (w sought) begins(s string, words []token) bool {
	if len(w.stems) > len(words) {
		return false
	}
	for k, stem := range w.stems {
		if stem == "" || words[k].stem != stem || k > 0 && !beside(s, words[k-1], words[k]) {
			return false
		}
	}
	return true
}

package text

import (
	"slices"
	"strings"
	"sync"
)

// remembered is the number of words that a Counter keeps: most words of a crawl, in about 8 MB.
const remembered = 1 << 16

// Counter counts the stems of texts one by one. It remembers the stems of words, as stemming takes most of the time. It is
// safe for concurrent use. The counts of a text do not depend on the texts before it.
type Counter struct {
	limit   int              // maximum number of words remembered; with one more it starts over
	numbers map[string]int32 // of the stems that have one

	mu    sync.Mutex
	known map[word]*stemmed
}

// word is a word as written, in lower case, in a language.
type word struct {
	language Language
	written  string
}

// stemmed is what a Counter remembers of a word.
type stemmed struct {
	written string // word.written
	stem    string // "" for a stop word
	number  int32  // Unnumbered for a stem that has none
	times   int    // occurrences in all texts
}

// tally is the words of one text, each once, in the order of their first occurrence.
type tally []tallied

type tallied struct {
	written string
	times   int
	stem    string // set by Counter.learn, as number
	number  int32
}

// NewCounter returns a counter for the pages of a crawl. It uses at most about 8 MB.
func NewCounter() *Counter { return newCounter(remembered) }

func newCounter(limit int) *Counter { return &Counter{limit: limit, known: make(map[word]*stemmed)} }

// Count counts the stems of s, in the language that its words show.
func (c *Counter) Count(s string) Counts {
	counts, _ := c.CountPage("", s)
	return counts
}

// CountPage counts the stems of the text of a page that declares a language, and returns the language in which it was
// counted, see LanguageOf. Texts that belong to the page, such as those of its links, are counted in the same language.
func (c *Counter) CountPage(declared, s string) (Counts, Language) {
	t := read(s)
	l := t.language(declared)
	return c.counts(t, l), l
}

// CountIn counts the stems of s in a language.
func (c *Counter) CountIn(l Language, s string) Counts { return c.counts(read(s), l.orEnglish()) }

// counts counts the stems of a tally.
func (c *Counter) counts(t tally, l Language) Counts {
	c.learn(t, l)
	counts := make(Counts, len(t))
	for i := range t {
		if w := &t[i]; w.stem != "" {
			counts[w.stem] += w.times
		}
	}
	return counts
}

// few is up to how many distinct words a text is searched for a word from end to end: for a short text that is quicker than
// a map.
const few = 16

// read counts the words of s.
func read(s string) (t tally) {
	at := map[string]int(nil)
	for w := range Separated(s) {
		i := t.find(w, at)
		if i < 0 {
			i = len(t)
			t = append(t, tallied{written: string(w)})
			switch {
			case at != nil:
				at[t[i].written] = i
			case i == few:
				at = make(map[string]int)
				for i := range t {
					at[t[i].written] = i
				}
			}
		}
		t[i].times++
	}
	return t
}

// find is the place of a word, -1 when it is not there. at tells the places when there is one.
func (t tally) find(word []byte, at map[string]int) int {
	if at == nil {
		return slices.IndexFunc(t, func(w tallied) bool { return w.written == string(word) })
	}
	if i, ok := at[string(word)]; ok {
		return i
	}
	return -1
}

// language decides the language of its text.
func (t tally) language(declared string) Language {
	var v votes
	for i := range t {
		v.add(stopIn[t[i].written], t[i].times)
	}
	return v.language(declared)
}

// learn finds the stems of the words of a text in a language, and remembers them.
func (c *Counter) learn(t tally, l Language) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range t {
		w := &t[i]
		s := c.known[word{l, w.written}]
		if s == nil {
			if len(c.known) >= c.limit {
				clear(c.known)
			}
			s = &stemmed{written: w.written, stem: stemOf(l, w.written)}
			s.number = c.numberOf(s.stem)
			c.known[word{l, w.written}] = s
		}
		w.written, w.stem, w.number = s.written, s.stem, s.number // the same bytes once in memory
		s.times += w.times
	}
}

// stemOf is the stem of a word in a language, "" for a stop word.
func stemOf(l Language, written string) string {
	if StopWordIn(l, written) {
		return ""
	}
	stem := StemIn(l, written)
	if strings.HasPrefix(written, stem) {
		return written[:len(stem)] // the same bytes once in memory
	}
	return stem
}

// written gives for each stem the word most often written for it, in all texts counted; of words written equally often
// the first in the alphabet. It wants a counter that has not begun anew.
func (c *Counter) written() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	best := make(map[string]*stemmed)
	for _, s := range c.known {
		b := best[s.stem]
		if s.stem != "" && (b == nil || s.times > b.times || s.times == b.times && s.written < b.written) {
			best[s.stem] = s
		}
	}
	out := make(map[string]string, len(best))
	for stem, b := range best {
		out[stem] = b.written
	}
	return out
}

package text

import (
	"iter"
	"strings"
	"sync"
	"unicode/utf8"
)

// remembered is the number of words that a tally keeps for the next text: most words of the pages of a site, in about 3 MB.
const remembered = 1 << 14

// Counter counts the stems of texts one by one. It remembers the stems of words, as stemming takes most of the time. It is
// safe for concurrent use. The counts of a text do not depend on the texts before it.
type Counter struct {
	limit   int              // maximum number of words that a tally keeps; with more it starts over
	numbers map[string]int32 // of the stems that have one

	mu   sync.Mutex
	idle []*tally // as many as texts were ever counted at the same time
}

// tally is how often each word of one text occurs. Between texts it keeps the words. Only one goroutine uses it at a time.
type tally struct {
	at    map[string]int32 // places of the words
	words []word
	text  int32   // number of the text
	list  []int32 // places of the words of the text

	separator separator // of texts, with its memory
}

// word is a word as written, in lower case.
type word struct {
	written string
	stopIn  speaks
	text    int32    // the last text that has it
	times   int32    // in that text
	in      *stemmed // in the language of the last text that has it; nil before the first
	stems   *stemmed // one for each language in which the word was met
}

// stemmed is a word in a language.
type stemmed struct {
	language Language
	stem     string // "" for a stop word
	number   int32  // Unnumbered for a stem that has none
	times    int    // occurrences in all texts
	next     *stemmed
}

// NewCounter returns a counter for the pages of a crawl. It uses at most about 3 MB for each text that is counted at the same time.
func NewCounter() *Counter { return newCounter(remembered) }

func newCounter(limit int) *Counter { return &Counter{limit: limit} }

// Count counts the stems of s, in the language that its words show.
func (c *Counter) Count(s string) Counts {
	counts, _ := c.CountPage("", s)
	return counts
}

// CountPage counts the stems of the text of a page that declares a language, and returns the language in which it was
// counted, see LanguageOf. Texts that belong to the page, such as those of its links, are counted in the same language.
func (c *Counter) CountPage(declared, s string) (Counts, Language) {
	t := c.read(s)
	l := t.language(declared)
	return c.counts(t, l), l
}

// CountIn counts the stems of s in a language.
func (c *Counter) CountIn(l Language, s string) Counts { return c.counts(c.read(s), l.orEnglish()) }

// language decides the language of its text.
func (t *tally) language(declared string) Language {
	var v votes
	for _, at := range t.list {
		w := &t.words[at]
		v.add(w.stopIn, int(w.times))
	}
	return v.language(declared)
}

// counts counts the stems of a tally and gives it back.
func (c *Counter) counts(t *tally, l Language) Counts {
	counts := make(Counts, len(t.list))
	for w := range c.stems(t, l) {
		counts[w.in.stem] += int(w.times)
	}
	c.giveBack(t)
	return counts
}

// stems yields the words of a text that are no stop words of its language, in the order in which they first occur, and adds
// their occurrences to the totals.
func (c *Counter) stems(t *tally, l Language) iter.Seq[*word] {
	return func(yield func(*word) bool) {
		for _, at := range t.list {
			w := &t.words[at]
			if w.in == nil || w.in.language != l {
				w.in = c.stemmed(w, l)
			}
			if w.in.stem == "" {
				continue
			}
			w.in.times += int(w.times)
			if !yield(w) {
				return
			}
		}
	}
}

// stemmed is a word in a language, which is remembered.
func (c *Counter) stemmed(w *word, l Language) *stemmed {
	for s := w.stems; s != nil; s = s.next {
		if s.language == l {
			return s
		}
	}
	stem := w.stem(l)
	w.stems = &stemmed{language: l, stem: stem, number: c.numberOf(stem), next: w.stems}
	return w.stems
}

// read counts the words of s in a tally.
func (c *Counter) read(s string) *tally {
	t := c.take()
	t.separator = separator{word: t.separator.word[:0], unspaced: true}
	t.separator.each(s, func(written []byte, _ Span) bool {
		at, ok := t.at[string(written)]
		if !ok {
			at = int32(len(t.words))
			w := word{written: string(written), stopIn: stopIn[string(written)]}
			t.words = append(t.words, w)
			t.at[w.written] = at
		}
		w := &t.words[at]
		if w.text != t.text {
			w.text, w.times = t.text, 0
			t.list = append(t.list, at)
		}
		w.times++
		return true
	})
	return t
}

// take gives a tally that is ready for a text.
func (c *Counter) take() *tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.idle)
	if n == 0 {
		return &tally{at: make(map[string]int32), text: 1}
	}
	t := c.idle[n-1]
	c.idle = c.idle[:n-1]
	t.text++
	t.list = t.list[:0]
	return t
}

// giveBack puts a tally by. One with too many words loses them; the room that a huge text took is not kept.
func (c *Counter) giveBack(t *tally) {
	if len(t.words)/2 > c.limit {
		return
	}
	if len(t.words) > c.limit {
		clear(t.at)
		clear(t.words)
		t.words = t.words[:0]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, t)
}

// stem is the stem of the word in a language, "" for a stop word.
func (w *word) stem(l Language) string {
	if w.stopIn&(1<<l) != 0 || len(w.written) <= utf8.UTFMax && StopWordIn(l, w.written) {
		return ""
	}
	stem := StemIn(l, w.written)
	if strings.HasPrefix(w.written, stem) {
		return w.written[:len(stem)] // the same bytes once in memory
	}
	return stem
}

// written gives for each stem the word most often written for it, in all texts counted; of words written equally often
// the first in the alphabet. It wants a counter that has not begun anew.
func (c *Counter) written() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	type spelling struct{ stem, written string }
	times := map[spelling]int{}
	for _, t := range c.idle {
		for _, w := range t.words {
			for s := w.stems; s != nil; s = s.next {
				if s.stem != "" {
					times[spelling{s.stem, w.written}] += s.times
				}
			}
		}
	}
	best := map[string]string{}
	for s, n := range times {
		b, known := best[s.stem]
		if most := times[spelling{s.stem, b}]; !known || n > most || n == most && s.written < b {
			best[s.stem] = s.written
		}
	}
	return best
}

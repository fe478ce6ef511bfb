package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// remembered is the number of words that a Counter keeps: most words of a crawl, in about 8 MB.
const remembered = 1 << 16

// Counter counts the stems of texts one by one. It remembers the stems of words, as stemming takes most of the time. It is
// safe for concurrent use. The counts of a text do not depend on the texts before it.
type Counter struct {
	limit   int              // maximum number of words remembered; with one more it starts over
	numbers map[string]int32 // of the stems that have one

	mu    sync.RWMutex
	known map[string]*word
	idle  []*tally // as many as texts were ever counted at the same time
}

// word is a word as written, in lower case.
type word struct {
	written string
	stopIn  speaks
	stems   *stemmed // one for each language in which the word was met; guarded by Counter.mu
}

type stemmed struct {
	stem     string // "" for a stop word
	number   int32  // Unnumbered for a stem that has none
	times    int    // occurrences in all texts, less those that tallies still hold; guarded by Counter.mu
	next     *stemmed
	language Language
}

// in is the word in a language, nil when it was not met in one.
func (w *word) in(l Language) *stemmed {
	s := w.stems
	for s != nil && s.language != l {
		s = s.next
	}
	return s
}

// tally is how often each word of one text occurs. Between texts it keeps the words at hand.
type tally struct {
	at    map[string]int32 // places of the words
	words []entry
	text  int32   // number of the text
	list  []int32 // places of the words of the text
	fresh []int32 // places of those whose stem in the language of the text is not at hand

	separator separator // of texts, with its memory
}

type entry struct {
	written string // word.written
	text    int32  // the last text that has the word
	times   int32  // in that text
	total   int    // in all texts that in.times does not count yet: cores that count together would slow each other there
	stopIn  speaks
	spoken  Language // in.language
	number  int32    // in.number
	stem    string   // in.stem
	word    *word
	in      *stemmed // the word in the language of the last text that has it; nil before the first
}

// atHand is the maximum number of words in a tally.
const atHand = 1 << 13

// NewCounter returns a counter for the pages of a crawl. It uses at most about 8 MB.
func NewCounter() *Counter { return newCounter(remembered) }

func newCounter(limit int) *Counter { return &Counter{limit: limit, known: make(map[string]*word)} }

// Count counts the stems of s, in the language that its words show.
func (c *Counter) Count(s string) Counts {
	counts, _ := c.CountPage("", s)
	return counts
}

// CountPage counts the stems of the text of a page that declares a language, and returns the language in which it was
// counted, see LanguageOf. Texts that belong to the page, such as those of its links, are counted in the same language.
func (c *Counter) CountPage(declared, s string) (Counts, Language) {
	t := c.take()
	c.read(s, t)
	l := t.language(declared)
	return c.counts(t, l), l
}

// CountIn counts the stems of s in a language.
func (c *Counter) CountIn(l Language, s string) Counts {
	t := c.take()
	c.read(s, t)
	return c.counts(t, l.orEnglish())
}

// language decides the language of its text.
func (t *tally) language(declared string) Language {
	var v votes
	for _, at := range t.list {
		e := &t.words[at]
		v.add(e.stopIn, int(e.times))
	}
	return v.language(declared)
}

// counts counts the stems of a tally and gives it back.
func (c *Counter) counts(t *tally, l Language) Counts {
	c.learn(t, l)
	counts := make(Counts, len(t.list))
	for _, at := range t.list {
		e := &t.words[at]
		if e.stem != "" {
			counts[e.stem] += int(e.times)
			e.total += int(e.times)
		}
	}
	c.giveBack(t)
	return counts
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
	t.list, t.fresh = t.list[:0], t.fresh[:0]
	return t
}

// giveBack puts a tally by. One with many words loses them; the room that a huge text took is not kept.
func (c *Counter) giveBack(t *tally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(t.words) > atHand {
		t.settle()
		if len(t.words) > 2*atHand {
			return
		}
		clear(t.at)
		clear(t.words)
		t.words = t.words[:0]
	}
	c.idle = append(c.idle, t)
}

// settle adds the totals to those of the words; Counter.mu must be held.
func (t *tally) settle() {
	for i := range t.words {
		t.words[i].settle()
	}
}

func (e *entry) settle() {
	if e.total > 0 {
		e.in.times += e.total
		e.total = 0
	}
}

// read counts the words of s.
func (c *Counter) read(s string, t *tally) {
	t.separator = separator{word: t.separator.word[:0], unspaced: true}
	t.separator.each(s, func(w []byte, _ Span) bool {
		at, ok := t.at[string(w)]
		if !ok {
			at = c.fetch(w, t)
		}
		e := &t.words[at]
		if e.text != t.text {
			e.text, e.times = t.text, 0
			t.list = append(t.list, at)
		}
		e.times++
		return true
	})
}

// fetch takes a word to hand. The lock is held for no longer than that, so that nobody waits for a whole text.
func (c *Counter) fetch(written []byte, t *tally) int32 {
	at := int32(len(t.words))
	c.mu.RLock()
	w := c.known[string(written)]
	c.mu.RUnlock()
	if w == nil {
		w = &word{written: string(written)}
		w.stopIn = stopIn[w.written]
	}
	t.words = append(t.words, entry{word: w, written: w.written, stopIn: w.stopIn, number: Unnumbered})
	t.at[w.written] = at
	return at
}

// learn finds the stems of the words of a text in a language, and remembers them.
func (c *Counter) learn(t *tally, l Language) {
	for _, at := range t.list {
		if e := &t.words[at]; e.spoken != l || e.in == nil {
			t.fresh = append(t.fresh, at)
		}
	}
	if len(t.fresh) == 0 {
		return
	}
	known, made := make([]bool, len(t.fresh)), make([]stemmed, len(t.fresh))
	c.mu.RLock()
	for i, at := range t.fresh {
		known[i] = t.words[at].word.in(l) != nil
	}
	c.mu.RUnlock()
	for i, at := range t.fresh {
		if !known[i] {
			made[i].stem = t.words[at].word.stem(l)
			made[i].number = c.numberOf(made[i].stem)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, at := range t.fresh {
		e := &t.words[at]
		c.note(e)
		if e.in = e.word.in(l); e.in == nil {
			if known[i] { // somebody else has made the counter begin anew meanwhile
				made[i].stem = e.word.stem(l)
				made[i].number = c.numberOf(made[i].stem)
			}
			made[i].language, made[i].next = l, e.word.stems
			e.in, e.word.stems = &made[i], &made[i]
		}
		e.stem, e.number, e.spoken = e.in.stem, e.in.number, l
	}
}

// note takes an entry's word for the one that the counter knows, or makes it known. Counter.mu must be held.
func (c *Counter) note(e *entry) {
	e.settle()
	if same := c.known[e.word.written]; same != nil {
		e.word = same
		return
	}
	if len(c.known) >= c.limit {
		clear(c.known)
	}
	c.known[e.word.written] = e.word
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
	for _, t := range c.idle {
		t.settle()
	}
	type most struct {
		word  *word
		times int
	}
	best := make(map[string]most)
	for _, w := range c.known {
		for s := w.stems; s != nil; s = s.next {
			b := best[s.stem]
			if s.stem != "" && (b.word == nil || s.times > b.times || s.times == b.times && w.written < b.word.written) {
				best[s.stem] = most{w, s.times}
			}
		}
	}
	out := make(map[string]string, len(best))
	for stem, b := range best {
		out[stem] = b.word.written
	}
	return out
}

package text

import (
	"strings"
	"sync"
)

// remembered is the number of words that a Counter keeps: most words of a crawl, in about 8 MB.
const remembered = 1 << 16

// Counter counts the stems of texts one by one. It remembers the stems of words, as stemming takes most of the time. It is
// safe for concurrent use. The counts of a text do not depend on the texts before it.
type Counter struct {
	limit int // words remembered at most; with one more it begins anew

	mu    sync.RWMutex
	known map[string]*word
	idle  []*tally // as many as texts were ever counted at the same time
}

// word is a word as written, in lower case.
type word struct {
	written string
	stem    string // "" for a stop word, and for one that is not known yet
	times   int    // occurrences in all texts, less those that tallies still hold
}

// tally is how often each word of one text occurs. Between texts it keeps the words at hand: the frequent words of a
// language are few, and looked up among few they are in the processor's cache.
type tally struct {
	at    map[string]int32 // word as written -> its place in words
	words []entry
	text  int     // number of the text
	list  []int32 // places of the words of the text
	fresh []int32 // places of those that the counter does not know
}

type entry struct {
	word  *word
	text  int // the last one that has the word
	times int // in that text
	total int // in all texts that word.times does not count yet: cores that count together would slow each other there
}

// atHand is how many words a tally keeps at most.
const atHand = 1 << 13

// NewCounter returns a counter for the pages of a crawl. It uses at most about 8 MB.
func NewCounter() *Counter { return newCounter(remembered) }

func newCounter(limit int) *Counter {
	return &Counter{limit: limit, known: make(map[string]*word)}
}

// Count counts the stems of s.
func (c *Counter) Count(s string) Counts {
	t := c.take()
	c.read(s, t)
	c.learn(t)
	counts := make(Counts, len(t.list))
	for _, at := range t.list {
		e := &t.words[at]
		if e.word.stem != "" {
			counts[e.word.stem] += e.times
			e.total += e.times
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
		e := &t.words[i]
		e.word.times += e.total
		e.total = 0
	}
}

// read counts the words of s.
func (c *Counter) read(s string, t *tally) {
	for run := range runs(s) {
		at, met := t.at[string(run)]
		if !met {
			at = c.fetch(run, t)
		}
		e := &t.words[at]
		if e.text != t.text {
			e.text, e.times = t.text, 0
			t.list = append(t.list, at)
		}
		e.times++
	}
}

// fetch takes a word to hand. The lock is held for no longer than that, so that nobody waits for a whole text.
func (c *Counter) fetch(run []byte, t *tally) int32 {
	at := int32(len(t.words))
	c.mu.RLock()
	w := c.known[string(run)]
	c.mu.RUnlock()
	if w == nil {
		w = &word{written: string(run)}
		t.fresh = append(t.fresh, at)
	}
	t.at[w.written] = at
	t.words = append(t.words, entry{word: w})
	return at
}

// learn stems the words of a text that are not known, and remembers them.
func (c *Counter) learn(t *tally) {
	if len(t.fresh) == 0 {
		return
	}
	for _, at := range t.fresh {
		if w := t.words[at].word; !stopWords[w.written] {
			w.stem = Stem(w.written)
			if strings.HasPrefix(w.written, w.stem) {
				w.stem = w.written[:len(w.stem)] // the same bytes once in memory
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, at := range t.fresh {
		w := t.words[at].word
		if same := c.known[w.written]; same != nil { // somebody else has met it meanwhile
			t.words[at].word = same
			continue
		}
		if len(c.known) >= c.limit {
			clear(c.known)
		}
		c.known[w.written] = w
	}
}

// written gives for each stem the word most often written for it, in all texts counted; of words written equally often
// the first in the alphabet. It wants a counter that has not begun anew.
func (c *Counter) written() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.idle {
		t.settle()
	}
	best := make(map[string]*word)
	for _, w := range c.known {
		b := best[w.stem]
		if w.stem != "" && (b == nil || w.times > b.times || w.times == b.times && w.written < b.written) {
			best[w.stem] = w
		}
	}
	out := make(map[string]string, len(best))
	for stem, w := range best {
		out[stem] = w.written
	}
	return out
}

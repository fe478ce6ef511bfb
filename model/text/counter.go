package text

import (
	"sync"
	"sync/atomic"
)

// remembered is how many words a Counter keeps: most of what a crawl meets, in about 8 MB.
const remembered = 1 << 16

// Counter counts the stems of texts one by one, and remembers the stems of the words it has met, as stemming takes most
// of the time. It is safe for concurrent use. What it gives for a text does not depend on what it has met before.
type Counter struct {
	limit   int       // words remembered at most; with one more it begins anew
	scratch sync.Pool // of *tally

	mu    sync.RWMutex
	known map[string]*word
}

// word is a word as written, in lower case.
type word struct {
	written string
	stem    string // "" for a stop word, and for one that is not known yet
	times   atomic.Int64
}

// tally is how often each word of one text occurs.
type tally struct {
	list  []occurrences
	at    map[string]int // word as written -> its place in list; small, where Counter.known would miss the cache
	fresh []int          // places of the words that are not known
}

type occurrences struct {
	word  *word
	times int
}

// NewCounter makes a counter for the pages of a crawl. It holds on to about 8 MB at most.
func NewCounter() *Counter { return newCounter(remembered) }

func newCounter(limit int) *Counter {
	return &Counter{limit: limit, known: make(map[string]*word), scratch: sync.Pool{New: func() any { return newTally() }}}
}

// Count counts the stems of s.
func (c *Counter) Count(s string) Counts {
	t := c.scratch.Get().(*tally)
	c.read(s, t)
	c.learn(t)
	counts := make(Counts, len(t.list))
	for _, o := range t.list {
		if o.word.stem != "" {
			counts[o.word.stem] += o.times
			o.word.times.Add(int64(o.times))
		}
	}
	if len(t.list) <= usual {
		t.reset()
		c.scratch.Put(t)
	}
	return counts
}

// usual is how many different words few texts exceed. The room for more is not kept.
const usual = 4096

func newTally() *tally { return &tally{at: make(map[string]int)} }

func (t *tally) reset() {
	clear(t.list)
	clear(t.at)
	t.list, t.fresh = t.list[:0], t.fresh[:0]
}

// read counts the words of s.
func (c *Counter) read(s string, t *tally) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for run := range runs(s) {
		if at, met := t.at[string(run)]; met {
			t.list[at].times++
			continue
		}
		w := c.known[string(run)]
		if w == nil {
			w = &word{written: string(run)}
			t.fresh = append(t.fresh, len(t.list))
		}
		t.at[w.written] = len(t.list)
		t.list = append(t.list, occurrences{w, 1})
	}
}

// learn stems the words of a text that are not known, and remembers them.
func (c *Counter) learn(t *tally) {
	if len(t.fresh) == 0 {
		return
	}
	for _, at := range t.fresh {
		if w := t.list[at].word; !stopWords[w.written] {
			w.stem = Stem(w.written)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, at := range t.fresh {
		w := t.list[at].word
		if same := c.known[w.written]; same != nil { // somebody else has met it meanwhile
			t.list[at].word = same
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
	c.mu.RLock()
	defer c.mu.RUnlock()
	best := make(map[string]*word)
	for _, w := range c.known {
		b, n := best[w.stem], w.times.Load()
		if w.stem != "" && (b == nil || n > b.times.Load() || n == b.times.Load() && w.written < b.written) {
			best[w.stem] = w
		}
	}
	out := make(map[string]string, len(best))
	for stem, w := range best {
		out[stem] = w.written
	}
	return out
}

package text

import (
	"context"
	"math"

	"nightjar/model/internal/parallel"
)

// Counts holds how often each stem occurs in a text: stem -> occurrences, all at least 1.
type Counts map[string]int

// Count counts the stems of s. surface gives for each stem the word most often written for it (the first in the
// alphabet of those written equally often), so that people see words and not stems.
//
// Who counts many texts is better off with a Counter or CountAll, which stem a word only when they first meet it.
func Count(s string) (counts Counts, surface map[string]string) {
	c := newCounter(math.MaxInt)
	return c.Count(s), c.written()
}

// CountAll counts the stems of each text on all cores. surface gives for each stem the word most often written for it in
// all the texts together (the first in the alphabet of those written equally often). The result depends on the texts
// only. progress, which may be nil, is called in the caller's goroutine with the number of texts counted.
//
// The error is ctx.Err(), when ctx ends first; then there are no counts.
func CountAll(ctx context.Context, texts []string, progress func(done int)) (counts []Counts, surface map[string]string, err error) {
	c := newCounter(math.MaxInt) // what it remembers is no more than the texts hold
	counts = make([]Counts, len(texts))
	err = parallel.EachUntil(ctx, len(texts), func(i int) { counts[i] = c.Count(texts[i]) }, progress)
	if err != nil {
		return nil, nil, err
	}
	return counts, c.written(), nil
}

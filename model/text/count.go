package text

import (
	"context"
	"math"

	"nightjar/model/internal/parallel"
)

// Counts holds how often each stem occurs in a text: stem -> occurrences, all at least 1.
type Counts map[string]int

// Count counts the stems of s. surface holds for each stem its most frequent spelling (on a tie the first in the alphabet),
// so that people see words and not stems.
//
// For many texts use a Counter or CountAll, which stem each word only once.
func Count(s string) (counts Counts, surface map[string]string) {
	c := newCounter(math.MaxInt)
	return c.Count(s), c.written()
}

// CountAll counts the stems of each text on all cores. surface holds for each stem its most frequent spelling in all the
// texts together (on a tie the first in the alphabet). The result depends on the texts only. progress, which may be nil, is
// called in the caller's goroutine with the number of texts counted.
//
// When ctx ends first, the error is ctx.Err(), and there are no counts.
func CountAll(ctx context.Context, texts []string, progress func(done int)) (counts []Counts, surface map[string]string, err error) {
	c := newCounter(math.MaxInt) // what it remembers is no more than the texts hold
	counts = make([]Counts, len(texts))
	err = parallel.EachUntil(ctx, len(texts), func(i int) { counts[i] = c.Count(texts[i]) }, progress)
	if err != nil {
		return nil, nil, err
	}
	return counts, c.written(), nil
}

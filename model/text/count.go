package text

import (
	"context"
	"math"

	"nightjar/model/internal/parallel"
)

// Counts holds how often each stem occurs in a text: stem -> occurrences, all at least 1.
type Counts map[string]int

// Source is the text of a page, and the language that the page declares, "" for none.
type Source struct{ Text, Declared string }

// Count counts the stems of s, in the language that its words show. surface holds for each stem its most frequent spelling
// (on a tie the first in the alphabet), so that people see words and not stems.
//
// For many texts use a Counter, CountAll or CountPages, which stem each word only once.
func Count(s string) (counts Counts, surface map[string]string) {
	c := newCounter(math.MaxInt)
	return c.Count(s), c.written()
}

// CountAll is CountPages for texts whose pages declare no language.
func CountAll(ctx context.Context, texts []string, progress func(done int)) (counts []Counts, surface map[string]string, err error) {
	sources := make([]Source, len(texts))
	for i, s := range texts {
		sources[i].Text = s
	}
	counts, _, surface, err = CountPages(ctx, sources, progress)
	return counts, surface, err
}

// CountPages counts the stems of each text on all cores, each in the language that language holds, see LanguageOf. surface
// holds for each stem its most frequent spelling in all the texts together (on a tie the first in the alphabet). The result
// depends on the texts only. progress, which may be nil, is called in the caller's goroutine with the number of texts counted.
//
// When ctx ends first, the error is ctx.Err(), and there are no counts.
func CountPages(ctx context.Context, pages []Source, progress func(done int)) (counts []Counts, language []Language, surface map[string]string, err error) {
	c := newCounter(math.MaxInt) // what it remembers is no more than the texts hold
	counts, language = make([]Counts, len(pages)), make([]Language, len(pages))
	err = parallel.EachUntil(ctx, len(pages), func(i int) {
		counts[i], language[i] = c.CountPage(pages[i].Declared, pages[i].Text)
	}, progress)
	if err != nil {
		return nil, nil, nil, err
	}
	return counts, language, c.written(), nil
}

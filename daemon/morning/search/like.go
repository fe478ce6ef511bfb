package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
	"nightjar/model/text"
)

// Sizes of Like.
const (
	frequent = 24   // a page's most frequent words, whose telling ones are looked for
	telling  = 10   // the words that are searched for
	tooMany  = 1000 // pages with a word from which on it is not searched for in a large index
	tooFew   = 2    // pages with a word, this one included
)

// Like returns the pages with the most telling words of another one, best first, with their number and these words: the
// words that are frequent on the page and rare elsewhere (TF-IDF). It returns store.ErrNotFound when the page is not
// indexed.
func Like(ctx context.Context, s *store.Store, url string, limit int) ([]Hit, []string, error) {
	e, err := Entry(ctx, s.DB, url)
	if err != nil {
		return nil, nil, err
	}
	body, err := bodyText(ctx, s, url, e.Hash)
	if err != nil {
		return nil, nil, err
	}
	all, written := frequentWords(e.Title, body)
	counts, pages, err := Counts(ctx, s.DB, all)
	if err != nil {
		return nil, nil, err
	}
	chosen := rarest(all, counts, pages)
	if len(chosen) == 0 {
		return nil, nil, nil
	}
	hits, _, err := Search(ctx, s, Filter{Any: chosen, Without: url, Limit: limit})
	for i, w := range chosen {
		chosen[i] = written[w]
	}
	return hits, chosen, err
}

// frequentWords returns a page's most frequent words without stop words, the most frequent first, and one written form of
// each. A word of the title counts three times more.
func frequentWords(title, body string) (all []string, written map[string]string) {
	stems, _ := text.Count(title + "\n" + body) // has no stop words
	times, written := map[string]int{}, map[string]string{}
	count := func(s string, weight int) {
		for t := range words.Tokens(s) {
			as := s[t.Start:t.End]
			if len(t.Word) > 2 && (stems[t.Word] > 0 || !isASCII(as)) {
				times[t.Word] += weight
				written[t.Word] = as
			}
		}
	}
	count(body, 1)
	count(title, 3)
	for w := range times {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(times[b]-times[a], cmp.Compare(a, b)) })
	return all[:min(frequent, len(all))], written
}

// rarest returns the most telling of a page's words, which are ordered by how frequent they are there.
func rarest(all []string, counts map[string]int, pages int) []string {
	most := max(tooMany, 2)
	if pages <= tooMany {
		most = max(tooFew, pages/2) // in a small index, a word of most pages tells nothing
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return counts[w] < tooFew || counts[w] > most })
	weight := func(w string) float64 {
		return math.Log(float64(pages+1)/float64(counts[w])) / math.Log(float64(2+slices.Index(all, w)))
	}
	slices.SortStableFunc(kept, func(a, b string) int { return cmp.Compare(weight(b), weight(a)) })
	return kept[:min(telling, len(kept))]
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

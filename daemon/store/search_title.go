package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"nightjar/daemon/search/words"
)

// How a title found a page, in the order in which they are tried.
const (
	TitlePhrase = "phrase" // the words one after the other, in the title or in the text
	TitleNear   = "near"   // all words, in any order, with at most TitleGap words between the first and the last
	TitleWords  = "words"  // six in ten of the different words, in the title or in the text
)

// The search for a title.
const (
	TitleGap    = 30 // words
	TitleEnough = 3  // hits with which no further stage is tried
	titleLength = 64 // words of a title; what goes beyond is left out
)

// TitleHit is a page that a title found.
type TitleHit struct {
	SearchHit
	Stage string // TitlePhrase, TitleNear or TitleWords
}

// SearchTitle returns at most limit pages that have a title in their own title or text: as a phrase; if these are fewer
// than TitleEnough, with all words near each other; if they are still fewer, with most of the words. The hits of a stage
// are ordered by BM25, then newest first. Every text is a title; one without words finds nothing.
func (s *Store) SearchTitle(ctx context.Context, title string, limit int) ([]TitleHit, error) {
	all := words.List(title)
	all = all[:min(len(all), titleLength)]
	if len(all) == 0 || limit <= 0 {
		return nil, nil
	}
	var hits []TitleHit
	for _, stage := range []struct {
		name string
		find func(context.Context, []string) ([]rankedID, error)
	}{{TitlePhrase, s.titlePhrase}, {TitleNear, s.titleNear}, {TitleWords, s.titleWords}} {
		ranked, err := stage.find(ctx, all)
		if err == nil {
			hits, err = s.addTitleHits(ctx, hits, ranked, stage.name, limit)
		}
		if err != nil {
			return nil, fmt.Errorf("search for a title: %w", err)
		}
		if len(hits) >= min(TitleEnough, limit) {
			break
		}
	}
	return hits, nil
}

// addTitleHits adds the entries that are not hits yet.
func (s *Store) addTitleHits(
	ctx context.Context, hits []TitleHit, ranked []rankedID, stage string, limit int,
) ([]TitleHit, error) {
	known := map[string]bool{}
	for _, h := range hits {
		known[h.URL] = true
	}
	found, err := s.searchHits(ctx, ranked[:min(len(ranked), limit)])
	for _, h := range found {
		if !known[h.URL] && len(hits) < limit {
			hits = append(hits, TitleHit{h, stage})
		}
	}
	return hits, err
}

// inPage names the columns in which titles are looked for: those with what a page says.
const inPage = "{title body} : "

func (s *Store) titlePhrase(ctx context.Context, title []string) ([]rankedID, error) {
	return s.bestOf(ctx, inPage+phrase(title), 1)
}

func (s *Store) titleNear(ctx context.Context, title []string) ([]rankedID, error) {
	quoted := `"` + strings.Join(different(title), `" "`) + `"`
	return s.bestOf(ctx, fmt.Sprintf("%sNEAR(%s, %d)", inPage, quoted, TitleGap), 1)
}

// titleWords finds the entries with enough of the words. One with k of n words has at least one of any n-k+1 of them, so
// only entries with one of the n-k+1 rarest are looked at.
func (s *Store) titleWords(ctx context.Context, title []string) ([]rankedID, error) {
	title = different(title)
	counts := map[string]int{}
	for _, w := range title {
		n, err := s.countWord(ctx, anyOf([]string{w}))
		if err != nil {
			return nil, err
		}
		counts[w] = n
	}
	slices.SortStableFunc(title, func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
	need := titleNeed(len(title))
	one := anyOf(title[:len(title)-need+1])
	has, err := s.countWords(ctx, title, one)
	if err != nil {
		return nil, err
	}
	// As in other searches, words of very many pages do not count for the rank.
	telling := slices.DeleteFunc(slices.Clone(title), func(w string) bool { return counts[w] > SearchCap })
	if len(telling) == 0 {
		telling = title[:1]
	}
	ranked, err := s.bestOf(ctx, anyOf(telling), len(telling))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ranked, func(r rankedID) bool { return has[r.id] < need }), nil
}

// titleNeed returns how many of n different words of a title a page must have in the stage TitleWords.
func titleNeed(n int) int { return (n*6 + 9) / 10 }

// countWords counts how many of some words each entry has that an expression selects, at most SearchCap of these, newest
// first.
func (s *Store) countWords(ctx context.Context, title []string, one string) (map[int64]int, error) {
	has := map[int64]int{}
	ids, err := s.matching(ctx, matcher{}, one)
	if err != nil || len(ids) == 0 {
		return has, err
	}
	for _, w := range title {
		with, err := s.matchingOf(ctx, "("+one+") AND ("+anyOf([]string{w})+")", ids)
		if err != nil {
			return nil, err
		}
		for _, id := range with {
			has[id]++
		}
	}
	return has, nil
}

// bestOf returns the entries that an expression selects by BM25, at most times SearchCap. A word in the title counts as
// much as eight in the text.
func (s *Store) bestOf(ctx context.Context, expression string, times int) ([]rankedID, error) {
	all, err := query(ctx, s.r, func(row scanner) (r rankedID, err error) { return r, row.Scan(&r.id, &r.rank) },
		`SELECT rowid, -bm25(search_words, 8.0, 3.0, 1.0, 0.0) FROM search_words
		WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT ?`,
		expression, times*SearchCap)
	slices.SortFunc(all, func(a, b rankedID) int { return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.id, a.id)) })
	return all, err
}

// anyOf returns an expression for entries with one of some words in their title or text.
func anyOf(all []string) string { return inPage + "(" + anyPhrase(all) + ")" }

// different returns the words without repetitions, in order.
func different(all []string) []string {
	var kept []string
	for _, w := range all {
		if !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	return kept
}

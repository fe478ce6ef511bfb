package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
)

// Limits of Suggest.
const (
	suggestWords = 3           // words of a query that are corrected
	suggestTime  = time.Second // for a query
)

// Suggest returns the query of a filter with words of stored pages in place of words that no page has and that are one
// typing error away. It returns "" when there is none, when such a query finds nothing, when looking takes too long, and for
// all but the first page of hits.
func Suggest(ctx context.Context, s *store.Store, f Filter) (string, error) {
	if f.After > 0 {
		return "", nil
	}
	within, cancel := context.WithTimeout(ctx, suggestTime)
	defer cancel()
	better, err := suggest(within, s, f.Text)
	if err == nil && better != "" {
		f.Text, f.After, f.Limit = better, 0, 1
		var total int
		if _, total, err = Hits(within, s.DB, f); total == 0 {
			better = ""
		}
	}
	if err != nil && ctx.Err() == nil && errors.Is(within.Err(), context.DeadlineExceeded) {
		return "", nil
	}
	return better, err
}

// suggest corrects the words of a query. It returns "" when there is nothing to correct.
func suggest(ctx context.Context, s *store.Store, query string) (string, error) {
	var b strings.Builder
	end, corrected := 0, 0
	for _, t := range words.Parse(query).With {
		for token := range words.Tokens(query[t.From:t.To]) {
			if corrected == suggestWords {
				break
			}
			from, to := t.From+token.Start, t.From+token.End
			better, err := correct(ctx, s, token, query[from:to])
			if err != nil {
				return "", err
			}
			if better != "" {
				b.WriteString(query[end:from] + better)
				end, corrected = to, corrected+1
			}
		}
	}
	if corrected == 0 {
		return "", nil
	}
	return b.String() + query[end:], nil
}

// correct returns the word that a person may have meant, as pages have it, or "" when a page has the word as it is, or none a
// word near it.
func correct(ctx context.Context, s *store.Store, token words.Token, typed string) (string, error) {
	if has, err := Has(ctx, s.DB, token.Word); err != nil || has {
		return "", err
	}
	near := words.Near(token.Whole)
	stems := make([]string, len(near))
	for i, n := range near {
		stems[i] = n.Word
	}
	slices.Sort(stems)
	known, err := indexed(ctx, s, slices.Compact(stems))
	if err != nil {
		return "", err
	}
	counts, _, err := Counts(ctx, s.DB, known)
	if err != nil {
		return "", err
	}
	near = slices.DeleteFunc(near, func(n words.Token) bool { return counts[n.Word] == 0 })
	if len(near) == 0 {
		return "", nil
	}
	// The first letter is seldom wrong. Of several words, the one of most pages is meant.
	best := slices.MinFunc(near, func(a, b words.Token) int {
		return cmp.Or(sameBegin(b.Whole, token.Whole)-sameBegin(a.Whole, token.Whole), counts[b.Word]-counts[a.Word])
	})
	return written(ctx, s, best, typed)
}

// indexed returns those of some words that a page has. Most of many have none: it asks for many at once, and then for the halves
// of those of which there are some.
func indexed(ctx context.Context, s *store.Store, all []string) ([]string, error) {
	const atOnce = 100
	if len(all) == 0 {
		return nil, nil
	}
	if len(all) <= atOnce {
		switch has, err := Has(ctx, s.DB, all...); {
		case err != nil || !has:
			return nil, err
		case len(all) == 1:
			return all, nil
		}
	}
	a, err := indexed(ctx, s, all[:len(all)/2])
	if err != nil {
		return nil, err
	}
	b, err := indexed(ctx, s, all[len(all)/2:])
	return slices.Concat(a, b), err
}

// sameBegin returns 1 when words begin with the same letter, 0 otherwise.
func sameBegin(a, b string) int {
	if []rune(a)[0] == []rune(b)[0] {
		return 1
	}
	return 0
}

// written returns a word as a page has it: in the form that was meant or, if the page lacks it, in another form of the same
// stem. It is in lower case when the person typed it so.
func written(ctx context.Context, s *store.Store, w words.Token, typed string) (string, error) {
	hits, _, err := Hits(ctx, s.DB, Filter{Any: []string{w.Word}, Limit: 1})
	if err != nil || len(hits) == 0 {
		return "", err
	}
	body, err := bodyText(ctx, s, hits[0].URL, hits[0].Hash)
	if err != nil {
		return "", err
	}
	form, page := w.Whole, hits[0].Title+"\n"+body
	for t := range words.Tokens(page) {
		if t.Word != w.Word {
			continue
		}
		if form = visible(page[t.Start:t.End]); t.Whole == w.Whole {
			break
		}
	}
	if !strings.ContainsFunc(typed, unicode.IsUpper) {
		form = strings.ToLower(form)
	}
	return form, nil
}

// visible leaves out characters that cannot be seen.
func visible(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, word)
}

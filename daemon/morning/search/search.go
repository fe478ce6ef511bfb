package search

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/weburl"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
	"nightjar/model/text"
)

// Search returns what Hits returns, with snippets.
func Search(ctx context.Context, s *store.Store, f Filter) ([]Hit, int, error) {
	hits, total, err := Hits(ctx, s.DB, f)
	if err != nil {
		return nil, 0, err
	}
	return hits, total, fillSnippets(ctx, s, hits, terms(f))
}

// Term is words that a query asks for.
type Term = words.Term

// Terms returns what queries ask for, so that Mark can mark it: without stop words, unless there is nothing else.
func Terms(queries ...string) []Term {
	var all []Term
	for _, q := range queries {
		all = append(all, words.Parse(q).With...)
	}
	if telling := slices.DeleteFunc(slices.Clone(all), stopWord); len(telling) > 0 {
		return telling
	}
	return all
}

// stopWord reports whether a term is an English word without a topic, such as "the".
func stopWord(t Term) bool {
	if len(t.Words) > 1 || strings.ContainsFunc(t.Words[0], func(r rune) bool { return r < 'a' || r > 'z' }) {
		return false
	}
	stems, _ := text.Count(t.Words[0])
	return len(stems) == 0
}

// terms are the words to mark.
func terms(f Filter) []words.Term {
	all := Terms(f.Text)
	for _, w := range f.Any {
		all = append(all, Term{Words: []string{w}})
	}
	return all
}

// fillSnippets reads the pages of hits, several at once, and cuts their snippets.
func fillSnippets(ctx context.Context, s *store.Store, hits []Hit, terms []words.Term) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for i := range hits {
		group.Go(func() error {
			body, err := bodyText(ctx, s, hits[i].URL, hits[i].Hash)
			hits[i].Snippet = Snippet(withoutTitle(body, hits[i].Title), terms)
			return err
		})
	}
	return group.Wait()
}

// withoutTitle leaves out a first line that says the title again.
func withoutTitle(body, title string) string {
	if first, rest, ok := strings.Cut(body, "\n"); ok && strings.TrimSpace(first) == strings.TrimSpace(title) {
		return rest
	}
	return body
}

// addressWords returns the words of an address: its host without www, its path and its query, without escapes.
func addressWords(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return words.Join(address)
	}
	host := strings.TrimPrefix(weburl.Host(address), "www.")
	return words.Join(host + " " + u.Path + " " + weburl.Unescape(u.RawQuery))
}

// Title returns what FindTitle returns for pages about a title, with snippets.
func Title(ctx context.Context, s *store.Store, title string, limit int) ([]TitleHit, error) {
	found, err := FindTitle(ctx, s.DB, title, limit, false)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, len(found))
	for i, h := range found {
		hits[i] = h.Hit
	}
	all := []Term{{Words: words.List(title)}}
	for _, w := range all[0].Words {
		if t := (Term{Words: []string{w}}); !stopWord(t) {
			all = append(all, t)
		}
	}
	err = fillSnippets(ctx, s, hits, all)
	for i := range found {
		found[i].Hit = hits[i]
	}
	return found, err
}

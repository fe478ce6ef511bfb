package api

import (
	"context"
	"strconv"

	"nightjar/daemon/morning/search"
)

// maxSkip bounds how far a search can be read on; SearchCap hits are counted.
const maxSkip = 10_000

// search searches everything that was visited and fetched. Hits are in order of their rank, so the cursor is a number of
// hits to skip.
func (r *Reader) search(ctx context.Context, q *query) (any, error) {
	f := search.Filter{Text: q.text("q"), Topic: q.id("topic"), Site: q.text("site"), Since: q.time("since"),
		Until: q.time("until"), After: int(min(q.cursor(), maxSkip)), Limit: q.limit(20, 100),
		Kind: q.oneOf("kind", "", search.Visited, search.Found, search.Fetched)}
	if f.Text == "" {
		q.bad("q must say what to look for")
	}
	if q.err != nil {
		return nil, q.err
	}
	hits, total, err := search.Search(ctx, r.Store, f)
	if err != nil {
		return nil, err
	}
	better, err := search.Suggest(ctx, r.Store, f)
	if err != nil {
		return nil, err
	}
	list := HitList{Hits: []Hit{}, Total: total, DidYouMean: Plain(better)}
	for _, h := range hits {
		list.Hits = append(list.Hits, hitOf(h))
	}
	if next := f.After + len(hits); len(hits) == f.Limit && next < total {
		list.Next = strconv.Itoa(next)
	}
	return list, nil
}

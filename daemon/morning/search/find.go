package search

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

// Kinds of pages, for a Filter and in a Hit.
const (
	Visited = "visited"
	Found   = "found"
	Fetched = "fetched"
)

// Cap is the largest number of pages that a search counts and ranks. A word of more pages says so little that it
// does not count for the rank.
const Cap = 5000

// Enough is the number of pages with the words of a query from which on no pages are looked for that have longer words
// only.
const Enough = 20

// longerTime bounds the search for pages with longer words: very many words may begin with three letters. Without the answer,
// there are only pages with whole words.
const longerTime = 2 * time.Second

// Filter selects pages. Without Text, it selects the pages that fit the rest, newest first; the zero value selects
// none.
type Filter struct {
	Text         string    // as a person typed it; see words.Parse
	Any          []string  // words (words.Tokens) of which a page must have one; see SearchLike
	Topic        int64     // visited in the topic's sessions or fetched by its crawls, or its members'; 0 for every topic
	Site         string    // host, with the hosts below it; "" for every site
	Kind         string    // Visited, Found, Fetched, or "" for all
	Since, Until time.Time // last visited or fetched in [Since, Until); zero for no limit
	Without      string    // an address to leave out
	After, Limit int       // number of hits to skip and to return; Limit 0 means 20
}

// Hit is a page that a search found.
type Hit struct {
	Kind    string // Visited before Found before Fetched
	URL     string
	Title   string
	Site    string    // host
	At      time.Time // last visited or fetched
	Topic   string    // name, of the last session or crawl; "" if it is gone
	FindID  int64     // 0 if it is no find
	PageID  int64     // 0 if it was not visited
	FetchID int64     // 0 if no crawl fetched it
	Snippet []SnippetPart
	Rank    float64 // larger is better; 0 if no word of the query is rare enough to tell pages apart
	Hash    []byte  // of its content; nil if that is not stored
}

// SnippetPart is a piece of a snippet. Store.Search does not fill snippets, since it cannot read HTML; search.Search does.
type SnippetPart struct {
	Text string
	Hit  bool // a word of the query
}

// Hits returns the pages that a filter selects, best first, and their number, at most Cap. Every text is a query;
// one without words and sites selects nothing. If few pages have the words, pages follow that have longer words which begin
// with them.
func Hits(ctx context.Context, d *db.DB, f Filter) ([]Hit, int, error) {
	ranked, err := searchIDs(ctx, d, f)
	if err != nil {
		return nil, 0, fmt.Errorf("search: %w", err)
	}
	total := min(len(ranked), Cap)
	shown := ranked[min(max(f.After, 0), total):total]
	limit := f.Limit
	if limit <= 0 {
		limit = 20
	}
	shown = shown[:min(limit, len(shown))]
	hits, err := searchHits(ctx, d, shown)
	return hits, total, db.Wrap(err, "read hits")
}

// rankedID is the id of an entry with its rank.
type rankedID struct {
	id   int64
	rank float64
}

// searchIDs returns the ids of the entries that a filter selects, at most Cap, best first.
func searchIDs(ctx context.Context, d *db.DB, f Filter) ([]rankedID, error) {
	m, err := matcherFor(ctx, d, f)
	if err != nil || m.all == "" {
		return nil, err
	}
	ranked, err := rank(ctx, d, m)
	if err != nil || m.longer == "" || len(ranked) >= Enough {
		return ranked, err
	}
	within, cancel := context.WithTimeout(ctx, longerTime)
	defer cancel()
	m.all, m.rare, m.title = m.longer, m.longer, ""
	more, err := rank(within, d, m)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return ranked, nil
	}
	known := map[int64]bool{}
	for _, r := range ranked {
		known[r.id] = true
	}
	return append(ranked, slices.DeleteFunc(more, func(r rankedID) bool { return known[r.id] })...), err
}

// rank returns the ids of the entries that a matcher selects, at most Cap, best first.
func rank(ctx context.Context, d *db.DB, m matcher) ([]rankedID, error) {
	ids, err := matching(ctx, d, m, m.all)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if m.title == "" && m.rare == "" {
		return newest(ctx, d, ids)
	}
	scores, err := scores(ctx, d, m)
	if err != nil {
		return nil, err
	}
	ranked := make([]rankedID, len(ids))
	for i, id := range ids {
		ranked[i] = rankedID{id, scores[id]}
	}
	if err := favour(ctx, d, m, ids, ranked); err != nil {
		return nil, err
	}
	slices.SortFunc(ranked, func(a, b rankedID) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.id, a.id))
	})
	return ranked, nil
}

// matching returns the ids of the entries that an expression selects, at most Cap, and only those of the filter's
// dates.
func matching(ctx context.Context, d *db.DB, m matcher, expression string) ([]int64, error) {
	const newest = ` ORDER BY rowid DESC LIMIT ?`
	if m.since == 0 && m.until == 0 && m.without == "" {
		return db.Query(ctx, d.Readers, db.ScanID, `SELECT rowid FROM search_words WHERE search_words MATCH ?`+newest, expression, Cap)
	}
	return db.Query(ctx, d.Readers, db.ScanID, `SELECT w.rowid FROM search_words w CROSS JOIN search_entries e ON e.id = w.rowid
		WHERE w.search_words MATCH ? AND e.at >= ? AND e.at < ? AND e.url <> ? ORDER BY w.rowid DESC LIMIT ?`,
		expression, m.since, cmp.Or(m.until, 1<<62), m.without, Cap)
}

// matchingOf returns those of some entries that an expression selects, perhaps with others, at most Cap. It reads the
// lists of words only from the first of the entries to the last one.
func matchingOf(ctx context.Context, d *db.DB, expression string, of []int64) ([]int64, error) {
	if len(of) == 0 {
		return nil, nil
	}
	return db.Query(ctx, d.Readers, db.ScanID, `SELECT rowid FROM search_words WHERE search_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?`,
		expression, slices.Min(of), slices.Max(of), Cap)
}

// newest returns entries without ranks, the last visited or fetched first.
func newest(ctx context.Context, d *db.DB, ids []int64) ([]rankedID, error) {
	return db.Query(ctx, d.Readers, func(row db.Scanner) (r rankedID, err error) { return r, row.Scan(&r.id) },
		`SELECT e.id FROM json_each(?) j CROSS JOIN search_entries e ON e.id = j.value ORDER BY e.at DESC, e.id DESC`, db.JSONList(ids))
}

// scores returns how well the entries fit the rare words of a query: BM25, where a word in the title counts as much as
// eight in the text, and one in the address as much as three.
func scores(ctx context.Context, d *db.DB, m matcher) (map[int64]float64, error) {
	if m.rare == "" {
		return nil, nil
	}
	return db.Pairs[int64, float64](ctx, d.Readers, `SELECT rowid, -bm25(search_words, 8.0, 3.0, 1.0, 0.0)
		FROM search_words WHERE search_words MATCH ? LIMIT ?`, m.rare, 2*Cap)
}

// favour raises pages whose title has all words, useful pages and finds a little.
func favour(ctx context.Context, d *db.DB, m matcher, of []int64, ranked []rankedID) error {
	for _, f := range []struct {
		expression  string
		times, plus float64
	}{
		{m.title, 1, 0.2},
		{m.all + " AND tags : " + tagFound, 1.1, 0.05},
		{m.all + " AND tags : " + tagUseful, 1.25, 0.1},
	} {
		if f.expression == "" {
			continue
		}
		ids, err := matchingOf(ctx, d, f.expression, of)
		if err != nil {
			return err
		}
		favoured := make(map[int64]bool, len(ids))
		for _, id := range ids {
			favoured[id] = true
		}
		for i, r := range ranked {
			if favoured[r.id] {
				ranked[i].rank = r.rank*f.times + f.plus
			}
		}
	}
	return nil
}

// searchHits reads the entries with these ids, in this order.
func searchHits(ctx context.Context, d *db.DB, ids []rankedID) ([]Hit, error) {
	var hits []Hit
	for _, r := range ids {
		h, err := scanHit(d.Readers.QueryRowContext(ctx, selectHit+`WHERE e.id = ?`, r.id))
		if err == sql.ErrNoRows {
			continue // erased a moment ago
		}
		if err != nil {
			return nil, err
		}
		h.Rank = r.rank
		hits = append(hits, h)
	}
	return hits, nil
}

const selectHit = `SELECT e.url, e.title, e.at, coalesce(t.name, ''), e.find_id, e.page_id, e.fetch_id, e.hash
	FROM search_entries e LEFT JOIN own_topics t ON t.id = e.topic_id `

func scanHit(row db.Scanner) (Hit, error) {
	var h Hit
	err := row.Scan(&h.URL, &h.Title, db.TimeOf(&h.At), &h.Topic, &h.FindID, &h.PageID, &h.FetchID, &h.Hash)
	h.Site = weburl.Host(h.URL)
	switch {
	case h.PageID != 0:
		h.Kind = Visited
	case h.FindID != 0:
		h.Kind = Found
	default:
		h.Kind = Fetched
	}
	return h, err
}

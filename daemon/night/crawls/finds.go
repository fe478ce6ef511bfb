package crawls

import (
	"context"
	"database/sql"

	"nightjar/crawler"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// putFind stores a relevant page as a find if it is new to the person: not visited under any of its addresses, not on a
// refused site, and neither found before for the topic or its members nor a copy of such a find. Otherwise it returns 0.
// A page that the person was only asked about becomes a find, unless its mark stands.
func (j *Journal) putFind(ctx context.Context, tx *sql.Tx, fetchID int64, f *crawler.Fetch) (id int64, err error) {
	if known, err := noNews(ctx, tx, f); err != nil || known {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, insertFind,
		j.topicID, f.FinalURL, f.TextHash, j.crawlID, fetchID, f.Title, f.Snippet(), number(f.Judgement.Similarity),
		db.Millis(f.At), number(f.Judgement.Useful)).Scan(&id)
	return id, db.Optional(err)
}

const insertFind = `INSERT INTO finds (topic_id, url, crawl_id, fetch_id, title, snippet, similarity, found_at, useful)
	SELECT ?1, ?2, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE NOT ` + foundBefore + `
	ON CONFLICT (topic_id, url) DO UPDATE SET crawl_id = excluded.crawl_id, fetch_id = excluded.fetch_id, title = excluded.title,
		snippet = excluded.snippet, similarity = excluded.similarity, found_at = excluded.found_at, useful = excluded.useful, asked = 0, maybe = 0
		WHERE asked = 1 AND mark = 'none'
	RETURNING id`

// foundBefore is true of a page of a topic ?1, at the address ?2 and with a text of the hash ?3, that a crawl found before,
// unless the person was only asked about it.
const foundBefore = `(EXISTS (SELECT 1 FROM finds WHERE finds.topic_id IN ` + store.TopicAndMembers + ` AND finds.url = ?2 AND (asked = 0 OR mark <> 'none'))
	OR ?3 <> 0 AND EXISTS (SELECT 1 FROM fetches CROSS JOIN finds ON fetch_id = fetches.id
		WHERE text_hash = ?3 AND text_hash <> 0 AND finds.topic_id IN ` + store.TopicAndMembers + ` AND (asked = 0 OR mark <> 'none')))`

// Knows reports whether the person already knows a page: it was visited, its site is refused, or an earlier crawl of the topic
// found it or a page with the same text.
func Knows(ctx context.Context, d *db.DB, topicID int64, f *crawler.Fetch) (known bool, err error) {
	if known, err = noNews(ctx, d.Readers, f); err != nil || known {
		return known, err
	}
	return db.Single[bool](ctx, d.Readers, "SELECT "+foundBefore, topicID, f.FinalURL, f.TextHash)
}

// noNews reports whether the person already knows a page: it was visited, or its site is refused.
func noNews(ctx context.Context, q db.Queryer, f *crawler.Fetch) (bool, error) {
	for i, u := range append([]string{f.FinalURL}, f.Done...) {
		if i > 0 && u == f.FinalURL {
			continue
		}
		if visited, err := isVisited(ctx, q, u); err != nil || visited {
			return visited, err
		}
	}
	sites, err := db.Query(ctx, q, db.ScanText, store.ListRefused)
	return store.OnAny(f.FinalURL, sites), err
}

// isVisited reports whether the person visited the URL of a document, as the address of a page, with a route ("#" sorts right
// before "$"), or as an alias.
func isVisited(ctx context.Context, q db.Queryer, url string) (bool, error) {
	n, err := db.Single[int](ctx, q, visitedBefore, url)
	return n != 0, err
}

const visitedBefore = `SELECT EXISTS (SELECT 1 FROM pages WHERE url = ?1)
	OR EXISTS (SELECT 1 FROM pages WHERE url > ?1 || '#' AND url < ?1 || '$')
	OR EXISTS (SELECT 1 FROM visits WHERE requested = ?1 AND requested <> '')`

// putLook notes on the find of a page what a look at it saw.
func (j *Journal) putLook(ctx context.Context, tx *sql.Tx, f *crawler.Fetch) error {
	if f.Look == nil || f.Page == nil && !f.Look.Gone {
		return nil
	}
	return db.Execute(ctx, tx, `UPDATE finds SET gone_at = iif(?1, coalesce(gone_at, ?2), NULL), changed_at = iif(?3, ?2, changed_at)
		WHERE topic_id = ?4 AND url = ?5`, f.Look.Gone, db.Millis(f.At), f.Look.Changed, j.topicID, f.URL)
}

// news returns how many new links a look found as it is stored: NULL when the page was read for the first time.
func news(l *crawler.Look) any {
	if l == nil {
		return nil
	}
	return l.News
}

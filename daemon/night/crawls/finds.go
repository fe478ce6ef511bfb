package crawls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
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
		j.topicID, f.FinalURL, f.TextHash, j.crawlID, fetchID, f.Title, f.Page.Snippet(f.Title), number(f.Judgement.Similarity),
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
const foundBefore = `(EXISTS (SELECT 1 FROM finds WHERE finds.topic_id IN ` + topics.WithMembers + ` AND finds.url = ?2 AND (asked = 0 OR mark <> 'none'))
	OR ?3 <> 0 AND EXISTS (SELECT 1 FROM fetches CROSS JOIN finds ON fetch_id = fetches.id
		WHERE text_hash = ?3 AND text_hash <> 0 AND finds.topic_id IN ` + topics.WithMembers + ` AND (asked = 0 OR mark <> 'none')))`

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

// maxLinkTries is how often crawls ask for the page of such a link before it is given up.
const maxLinkTries = 3

// linkDone reports whether a link (?2) needs no fetch for a topic (?1): its page was visited in a session of the topic or of
// its members, a crawl of the topic fetched it, or crawls tried often enough.
const linkDone = `SELECT EXISTS (SELECT 1 FROM pages p CROSS JOIN visits v ON v.page_id = p.id CROSS JOIN sessions s ON s.id = v.session_id
		WHERE p.url = ?2 AND s.topic_id IN ` + topics.WithMembers + `)
	OR EXISTS (SELECT 1 FROM visits v CROSS JOIN sessions s ON s.id = v.session_id WHERE v.requested = ?2 AND v.requested <> '' AND s.topic_id IN ` + topics.WithMembers + `)
	OR (SELECT coalesce(max(f.outcome = 'ok'), 0) OR count(*) >= ?3 FROM crawls c CROSS JOIN fetches f ON f.crawl_id = c.id AND f.url = ?2 WHERE c.topic_id = ?1)`

// PendingLinks lists the links that look useful and whose pages a crawl of the topic should fetch, at most limit. It leaves
// out links with secrets, links that do something, and hosts on the never-record list, never.
func PendingLinks(ctx context.Context, d *db.DB, topicID int64, never []string, limit int) ([]string, error) {
	links, err := sessions.StandingLinks(ctx, d.Readers, topicID)
	if err != nil {
		return nil, fmt.Errorf("list links of topic %d that look useful: %w", topicID, err)
	}
	var pending []string
	for _, url := range links {
		if len(pending) == limit || sessions.Unfit(url, never) != "" {
			continue
		}
		var done bool
		if err := d.Readers.QueryRowContext(ctx, linkDone, topicID, url, maxLinkTries).Scan(&done); err != nil {
			return nil, fmt.Errorf("look for the page of a link: %w", err)
		}
		if !done {
			pending = append(pending, url)
		}
	}
	return pending, nil
}

// putLinked makes the page of a link that looks useful a find that is marked Useful, unless the person marked it otherwise or
// took the link back since. It returns the id of a new find, 0 for none.
func (j *Journal) putLinked(ctx context.Context, tx *sql.Tx, fetchID int64, f *crawler.Fetch) (id int64, err error) {
	if f.Response.Outcome != fetch.OK || !slices.Contains(j.links, f.URL) {
		return 0, nil
	}
	links, err := sessions.StandingLinks(ctx, tx, j.topicID)
	if err != nil || !slices.Contains(links, f.URL) {
		return 0, err
	}
	find, mark, fresh, err := j.linkedFind(ctx, tx, fetchID, f)
	if err != nil || mark != store.MarkNone {
		return 0, err
	}
	err = db.Within(ctx, tx, func(w *db.Work) { store.MarkLinked(w, j.d.Now(), find) })
	if !fresh {
		return 0, err
	}
	return find, err
}

// linkedFind returns the find of a fetched page with its mark, and makes one when there is none. A page that the person was only asked
// about is shown from now on.
func (j *Journal) linkedFind(ctx context.Context, tx *sql.Tx, fetchID int64, f *crawler.Fetch) (find int64, mark string, fresh bool, err error) {
	err = tx.QueryRowContext(ctx, "UPDATE finds SET asked = iif(mark = 'none', 0, asked) WHERE topic_id = ? AND url = ? RETURNING id, mark",
		j.topicID, f.FinalURL).Scan(&find, &mark)
	if !errors.Is(err, sql.ErrNoRows) {
		return find, mark, false, err
	}
	return find, mark, true, tx.QueryRowContext(ctx, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id, mark`, j.topicID, j.crawlID, fetchID, f.FinalURL, f.Title, f.Page.Snippet(f.Title),
		number(f.Judgement.Similarity), db.Millis(f.At), number(f.Judgement.Useful)).Scan(&find, &mark)
}

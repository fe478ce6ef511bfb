package crawls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// maxLinkTries is how often crawls ask for the page of such a link before it is given up.
const maxLinkTries = 3

// linkDone reports whether a link (?2) needs no fetch for a topic (?1): its page was visited in a session of the topic or of
// its members, a crawl of the topic fetched it, or crawls tried often enough.
const linkDone = `SELECT EXISTS (SELECT 1 FROM pages p CROSS JOIN visits v ON v.page_id = p.id CROSS JOIN sessions s ON s.id = v.session_id
		WHERE p.url = ?2 AND s.topic_id IN ` + store.TopicAndMembers + `)
	OR EXISTS (SELECT 1 FROM visits v CROSS JOIN sessions s ON s.id = v.session_id WHERE v.requested = ?2 AND v.requested <> '' AND s.topic_id IN ` + store.TopicAndMembers + `)
	OR (SELECT coalesce(max(f.outcome = 'ok'), 0) OR count(*) >= ?3 FROM crawls c CROSS JOIN fetches f ON f.crawl_id = c.id AND f.url = ?2 WHERE c.topic_id = ?1)`

// PendingLinks lists the links that look useful and whose pages a crawl of the topic should fetch, at most limit. It leaves
// out links with secrets, links that do something, and hosts on the never-record list, never.
func PendingLinks(ctx context.Context, d *db.DB, topicID int64, never []string, limit int) ([]string, error) {
	links, err := store.StandingLinks(ctx, d.Readers, topicID)
	if err != nil {
		return nil, fmt.Errorf("list links of topic %d that look useful: %w", topicID, err)
	}
	var pending []string
	for _, url := range links {
		if len(pending) == limit || store.Unfit(url, never) != "" {
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
	links, err := store.StandingLinks(ctx, tx, j.topicID)
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
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id, mark`, j.topicID, j.crawlID, fetchID, f.FinalURL, f.Title, f.Snippet(),
		number(f.Judgement.Similarity), db.Millis(f.At), number(f.Judgement.Useful)).Scan(&find, &mark)
}

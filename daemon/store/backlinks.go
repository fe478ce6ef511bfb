package store

import (
	"context"

	"nightjar/daemon/db"
)

// Back is a page that links to another one, with its stored content.
type Back struct {
	URL     string // after redirects
	Hash    []byte // of its content: of the last visit, otherwise of the last fetch
	Session string // UUID of a submitted session that visited it; "" when only crawls read it
}

// backOf selects the pages that link to a page (?1), the newest first, at most ?2 of those that link to it. A page that was only
// visited in sessions that were not submitted is left out, and so is one without content.
const backOf = `SELECT url, coalesce(visited, fetched), iif(visited IS NULL, '', session) FROM (
	SELECT known.url, l.src,
		(SELECT p.content_hash FROM pages p CROSS JOIN visits v ON v.page_id = p.id CROSS JOIN sessions s ON s.id = v.session_id
			WHERE p.url = known.url AND s.status = 'submitted' LIMIT 1) AS visited,
		(SELECT min(s.uuid) FROM pages p CROSS JOIN visits v ON v.page_id = p.id CROSS JOIN sessions s ON s.id = v.session_id
			WHERE p.url = known.url AND s.status = 'submitted') AS session,
		(SELECT content_hash FROM fetches WHERE final_url = known.url AND outcome = 'ok' AND content_hash IS NOT NULL
			ORDER BY id DESC LIMIT 1) AS fetched
	FROM (SELECT DISTINCT src FROM link WHERE dst = (SELECT id FROM link_page WHERE url = ?1) AND src <> dst
		ORDER BY src DESC LIMIT ?2) l CROSS JOIN link_page known ON known.id = l.src)
	WHERE visited IS NOT NULL OR fetched IS NOT NULL ORDER BY src DESC`

// BackOf returns known pages that link to a page, the newest first, of at most n that link to it those with content that a model
// may learn from: visited in a submitted session, or fetched by a crawl.
func (s *Store) BackOf(ctx context.Context, url string, n int) ([]Back, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[Back], backOf, url, n)
	return all, db.Wrap(err, "list the pages that link to a page")
}

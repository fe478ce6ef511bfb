package store

import (
	"context"
	"database/sql"
)

// maxMoves bounds how far addresses are followed that lead to addresses that lead elsewhere.
const maxMoves = 5

// linkEnd returns the address where an address leads, as fetches and visits know it; the address itself if they know nothing.
func linkEnd(ctx context.Context, q queryer, url string) (string, error) {
	seen := map[string]bool{}
	for range maxMoves {
		seen[url] = true
		var next sql.NullString
		if err := q.QueryRowContext(ctx, `SELECT `+linkNext+` FROM (SELECT ? AS url) known`, url).Scan(&next); err != nil {
			return "", err
		}
		if !next.Valid || seen[next.String] {
			break
		}
		url = next.String
	}
	return url, nil
}

// linkNext is the address that the address known.url redirects to, or NULL: by the last fetch, otherwise by the last visit,
// otherwise by a page of a document. An address at which a page was visited, or fetched later, leads nowhere else.
const linkNext = `coalesce(
	(SELECT f.final_url FROM fetches f WHERE f.url = known.url AND f.url <> f.final_url AND f.outcome = 'ok'
		AND NOT EXISTS (SELECT 1 FROM pages WHERE url = known.url)
		AND NOT EXISTS (SELECT 1 FROM fetches o WHERE o.final_url = known.url AND o.outcome = 'ok' AND o.id > f.id) ORDER BY f.id DESC LIMIT 1),
	(SELECT p.url FROM visits v CROSS JOIN pages p ON p.id = v.page_id WHERE v.requested = known.url AND v.requested <> '' AND p.url <> known.url
		AND NOT EXISTS (SELECT 1 FROM pages WHERE url = known.url)
		AND NOT EXISTS (SELECT 1 FROM fetches o WHERE o.final_url = known.url AND o.outcome = 'ok') ORDER BY v.session_id DESC, v.seq DESC LIMIT 1),
	(SELECT d.final_url FROM document_pages d WHERE d.url = known.url AND d.url <> d.final_url AND d.outcome = 'ok'
		AND NOT EXISTS (SELECT 1 FROM pages WHERE url = known.url)
		AND NOT EXISTS (SELECT 1 FROM fetches o WHERE o.final_url = known.url AND o.outcome = 'ok') ORDER BY d.at DESC LIMIT 1))`

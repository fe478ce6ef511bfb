package store

import (
	"context"
	"database/sql"
	"errors"
)

// maxMoves bounds how far addresses are followed that lead to addresses that lead elsewhere.
const maxMoves = 5

// linkEnd returns the address where an address leads, as fetches and visits know it; the address itself if they know nothing.
func linkEnd(ctx context.Context, q queryer, url string) (string, error) {
	seen := map[string]bool{}
	for range maxMoves {
		seen[url] = true
		next, err := linkNext(ctx, q, url)
		if err != nil {
			return "", err
		}
		if next == "" || seen[next] {
			break
		}
		url = next
	}
	return url, nil
}

// linkNext returns the address that an address redirects to, or "". What was fetched last counts; an address at which a page
// was found later does not lead elsewhere.
func linkNext(ctx context.Context, q queryer, url string) (next string, err error) {
	err = q.QueryRowContext(ctx, `SELECT next FROM (
			SELECT final_url AS next, 1 AS rank FROM (SELECT id, final_url FROM fetches WHERE url = ?1 AND url <> final_url AND outcome = 'ok' ORDER BY id DESC LIMIT 1) f
				WHERE NOT EXISTS (SELECT 1 FROM pages WHERE url = ?1)
				AND NOT EXISTS (SELECT 1 FROM fetches o WHERE o.final_url = ?1 AND o.outcome = 'ok' AND o.id > f.id)
			UNION ALL SELECT * FROM (SELECT p.url, 2 FROM visits v CROSS JOIN pages p ON p.id = v.page_id
				WHERE v.requested = ?1 AND v.requested <> '' AND p.url <> ?1
				AND NOT EXISTS (SELECT 1 FROM pages WHERE url = ?1) AND NOT EXISTS (SELECT 1 FROM fetches o WHERE o.final_url = ?1 AND o.outcome = 'ok')
				ORDER BY v.session_id DESC, v.seq DESC LIMIT 1)
			UNION ALL SELECT * FROM (SELECT final_url, 3 FROM document_pages WHERE url = ?1 AND url <> final_url AND outcome = 'ok'
				AND NOT EXISTS (SELECT 1 FROM pages WHERE url = ?1) AND NOT EXISTS (SELECT 1 FROM fetches o WHERE o.final_url = ?1 AND o.outcome = 'ok')
				ORDER BY at DESC LIMIT 1)
		) ORDER BY rank LIMIT 1`, url).Scan(&next)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return next, err
}

package links

import (
	"context"
	"database/sql"

	"nightjar/daemon/db"
)

// Link is a link of a page with the words that the page uses for its end ([THESUS] §5.2).
type Link struct {
	URL   string // of its end, canonical
	Pos   int    // bytes of the document in UTF-8 before the link's tag
	Words []Word
}

// Word is a word with its number of occurrences around one link, at least 1. A link has each word once.
type Word struct {
	Word string
	N    int
}

// Source is an address of which links must be read or forgotten.
type Source struct {
	QueueID int64
	URL     string
	Hash    []byte // of the content to read, nil if none is stored
}

// Queue returns at most limit addresses that wait, the newest first.
func Queue(ctx context.Context, d *db.DB, limit int) ([]Source, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Source], `SELECT known.id, known.url, `+linkHash+` FROM (SELECT id, url FROM link_queue ORDER BY id DESC LIMIT ?) known`, limit)
	return all, db.Wrap(err, "read whose links to read")
}

// linkHash is the hash of the content that is stored of the page with the address known.url: of the last visit, otherwise of
// the last fetch, otherwise of a page of a document.
const linkHash = `coalesce((SELECT content_hash FROM pages WHERE pages.url = known.url),
	(SELECT content_hash FROM fetches WHERE final_url = known.url AND outcome = 'ok' AND content_hash IS NOT NULL ORDER BY id DESC LIMIT 1),
	(SELECT content_hash FROM document_pages WHERE final_url = known.url AND outcome = 'ok' AND content_hash IS NOT NULL ORDER BY at DESC LIMIT 1))`

// maxMoves bounds how far addresses are followed that lead to addresses that lead elsewhere.
const maxMoves = 5

// End returns the address where an address leads, as fetches and visits know it; the address itself if they know nothing.
func End(ctx context.Context, q db.Queryer, url string) (string, error) {
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

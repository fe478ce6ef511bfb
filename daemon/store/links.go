package store

import (
	"context"
)

// Link is a link of a page with the words that the page uses for its end ([THESUS] §5.2).
type Link struct {
	URL   string // of its end, canonical
	Pos   int    // bytes of the document in UTF-8 before the link's tag
	Words []LinkWord
}

// LinkWord is a word with its number of occurrences around one link, at least 1. A link has each word once.
type LinkWord struct {
	Word string
	N    int
}

// LinkSource is an address of which links must be read or forgotten.
type LinkSource struct {
	QueueID int64
	URL     string
	Hash    []byte // of the content to read, nil if none is stored
}

// LinkQueue returns at most limit addresses that wait, the newest first.
func (s *Store) LinkQueue(ctx context.Context, limit int) ([]LinkSource, error) {
	all, err := query(ctx, s.r, func(row scanner) (e LinkSource, err error) {
		return e, row.Scan(&e.QueueID, &e.URL, &e.Hash)
	}, `SELECT known.id, known.url, `+linkHash+` FROM (SELECT id, url FROM link_queue ORDER BY id DESC LIMIT ?) known`, limit)
	return all, wrap(err, "read whose links to read")
}

// linkHash is the hash of the content that is stored of the page with the address known.url: of the last visit, otherwise of
// the last fetch, otherwise of a page of a document.
const linkHash = `coalesce((SELECT content_hash FROM pages WHERE pages.url = known.url),
	(SELECT content_hash FROM fetches WHERE final_url = known.url AND outcome = 'ok' AND content_hash IS NOT NULL ORDER BY id DESC LIMIT 1),
	(SELECT content_hash FROM document_pages WHERE final_url = known.url AND outcome = 'ok' AND content_hash IS NOT NULL ORDER BY at DESC LIMIT 1))`

// LinksWaiting returns the number of addresses whose links wait to be read, at most limit.
func (s *Store) LinksWaiting(ctx context.Context, limit int) (n int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM link_queue LIMIT ?)`, limit).Scan(&n)
	return n, wrap(err, "count whose links to read")
}

// LinkCounts returns the number of pages that link or are linked to, of links, and of different words, each at most limit.
func (s *Store) LinkCounts(ctx context.Context, limit int) (pages, links, words int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM (SELECT 1 FROM link_page LIMIT ?1)),
		(SELECT count(*) FROM (SELECT 1 FROM link LIMIT ?1)), (SELECT count(*) FROM (SELECT 1 FROM word LIMIT ?1))`, limit).
		Scan(&pages, &links, &words)
	return pages, links, words, wrap(err, "count links")
}

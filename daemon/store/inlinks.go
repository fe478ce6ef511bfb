package store

import (
	"context"

	"nightjar/daemon/db"
)

// linksTo selects known pages that link to a page (?1) under any address it is known by: those whose link a crawl followed
// or kept in its queue, and those from which the person followed a link. Pages whose content is stored come first.
const linksTo = `WITH ends(url) AS (
		SELECT ?1
		UNION SELECT final_url FROM fetches WHERE url = ?1 AND url <> final_url
		UNION SELECT p.url FROM visits v CROSS JOIN pages p ON p.id = v.page_id WHERE v.requested = ?1 AND v.requested <> ''),
	forms(url) AS (
		SELECT url FROM ends
		UNION SELECT f.url FROM ends CROSS JOIN fetches f ON f.final_url = ends.url
		UNION SELECT d.url FROM ends CROSS JOIN document_pages d ON d.final_url = ends.url
		UNION SELECT v.requested FROM ends CROSS JOIN pages p ON p.url = ends.url CROSS JOIN visits v ON v.page_id = p.id
			WHERE v.requested <> ''),
	known(url) AS (
		SELECT up.final_url FROM ends CROSS JOIN fetches f ON f.final_url = ends.url CROSS JOIN fetches up ON up.id = f.parent_id
			WHERE up.outcome = 'ok'
		UNION SELECT up.final_url FROM forms CROSS JOIN crawls c CROSS JOIN frontier l ON l.crawl_id = c.queue AND l.url = forms.url
			CROSS JOIN fetches up ON up.crawl_id = c.id AND up.n = l.parent_n WHERE up.outcome = 'ok'
		UNION SELECT up.url FROM ends CROSS JOIN pages p ON p.url = ends.url CROSS JOIN visits v ON v.page_id = p.id
			CROSS JOIN visits o ON o.load = v.from_load CROSS JOIN pages up ON up.id = o.page_id WHERE v.how = 'link')
	SELECT url FROM known WHERE url NOT IN forms
	ORDER BY ` + storedHash + ` IS NULL, url LIMIT ?2`

// storedHash is the hash of the content that is stored of a page: of the last visit, otherwise of the last fetch.
const storedHash = `coalesce((SELECT content_hash FROM pages WHERE pages.url = known.url),
	(SELECT content_hash FROM fetches WHERE final_url = known.url AND content_hash IS NOT NULL ORDER BY id DESC LIMIT 1))`

// LinksTo lists at most n known pages that link to a page, by their address after redirects: those of which a crawl or the
// person knows the link. Pages that hold a link which nobody followed or queued are not found, since stored pages are not
// searched for links. Pages whose content is stored come first, each kind in the order of addresses.
func (s *Store) LinksTo(ctx context.Context, url string, n int) ([]string, error) {
	urls, err := db.Query(ctx, s.Readers, db.ScanText, linksTo, url, n)
	return urls, db.Wrap(err, "list pages that link to a page")
}

// PageContent returns the HTML that is stored of a page by its address after redirects: of the last visit, otherwise of the
// last fetch. The error is ErrNotFound when none is stored.
func (s *Store) PageContent(ctx context.Context, url string) ([]byte, error) {
	hash, err := db.Found(db.ScanBytes(s.Readers.QueryRowContext(ctx, `WITH known(url) AS (SELECT ?)
		SELECT hash FROM (SELECT `+storedHash+` AS hash FROM known) WHERE hash IS NOT NULL`, url)))
	if err != nil {
		return nil, err
	}
	return s.Content(ctx, hash)
}

package store

import (
	"context"
	"database/sql"
	"fmt"

	"nightjar/daemon/db"
)

// GroupingScope says which pages are grouped.
type GroupingScope string

// The scopes.
const (
	AllPages       GroupingScope = "all"
	PagesOfTopic   GroupingScope = "topic"   // visited or crawled for it
	PagesOfCrawl   GroupingScope = "crawl"   // fetched by it
	PagesOfSession GroupingScope = "session" // visited in it
)

// LinkPage is a page that links or is linked to.
type LinkPage struct {
	ID      int64
	URL     string // after redirects, where they are known
	Title   string // "" when it is not known
	Sources int    // different pages that link to it
}

// LinkTitle is the title of the page with the address known.url.
const LinkTitle = `coalesce((SELECT title FROM search_entries WHERE url = known.url),
	(SELECT title FROM pages WHERE url = known.url), (SELECT title FROM fetches WHERE final_url = known.url ORDER BY id DESC LIMIT 1), '')`

const selectLinkPage = `SELECT known.id, known.url, ` + LinkTitle + `,
	(SELECT count(DISTINCT src) FROM link WHERE dst = known.id AND src <> dst) FROM link_page known `

// LinkPage returns one page, or ErrNotFound.
func (s *Store) LinkPage(ctx context.Context, id int64) (LinkPage, error) {
	return db.Found(db.Fields[LinkPage](s.Readers.QueryRowContext(ctx, selectLinkPage+`WHERE known.id = ?`, id)))
}

// LinkPageByURL returns the page with an address, or ErrNotFound. An address that is known to lead to another one stands for
// that.
func (s *Store) LinkPageByURL(ctx context.Context, url string) (LinkPage, error) {
	end, err := LinkEnd(ctx, s.Readers, url)
	if err != nil {
		return LinkPage{}, fmt.Errorf("look where %s leads: %w", url, err)
	}
	return db.Found(db.Fields[LinkPage](s.Readers.QueryRowContext(ctx, selectLinkPage+`WHERE known.url = ?`, end)))
}

// SaidLink is a link to a page with its words.
type SaidLink struct {
	SourceURL   string
	SourceTitle string   // "" when it is not known
	Pos         int      // bytes of the source's content in UTF-8 before the link's tag
	Words       []string // in alphabetical order
	Hash        []byte   // of the source's content that the link was read from, which may be gone
}

// maxWeighed is how many links to a page LinksOf chooses from. Some home pages have tens of thousands, which would take a second.
const maxWeighed = 2000

// LinksOf returns links to a page, at most n of the first maxWeighed by source, those with the most different words first, then
// by source and place; and how many links there are.
func (s *Store) LinksOf(ctx context.Context, dst int64, n int) (all []SaidLink, total int, err error) {
	err = s.Readers.QueryRowContext(ctx, `SELECT count(*) FROM link WHERE dst = ?1 AND src <> ?1`, dst).Scan(&total)
	if err == nil {
		all, err = db.Query(ctx, s.Readers, func(row db.Scanner) (l SaidLink, err error) {
			return l, row.Scan(&l.SourceURL, &l.SourceTitle, &l.Pos, &l.Hash, db.JSONOf(&l.Words))
		}, `WITH best AS (SELECT l.id, l.src, l.pos, (SELECT count(*) FROM link_word w WHERE w.link = l.id) AS n
				FROM (SELECT id, src, pos FROM link WHERE dst = ?1 AND src <> ?1 ORDER BY src LIMIT ?3) l
				ORDER BY n DESC, l.src, l.pos, l.id LIMIT ?2)
			SELECT known.url, `+LinkTitle+`, best.pos, known.hash,
				(SELECT json_group_array(word) FROM (SELECT word.word FROM link_word w JOIN word ON word.id = w.word
					WHERE w.link = best.id ORDER BY word.word))
			FROM best JOIN link_page known ON known.id = best.src ORDER BY best.n DESC, best.src, best.pos, best.id`, dst, n, maxWeighed)
	}
	return all, total, db.Wrap(err, "list the links to a page")
}

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
	all, err := db.Query(ctx, s.Readers, db.Fields[LinkSource], `SELECT known.id, known.url, `+linkHash+` FROM (SELECT id, url FROM link_queue ORDER BY id DESC LIMIT ?) known`, limit)
	return all, db.Wrap(err, "read whose links to read")
}

// linkHash is the hash of the content that is stored of the page with the address known.url: of the last visit, otherwise of
// the last fetch, otherwise of a page of a document.
const linkHash = `coalesce((SELECT content_hash FROM pages WHERE pages.url = known.url),
	(SELECT content_hash FROM fetches WHERE final_url = known.url AND outcome = 'ok' AND content_hash IS NOT NULL ORDER BY id DESC LIMIT 1),
	(SELECT content_hash FROM document_pages WHERE final_url = known.url AND outcome = 'ok' AND content_hash IS NOT NULL ORDER BY at DESC LIMIT 1))`

// LinksWaiting returns the number of addresses whose links wait to be read, at most limit.
func (s *Store) LinksWaiting(ctx context.Context, limit int) (n int, err error) {
	err = s.Readers.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM link_queue LIMIT ?)`, limit).Scan(&n)
	return n, db.Wrap(err, "count whose links to read")
}

// LinkCounts returns the number of pages that link or are linked to, of links, and of different words, each at most limit.
func (s *Store) LinkCounts(ctx context.Context, limit int) (pages, links, words int, err error) {
	err = s.Readers.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM (SELECT 1 FROM link_page LIMIT ?1)),
		(SELECT count(*) FROM (SELECT 1 FROM link LIMIT ?1)), (SELECT count(*) FROM (SELECT 1 FROM word LIMIT ?1))`, limit).
		Scan(&pages, &links, &words)
	return pages, links, words, db.Wrap(err, "count links")
}

// maxMoves bounds how far addresses are followed that lead to addresses that lead elsewhere.
const maxMoves = 5

// LinkEnd returns the address where an address leads, as fetches and visits know it; the address itself if they know nothing.
func LinkEnd(ctx context.Context, q db.Queryer, url string) (string, error) {
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

// scopePages selects the addresses of the pages of a scope (?1 is its id): visited, or fetched by a crawl.
var ScopePages = map[GroupingScope]string{
	PagesOfTopic: `SELECT p.url FROM sessions s JOIN visits v ON v.session_id = s.id JOIN pages p ON p.id = v.page_id WHERE s.topic_id IN ` + TopicAndMembers + `
		UNION SELECT f.final_url FROM crawls c JOIN fetches f ON f.crawl_id = c.id WHERE c.topic_id IN ` + TopicAndMembers + ` AND f.outcome = 'ok'
		UNION SELECT p.final_url FROM documents d JOIN document_pages p ON p.document_id = d.id WHERE d.topic_id IN ` + TopicAndMembers + ` AND p.outcome = 'ok'`,
	PagesOfCrawl:   `SELECT final_url FROM fetches WHERE crawl_id = ?1 AND outcome = 'ok'`,
	PagesOfSession: `SELECT p.url FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.session_id = ?1`,
}

// LinkPages returns the pages of a scope that at least so many different pages link to, by ascending id, and how many of the
// scope have fewer. The pages of a topic are those visited or fetched for it, with those of its members if it is combined. A
// page of which nothing was ever read belongs to AllPages.
func (s *Store) LinkPages(ctx context.Context, scope GroupingScope, scopeID int64, least int) (all []LinkPage, few int, err error) {
	of, in := `WITH counted(id, n) AS MATERIALIZED (SELECT dst, count(DISTINCT src) FROM link WHERE src <> dst GROUP BY dst)`,
		`(SELECT count(*) FROM link_page)`
	if scope != AllPages {
		urls := ScopePages[scope]
		if urls == "" {
			return nil, 0, fmt.Errorf("%q is no scope of pages", scope)
		}
		of = `WITH urls(url) AS MATERIALIZED (SELECT DISTINCT * FROM (` + urls + `)),
			counted(id, n) AS MATERIALIZED (SELECT p.id, (SELECT count(DISTINCT src) FROM link WHERE dst = p.id AND src <> dst)
				FROM urls CROSS JOIN link_page p ON p.url = urls.url)`
		in = `(SELECT count(*) FROM urls)`
	}
	whole, err := db.Single[int](ctx, s.Readers, of+` SELECT `+in+` WHERE ?1 IS NOT NULL`, scopeID)
	if err == nil {
		all, err = db.Query(ctx, s.Readers, db.Fields[LinkPage], of+` SELECT known.id, known.url, `+LinkTitle+`, counted.n FROM counted
			CROSS JOIN link_page known ON known.id = counted.id WHERE counted.n >= ?2 AND ?1 IS NOT NULL ORDER BY known.id`, scopeID, least)
	}
	return all, whole - len(all), db.Wrap(err, "list pages that are linked to")
}

package links

import (
	"context"
	"fmt"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
)

// Scope says which pages are meant, such as those of a topic.
type Scope string

// The scopes.
const (
	AllPages       Scope = "all"
	PagesOfTopic   Scope = "topic"   // visited or crawled for it
	PagesOfCrawl   Scope = "crawl"   // fetched by it
	PagesOfSession Scope = "session" // visited in it
)

// Page is a page that links or is linked to.
type Page struct {
	ID      int64
	URL     string // after redirects, where they are known
	Title   string // "" when it is not known
	Sources int    // different pages that link to it
}

// PageTitle is the title of the page with the address known.url.
const PageTitle = `coalesce((SELECT title FROM search_entries WHERE url = known.url),
	(SELECT title FROM pages WHERE url = known.url), (SELECT title FROM fetches WHERE final_url = known.url ORDER BY id DESC LIMIT 1), '')`

const selectPage = `SELECT known.id, known.url, ` + PageTitle + `,
	(SELECT count(DISTINCT src) FROM link WHERE dst = known.id AND src <> dst) FROM link_page known `

// PageByID returns one page, or ErrNotFound.
func PageByID(ctx context.Context, d *db.DB, id int64) (Page, error) {
	return db.Found(db.Fields[Page](d.Readers.QueryRowContext(ctx, selectPage+`WHERE known.id = ?`, id)))
}

// PageByURL returns the page with an address, or ErrNotFound. An address that is known to lead to another one stands for
// that.
func PageByURL(ctx context.Context, d *db.DB, url string) (Page, error) {
	end, err := End(ctx, d.Readers, url)
	if err != nil {
		return Page{}, fmt.Errorf("look where %s leads: %w", url, err)
	}
	return db.Found(db.Fields[Page](d.Readers.QueryRowContext(ctx, selectPage+`WHERE known.url = ?`, end)))
}

// Said is a link to a page with its words.
type Said struct {
	SourceURL   string
	SourceTitle string   // "" when it is not known
	Pos         int      // bytes of the source's content in UTF-8 before the link's tag
	Words       []string // in alphabetical order
	Hash        []byte   // of the source's content that the link was read from, which may be gone
}

// maxWeighed is how many links to a page To chooses from. Some home pages have tens of thousands, which would take a second.
const maxWeighed = 2000

// To returns links to a page, at most n of the first maxWeighed by source, those with the most different words first, then
// by source and place; and how many links there are.
func To(ctx context.Context, d *db.DB, dst int64, n int) (all []Said, total int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(*) FROM link WHERE dst = ?1 AND src <> ?1`, dst).Scan(&total)
	if err == nil {
		all, err = db.Query(ctx, d.Readers, func(row db.Scanner) (l Said, err error) {
			return l, row.Scan(&l.SourceURL, &l.SourceTitle, &l.Pos, &l.Hash, db.JSONOf(&l.Words))
		}, `WITH best AS (SELECT l.id, l.src, l.pos, (SELECT count(*) FROM link_word w WHERE w.link = l.id) AS n
				FROM (SELECT id, src, pos FROM link WHERE dst = ?1 AND src <> ?1 ORDER BY src LIMIT ?3) l
				ORDER BY n DESC, l.src, l.pos, l.id LIMIT ?2)
			SELECT known.url, `+PageTitle+`, best.pos, known.hash,
				(SELECT json_group_array(word) FROM (SELECT word.word FROM link_word w JOIN word ON word.id = w.word
					WHERE w.link = best.id ORDER BY word.word))
			FROM best JOIN link_page known ON known.id = best.src ORDER BY best.n DESC, best.src, best.pos, best.id`, dst, n, maxWeighed)
	}
	return all, total, db.Wrap(err, "list the links to a page")
}

// Waiting returns the number of addresses whose links wait to be read, at most limit.
func Waiting(ctx context.Context, d *db.DB, limit int) (n int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM link_queue LIMIT ?)`, limit).Scan(&n)
	return n, db.Wrap(err, "count whose links to read")
}

// Counts returns the number of pages that link or are linked to, of links, and of different words, each at most limit.
func Counts(ctx context.Context, d *db.DB, limit int) (pages, links, words int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM (SELECT 1 FROM link_page LIMIT ?1)),
		(SELECT count(*) FROM (SELECT 1 FROM link LIMIT ?1)), (SELECT count(*) FROM (SELECT 1 FROM word LIMIT ?1))`, limit).
		Scan(&pages, &links, &words)
	return pages, links, words, db.Wrap(err, "count links")
}

// ScopePages selects the addresses of the pages of a scope (?1 is its id): visited, or fetched by a crawl.
var ScopePages = map[Scope]string{
	PagesOfTopic: `SELECT p.url FROM sessions s JOIN visits v ON v.session_id = s.id JOIN pages p ON p.id = v.page_id WHERE s.topic_id IN ` + topics.WithMembers + `
		UNION SELECT f.final_url FROM crawls c JOIN fetches f ON f.crawl_id = c.id WHERE c.topic_id IN ` + topics.WithMembers + ` AND f.outcome = 'ok'
		UNION SELECT p.final_url FROM documents d JOIN document_pages p ON p.document_id = d.id WHERE d.topic_id IN ` + topics.WithMembers + ` AND p.outcome = 'ok'`,
	PagesOfCrawl:   `SELECT final_url FROM fetches WHERE crawl_id = ?1 AND outcome = 'ok'`,
	PagesOfSession: `SELECT p.url FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.session_id = ?1`,
}

// Pages returns the pages of a scope that at least the given number of different pages link to, by ascending id, and how many
// pages of the scope have fewer. With text, pages whose content was read are there, too. The pages of a topic are those visited or fetched for it, with those of its members if it is combined. A
// page of which nothing was ever read belongs to AllPages.
func Pages(ctx context.Context, d *db.DB, scope Scope, scopeID int64, least int, text bool) (all []Page, few int, err error) {
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
	whole, err := db.Single[int](ctx, d.Readers, of+` SELECT `+in+` WHERE ?1 IS NOT NULL`, scopeID)
	if err == nil {
		all, err = db.Query(ctx, d.Readers, db.Fields[Page], of+` SELECT known.id, known.url, `+PageTitle+`, counted.n FROM counted
			CROSS JOIN link_page known ON known.id = counted.id WHERE (counted.n >= ?2 OR ?3 AND known.hash IS NOT NULL) AND ?1 IS NOT NULL ORDER BY known.id`, scopeID, least, text)
	}
	return all, whole - len(all), db.Wrap(err, "list pages that are linked to")
}

package store

import (
	"context"
	"fmt"
)

// scopePages selects the addresses of the pages of a scope (?1 is its id): visited, or fetched by a crawl.
var scopePages = map[GroupingScope]string{
	PagesOfTopic: `SELECT p.url FROM sessions s JOIN visits v ON v.session_id = s.id JOIN pages p ON p.id = v.page_id WHERE s.topic_id IN ` + parts + `
		UNION SELECT f.final_url FROM crawls c JOIN fetches f ON f.crawl_id = c.id WHERE c.topic_id IN ` + parts + ` AND f.outcome = 'ok'
		UNION SELECT p.final_url FROM documents d JOIN document_pages p ON p.document_id = d.id WHERE d.topic_id IN ` + parts + ` AND p.outcome = 'ok'`,
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
		urls := scopePages[scope]
		if urls == "" {
			return nil, 0, fmt.Errorf("%q is no scope of pages", scope)
		}
		of = `WITH urls(url) AS MATERIALIZED (SELECT DISTINCT * FROM (` + urls + `)),
			counted(id, n) AS MATERIALIZED (SELECT p.id, (SELECT count(DISTINCT src) FROM link WHERE dst = p.id AND src <> dst)
				FROM urls CROSS JOIN link_page p ON p.url = urls.url)`
		in = `(SELECT count(*) FROM urls)`
	}
	var whole int
	err = s.r.QueryRowContext(ctx, of+` SELECT `+in+` WHERE ?1 IS NOT NULL`, scopeID).Scan(&whole)
	if err == nil {
		all, err = query(ctx, s.r, scanLinkPage, of+` SELECT known.id, known.url, `+linkTitle+`, counted.n FROM counted
			CROSS JOIN link_page known ON known.id = counted.id WHERE counted.n >= ?2 AND ?1 IS NOT NULL ORDER BY known.id`, scopeID, least)
	}
	return all, whole - len(all), wrap(err, "list pages that are linked to")
}

// Package linkstates tells of links whether the person knows their pages: visited, found, or marked.
package linkstates

import (
	"context"
	"fmt"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
)

// statement selects the states of canonical addresses: of those of pages and finds, and of those that redirected to
// them. Sessions that were discarded, refused sites and pages that the person was only asked about do not count. CROSS JOIN makes
// SQLite begin with the few addresses asked for.
const statement = `WITH asked(url) AS MATERIALIZED (SELECT value FROM json_each(?1)),
	leads(url, final) AS MATERIALIZED (
		SELECT url, url FROM asked
		UNION SELECT asked.url, p.url FROM asked CROSS JOIN visits v ON v.requested = asked.url AND v.requested <> ''
			CROSS JOIN pages p ON p.id = v.page_id
		UNION SELECT asked.url, f.final_url FROM asked CROSS JOIN fetches f ON f.url = asked.url AND f.url <> f.final_url)
	SELECT leads.url, CASE
		WHEN EXISTS (SELECT 1 FROM marks m JOIN sessions s ON s.id = m.session_id
			WHERE m.page_id = p.id AND m.useful = 1 AND s.status <> 'discarded' AND (?2 = 0 OR s.topic_id = ?2)) THEN 'useful'
		WHEN EXISTS (SELECT 1 FROM visits v JOIN sessions s ON s.id = v.session_id
			WHERE v.page_id = p.id AND s.status <> 'discarded' AND (?2 = 0 OR s.topic_id = ?2)) THEN 'visited'
		ELSE '' END
	FROM leads CROSS JOIN pages p ON p.url = leads.final
	UNION ALL SELECT leads.url, CASE f.mark WHEN 'useful' THEN 'useful' WHEN 'not-useful' THEN 'not-useful'
		WHEN 'off-topic' THEN 'not-useful' ELSE 'found' END
	FROM leads CROSS JOIN finds f ON f.url = leads.final WHERE f.asked = 0 AND f.refused = 0 AND (?2 = 0 OR f.topic_id = ?2)`

// knownRank orders the states of one link: the highest counts.
var rank = map[string]int{protocol.KnownFound: 1, protocol.KnownVisited: 2, protocol.KnownNotUseful: 3, protocol.KnownUseful: 4}

// Of returns the states of links in a topic, or, with topicID 0, in all topics: one of protocol.KnownUseful, …
// by address as given. Links of which nothing is known, and texts that are no addresses, are left out.
func Of(ctx context.Context, d *db.DB, topicID int64, urls []string) (map[string]string, error) {
	given := map[string][]string{} // by canonical address
	for _, raw := range urls {
		if url, err := weburl.Canonical(raw); err == nil {
			given[url] = append(given[url], raw)
		}
	}
	asked := make([]string, 0, len(given))
	for url := range given {
		asked = append(asked, url)
	}
	type answer struct{ url, what string }
	all, err := db.Query(ctx, d.Readers, func(row db.Scanner) (a answer, err error) {
		return a, row.Scan(&a.url, &a.what)
	}, statement, db.JSONList(asked), topicID)
	if err != nil {
		return nil, fmt.Errorf("read the states of links: %w", err)
	}
	known := map[string]string{}
	for _, a := range all {
		for _, raw := range given[a.url] {
			if rank[a.what] > rank[known[raw]] {
				known[raw] = a.what
			}
		}
	}
	return known, nil
}

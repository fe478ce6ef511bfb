package crawls

import (
	"context"
	"fmt"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// visitedPages are the pages of the submitted sessions of a topic and its members, in the order of the visits. Documents that are no
// web pages are left out.
const visitedPages = `SELECT v.page_id id, min(s.id) session, min(v.seq) seq, max(coalesce(s.ended_at, s.started_at)) at,
		json_group_array(v.requested) FILTER (WHERE v.requested <> '') also
	FROM sessions s JOIN visits v ON v.session_id = s.id
	WHERE s.topic_id IN ` + topics.WithMembers + ` AND s.status = 'submitted' AND v.media = ''
	GROUP BY v.page_id`

// Visits returns the pages that the person visited for a topic; its Refuse is nil.
func Visits(d *db.DB, topicID int64) crawler.Visits {
	return crawler.Visits{
		List: func(ctx context.Context, after, most int) ([]crawler.Visited, error) {
			return visited(ctx, d, topicID, after, most)
		},
		Copy: func(ctx context.Context, url string) ([]byte, error) { return visitedCopy(ctx, d, url) },
	}
}

// visited lists at most that many pages of a topic's sessions, without the first so many: crawler.Visits.List.
func visited(ctx context.Context, d *db.DB, topicID int64, after, most int) ([]crawler.Visited, error) {
	all, err := db.Query(ctx, d.Readers, scanVisited, `SELECT p.url, n.also, n.at FROM (`+visitedPages+` ORDER BY session, seq, id LIMIT ?3 OFFSET ?2) n
		JOIN pages p ON p.id = n.id ORDER BY n.session, n.seq, n.id`, topicID, after, most)
	return all, db.Wrap(err, "list visited pages of topic %d", topicID)
}

func scanVisited(row db.Scanner) (p crawler.Visited, err error) {
	return p, row.Scan(&p.URL, db.JSONOf(&p.Also), db.TimeOf(&p.At))
}

// visitedCopy returns the last snapshot of a page: crawler.Visits.Copy. It is nil for one without a copy that can be read.
func visitedCopy(ctx context.Context, d *db.DB, url string) (html []byte, err error) {
	packed, err := db.Single[[]byte](ctx, d.Readers, `SELECT c.gzip FROM pages p JOIN contents c ON c.hash = p.content_hash WHERE p.url = ?`, url)
	if err != nil {
		return nil, db.Wrap(db.Optional(err), "read the copy of a visited page")
	}
	html, _ = store.Unpack(packed) // nil for a damaged copy, which the doctor reports
	return html, nil
}

// Follows reports whether a crawl follows links on pages that the person visited: one of the nights of a topic for which
// FollowsVisited is true. Plans and maps have start pages of their own, which may be nobody's choice.
func Follows(ctx context.Context, d *db.DB, crawlID int64) (yes bool, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT t.visited = 1 AND c.queue IN (coalesce(t.queue, 0), coalesce(t.queue_before, 0)) FROM crawls c JOIN topics t ON t.id = c.topic_id
		WHERE c.id = ?`, crawlID).Scan(&yes)
	return yes, db.Missing(err, "read whether a crawl follows links on visited pages")
}

// FollowsVisited reports whether the nights of a topic follow links on pages that the person visited.
func FollowsVisited(ctx context.Context, d *db.DB, topicID int64) (yes bool, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT visited FROM topics WHERE id = ?`, topicID).Scan(&yes)
	return yes, db.Missing(err, "read whether crawls of a topic follow links on visited pages")
}

// FollowVisited sets FollowsVisited, and reports whether that is a change.
func FollowVisited(ctx context.Context, d *db.DB, topicID int64, yes bool) (changed bool, err error) {
	n, err := d.Change(ctx, `UPDATE topics SET visited = ?2 WHERE id = ?1 AND visited <> ?2`, topicID, yes)
	return n > 0, db.Wrap(err, "set for topic %d whether its crawls follow links on visited pages", topicID)
}

// VisitedLinks is what the pages of a topic's sessions hold for a crawl.
type VisitedLinks struct {
	Pages int      // of the sessions, on the sites
	Links int      // to other pages of the sites, as far as the links of the pages were read
	Sites []string // with such a page or link
}

// visitedRows is the number of links that CountVisitedLinks looks at, at most: people wait for it. A crawl begins with fewer.
const visitedRows = 50_000

// CountVisitedLinks counts the links on the pages of a topic's sessions on some sites (weburl.Site) that lead to pages on these sites which
// the person did not visit.
func CountVisitedLinks(ctx context.Context, d *db.DB, topicID int64, sites []string) (v VisitedLinks, err error) {
	on := map[string]bool{}
	err = db.Each(ctx, d.Readers, func(row db.Scanner) error {
		var url string
		err := row.Scan(&url)
		if site := weburl.Site(url); slices.Contains(sites, site) {
			v.Pages++
			on[site] = true
		}
		return err
	}, `SELECT p.url FROM (`+visitedPages+`) n JOIN pages p ON p.id = n.id WHERE p.content_hash IS NOT NULL`, topicID)
	if err == nil {
		err = db.Each(ctx, d.Readers, func(row db.Scanner) error {
			var site string
			var n int
			err := row.Scan(&site, &n)
			v.Links += n
			on[site] = true
			return err
		}, `WITH visited(url) AS MATERIALIZED (SELECT p.url FROM (`+visitedPages+`) n JOIN pages p ON p.id = n.id)
			SELECT site, count(DISTINCT id) FROM (SELECT d.id, d.site FROM visited CROSS JOIN link_page o ON o.url = visited.url
				CROSS JOIN link l ON l.src = o.id CROSS JOIN link_page d ON d.id = l.dst
				WHERE o.site IN (SELECT value FROM json_each(?2)) AND d.site IN (SELECT value FROM json_each(?2)) AND d.url NOT IN visited LIMIT ?3)
			GROUP BY site`, topicID, db.JSONList(sites), visitedRows)
	}
	if err != nil {
		return v, fmt.Errorf("count links on visited pages of topic %d: %w", topicID, err)
	}
	for site := range on {
		v.Sites = append(v.Sites, site)
	}
	slices.Sort(v.Sites)
	return v, nil
}

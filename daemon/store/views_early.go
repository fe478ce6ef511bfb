package store

import (
	"context"
)

// EndedEarly lists the crawls of the last night that ended since the next pages promised too little, oldest first.
func (s *Store) EndedEarly(ctx context.Context) ([]CrawlView, error) {
	all, err := query(ctx, s.r, scanCrawlView, crawlRows+` WHERE c.early = 1 AND c.status = 'ended' AND c.night <> ''
		AND c.night = (SELECT max(night) FROM crawls) ORDER BY c.id`)
	return all, wrap(err, "list crawls that ended early")
}

// NightRest is what another topic got of a night's budget after a crawl had ended.
type NightRest struct {
	Topic string
	Pages int
}

// NightRest lists what other topics got of a night's budget after one of its crawls had ended, most pages first.
func (s *Store) NightRest(ctx context.Context, c CrawlView) ([]NightRest, error) {
	all, err := query(ctx, s.r, func(row scanner) (r NightRest, err error) { return r, row.Scan(&r.Topic, &r.Pages) }, `
		SELECT t.name, count(*) AS pages FROM crawls c JOIN topics t ON t.id = c.topic_id JOIN fetches f ON f.crawl_id = c.id
		WHERE c.night = ?1 AND ?1 <> '' AND c.id <> ?2 AND f.cost > 0 AND f.at >= ?3
		GROUP BY t.id ORDER BY pages DESC, t.name`, c.Night, c.ID, millis(c.EndedAt))
	return all, wrap(err, "share out the night of crawl %d", c.ID)
}

// PromisePoint is what the next pages promised after a number of pages of budget.
type PromisePoint struct {
	Fetched int
	Next    float64 // useful pages among the next 100
}

// CrawlPromises returns about that many of the estimates of a crawl, the last one included.
func (s *Store) CrawlPromises(ctx context.Context, crawlID int64, points int) ([]PromisePoint, error) {
	all, err := query(ctx, s.r, func(row scanner) (p PromisePoint, err error) { return p, row.Scan(&p.Fetched, &p.Next) }, `
		WITH sums AS (SELECT n, promised, sum(cost) OVER (ORDER BY n) AS fetched FROM fetches WHERE crawl_id = ?1),
		told AS (SELECT row_number() OVER (ORDER BY n) AS k, fetched, promised FROM sums WHERE promised IS NOT NULL),
		size AS (SELECT count(*) AS total FROM told)
		SELECT fetched, promised FROM told, size WHERE k = total OR k % max(1, (total + ?2 - 1) / ?2) = 0 OR k = 1 ORDER BY k`, crawlID, points)
	return all, wrap(err, "read what crawl %d promised", crawlID)
}

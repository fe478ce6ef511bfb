package crawls

import (
	"context"

	"nightjar/daemon/db"
)

// EndedEarly lists the crawls of the last night that ended since the next pages promised too little, oldest first.
func EndedEarly(ctx context.Context, d *db.DB) ([]View, error) {
	all, err := db.Query(ctx, d.Readers, scanCrawlView, crawlRows+` WHERE c.early = 1 AND c.status = 'ended' AND c.night <> ''
		AND c.night = (SELECT max(night) FROM crawls) ORDER BY c.id`)
	return all, db.Wrap(err, "list crawls that ended early")
}

// NightRest is what another topic got of a night's budget after a crawl had ended.
type NightRest struct {
	Topic string
	Pages int
}

// RestOfNight lists what other topics got of a night's budget after one of its crawls had ended, most pages first.
func RestOfNight(ctx context.Context, d *db.DB, c View) ([]NightRest, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[NightRest], `
		SELECT t.name, count(*) AS pages FROM crawls c JOIN topics t ON t.id = c.topic_id JOIN fetches f ON f.crawl_id = c.id
		WHERE c.night = ?1 AND ?1 <> '' AND c.id <> ?2 AND f.cost > 0 AND f.at >= ?3
		GROUP BY t.id ORDER BY pages DESC, t.name`, c.Night, c.ID, db.Millis(c.EndedAt))
	return all, db.Wrap(err, "share out the night of crawl %d", c.ID)
}

// PromisePoint is what the next pages promised after a number of pages of budget.
type PromisePoint struct {
	Fetched int
	Next    float64 // useful pages among the next 100
}

// Promises returns about that many of the estimates of a crawl, the last one included.
func Promises(ctx context.Context, d *db.DB, crawlID int64, points int) ([]PromisePoint, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[PromisePoint], `
		WITH sums AS (SELECT n, promised, sum(cost) OVER (ORDER BY n) AS fetched FROM fetches WHERE crawl_id = ?1),
		told AS (SELECT row_number() OVER (ORDER BY n) AS k, fetched, promised FROM sums WHERE promised IS NOT NULL),
		size AS (SELECT count(*) AS total FROM told)
		SELECT fetched, promised FROM told, size WHERE k = total OR k % max(1, (total + ?2 - 1) / ?2) = 0 OR k = 1 ORDER BY k`, crawlID, points)
	return all, db.Wrap(err, "read what crawl %d promised", crawlID)
}

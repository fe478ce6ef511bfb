package checks

import (
	"context"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// lastNight returns the date of the last night with a crawl, "" when there was none.
func lastNight(ctx context.Context, d *db.DB) (night string, err error) {
	err = d.Readers.QueryRowContext(ctx, "SELECT night FROM crawls WHERE night <> '' ORDER BY id DESC LIMIT 1").Scan(&night)
	return night, db.Optional(err)
}

// crawlableSince reports whether a topic had a model and a ticked start page by a time, and still has them.
func crawlableSince(ctx context.Context, d *db.DB, at time.Time) (ready bool, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM own_topics t WHERE
		EXISTS (SELECT 1 FROM models WHERE topic_id = t.id AND created_at < ?1)
		AND EXISTS (SELECT 1 FROM starts WHERE topic_id = t.id AND ticked = 1 AND created_at < ?1))`, db.Millis(at)).Scan(&ready)
	return ready, err
}

const countNightFinds = `SELECT count(*) FROM crawls CROSS JOIN finds ON finds.crawl_id = crawls.id WHERE crawls.night = ? AND ` + store.ShownFinds

// nightFinds counts the finds of a night's crawls, as Finds shows them.
func nightFinds(ctx context.Context, d *db.DB, night string) (n int, err error) {
	err = d.Readers.QueryRowContext(ctx, countNightFinds, night).Scan(&n)
	return n, err
}

// robotsHost is a host whose robots.txt refused pages.
type robotsHost struct {
	Host  string
	Pages int // refused
	Last  time.Time
}

const listRobotsRefusals = `SELECT host, count(*), max(at) FROM fetches
	WHERE crawl_id IN (SELECT id FROM crawls ORDER BY id DESC LIMIT ?1) AND outcome = 'robots'
	GROUP BY host ORDER BY max(at) DESC, host LIMIT ?2`

// robotsRefusals lists the hosts that refused pages by robots.txt in the last crawls, most recent first, at most limit.
func robotsRefusals(ctx context.Context, d *db.DB, crawls, limit int) ([]robotsHost, error) {
	return db.Query(ctx, d.Readers, db.Fields[robotsHost], listRobotsRefusals, crawls, limit)
}

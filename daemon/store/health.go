package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"nightjar/daemon/db"
)

// lastEvent reads one row: events are numbered in the order in which they are stored.
const lastEvent = "SELECT at FROM events ORDER BY rowid DESC LIMIT 1"

// LastEvent returns the time of the event that was stored last, the zero time when there is none.
func (s *Store) LastEvent(ctx context.Context) (time.Time, error) {
	at, err := db.Single[sql.NullInt64](ctx, s.Readers, lastEvent)
	return db.Moment(at), db.Optional(err)
}

// LastNight returns the date of the last night with a crawl, "" when there was none.
func (s *Store) LastNight(ctx context.Context) (night string, err error) {
	err = s.Readers.QueryRowContext(ctx, "SELECT night FROM crawls WHERE night <> '' ORDER BY id DESC LIMIT 1").Scan(&night)
	return night, db.Optional(err)
}

// CrawlableSince reports whether a topic had a model and a ticked start page by a time, and still has them.
func (s *Store) CrawlableSince(ctx context.Context, at time.Time) (ready bool, err error) {
	err = s.Readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM own_topics t WHERE
		EXISTS (SELECT 1 FROM models WHERE topic_id = t.id AND created_at < ?1)
		AND EXISTS (SELECT 1 FROM starts WHERE topic_id = t.id AND ticked = 1 AND created_at < ?1))`, db.Millis(at)).Scan(&ready)
	return ready, err
}

const nightFinds = `SELECT count(*) FROM crawls CROSS JOIN finds ON finds.crawl_id = crawls.id WHERE crawls.night = ? AND ` + ShownFinds

// NightFinds counts the finds of a night's crawls, as Finds shows them.
func (s *Store) NightFinds(ctx context.Context, night string) (n int, err error) {
	err = s.Readers.QueryRowContext(ctx, nightFinds, night).Scan(&n)
	return n, err
}

// RobotsHost is a host whose robots.txt refused pages.
type RobotsHost struct {
	Host  string
	Pages int // refused
	Last  time.Time
}

const robotsRefusals = `SELECT host, count(*), max(at) FROM fetches
	WHERE crawl_id IN (SELECT id FROM crawls ORDER BY id DESC LIMIT ?1) AND outcome = 'robots'
	GROUP BY host ORDER BY max(at) DESC, host LIMIT ?2`

// RobotsRefusals lists the hosts that refused pages by robots.txt in the last crawls, most recent first, at most limit.
func (s *Store) RobotsRefusals(ctx context.Context, crawls, limit int) ([]RobotsHost, error) {
	return db.Query(ctx, s.Readers, db.Fields[RobotsHost], robotsRefusals, crawls, limit)
}

// Countable names the tables that say what a database holds.
var Countable = []struct{ Name, Table string }{
	{"Topics", "topics"}, {"Sessions", "sessions"}, {"Recorded events", "events"}, {"Pages", "contents"},
	{"Models", "models"}, {"Crawls", "crawls"}, {"Finds", "finds"}, {"Marks on finds", "feedback"},
}

// CountRows counts the rows of a table of Countable. It reads the rows, not an index, so that a row that cannot be reached is
// an error.
func (s *Store) CountRows(ctx context.Context, table string) (n int, err error) {
	for _, c := range Countable {
		if c.Table != table {
			continue
		}
		err := s.Readers.QueryRowContext(ctx, "SELECT count(*) FROM main."+table+" NOT INDEXED").Scan(&n)
		return n, err
	}
	return 0, fmt.Errorf("count rows of %s: %w", table, db.ErrNotFound)
}

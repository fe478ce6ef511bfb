package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"modernc.org/sqlite"

	"nightjar/migrations"
)

// Look opens the database at path only to read it: it creates, copies and migrates nothing, so that a database with a
// fault, or of another version, stays as it is. Every method that writes fails.
func Look(ctx context.Context, path string) (*Store, error) {
	db := openReaders(&sqlite.Driver{}, toLook(path))
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.Close())
	}
	return &Store{Now: time.Now, path: path, w: db, r: db, looks: true}, nil
}

// toLook is the data source name of a database that is only read.
func toLook(path string) string {
	return FileURL(path) + "?mode=ro&_pragma=busy_timeout(5000)"
}

// Schema returns the number of the database's last migration, and that of this program.
func (s *Store) Schema(ctx context.Context) (has, knows int, err error) {
	steps, err := migrationNames(migrations.Files)
	if err != nil {
		return 0, 0, err
	}
	err = s.r.QueryRowContext(ctx, "PRAGMA user_version").Scan(&has)
	return has, len(steps), err
}

// lastEvent reads one row: events are numbered in the order in which they are stored.
const lastEvent = "SELECT at FROM events ORDER BY rowid DESC LIMIT 1"

// LastEvent returns the time of the event that was stored last, the zero time when there is none.
func (s *Store) LastEvent(ctx context.Context) (time.Time, error) {
	at, err := single[sql.NullInt64](ctx, s.r, lastEvent)
	return moment(at), optional(err)
}

// LastNight returns the date of the last night with a crawl, "" when there was none.
func (s *Store) LastNight(ctx context.Context) (night string, err error) {
	err = s.r.QueryRowContext(ctx, "SELECT night FROM crawls WHERE night <> '' ORDER BY id DESC LIMIT 1").Scan(&night)
	return night, optional(err)
}

// CrawlableSince reports whether a topic had a model and a ticked start page by a time, and still has them.
func (s *Store) CrawlableSince(ctx context.Context, at time.Time) (ready bool, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM own_topics t WHERE
		EXISTS (SELECT 1 FROM models WHERE topic_id = t.id AND created_at < ?1)
		AND EXISTS (SELECT 1 FROM starts WHERE topic_id = t.id AND ticked = 1 AND created_at < ?1))`, millis(at)).Scan(&ready)
	return ready, err
}

const nightFinds = `SELECT count(*) FROM crawls CROSS JOIN finds ON finds.crawl_id = crawls.id WHERE crawls.night = ? AND ` + shownFinds

// NightFinds counts the finds of a night's crawls, as Finds shows them.
func (s *Store) NightFinds(ctx context.Context, night string) (n int, err error) {
	err = s.r.QueryRowContext(ctx, nightFinds, night).Scan(&n)
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
	return query(ctx, s.r, fields[RobotsHost], robotsRefusals, crawls, limit)
}

// ErrOlder says that the database has an older schema, which a reader cannot update.
var ErrOlder = errors.New("an older Nightjar wrote the database")

// OpenReadOnly is Look for a database with the schema of this program. Otherwise the error is ErrOlder or ErrNewer; it
// wraps os.ErrNotExist if there is no database.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s, err := Look(ctx, path)
	if err != nil {
		return nil, err
	}
	has, knows, err := s.Schema(ctx)
	switch {
	case err == nil && has > knows:
		err = fmt.Errorf("%w: its schema has version %d, this program reads version %d", ErrNewer, has, knows)
	case err == nil && has < knows:
		err = fmt.Errorf("%w: its schema has version %d, this program reads version %d", ErrOlder, has, knows)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), s.Close())
	}
	return s, nil
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
		err := s.r.QueryRowContext(ctx, "SELECT count(*) FROM main."+table+" NOT INDEXED").Scan(&n)
		return n, err
	}
	return 0, fmt.Errorf("count rows of %s: %w", table, ErrNotFound)
}

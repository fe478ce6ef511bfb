package store

import (
	"context"
	"errors"
	"fmt"

	"nightjar/crawler"
	"nightjar/daemon/db"
)

// ErrCannotGoOn is returned by GoOn, worded for the person.
var ErrCannotGoOn = errors.New("this crawl cannot go on: its links are gone, since the topic was crawled again")

// canGoOn is true of a crawl, called crawls, that ended early, whose links still wait, and from whose queue no later night read.
const canGoOn = `(crawls.early = 1 AND crawls.status = 'ended'
	AND NOT EXISTS (SELECT 1 FROM crawls q WHERE q.id = crawls.queue AND ` + over + `)
	AND EXISTS (SELECT 1 FROM frontier WHERE crawl_id = crawls.queue AND status = 'queued')
	AND NOT EXISTS (SELECT 1 FROM crawls later WHERE later.queue = crawls.queue AND later.id > crawls.id))`

// GoOn lets a crawl wait for its next turn that ended since the next pages promised too little. It then goes on until the
// budget with which it began is used, whatever it promises and whether its night is over or not. The error is ErrCannotGoOn
// for any other crawl, and once the topic has a newer one.
func (s *Store) GoOn(ctx context.Context, id int64) error {
	err := s.Must(ctx, ErrCannotGoOn, `UPDATE crawls SET status = 'waiting', stop_reason = '', ended_at = NULL, early = 0,
		options = json_set(options, '$.gone_on', json('true'), '$.stop_below', 0)
		WHERE id = ?1 AND `+canGoOn, id)
	if err != nil && !errors.Is(err, ErrCannotGoOn) {
		err = fmt.Errorf("let crawl %d go on: %w", id, err)
	}
	return err
}

// Knows reports whether the person already knows a page: it was visited, its site is refused, or an earlier crawl of the topic
// found it or a page with the same text.
func (s *Store) Knows(ctx context.Context, topicID int64, f *crawler.Fetch) (known bool, err error) {
	if known, err = noNews(ctx, s.Readers, f); err != nil || known {
		return known, err
	}
	return db.Single[bool](ctx, s.Readers, "SELECT "+foundBefore, topicID, f.FinalURL, f.TextHash)
}

// EndedEarly lists the crawls of the last night that ended since the next pages promised too little, oldest first.
func (s *Store) EndedEarly(ctx context.Context) ([]CrawlView, error) {
	all, err := db.Query(ctx, s.Readers, scanCrawlView, crawlRows+` WHERE c.early = 1 AND c.status = 'ended' AND c.night <> ''
		AND c.night = (SELECT max(night) FROM crawls) ORDER BY c.id`)
	return all, db.Wrap(err, "list crawls that ended early")
}

// NightRest is what another topic got of a night's budget after a crawl had ended.
type NightRest struct {
	Topic string
	Pages int
}

// NightRest lists what other topics got of a night's budget after one of its crawls had ended, most pages first.
func (s *Store) NightRest(ctx context.Context, c CrawlView) ([]NightRest, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[NightRest], `
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

// CrawlPromises returns about that many of the estimates of a crawl, the last one included.
func (s *Store) CrawlPromises(ctx context.Context, crawlID int64, points int) ([]PromisePoint, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[PromisePoint], `
		WITH sums AS (SELECT n, promised, sum(cost) OVER (ORDER BY n) AS fetched FROM fetches WHERE crawl_id = ?1),
		told AS (SELECT row_number() OVER (ORDER BY n) AS k, fetched, promised FROM sums WHERE promised IS NOT NULL),
		size AS (SELECT count(*) AS total FROM told)
		SELECT fetched, promised FROM told, size WHERE k = total OR k % max(1, (total + ?2 - 1) / ?2) = 0 OR k = 1 ORDER BY k`, crawlID, points)
	return all, db.Wrap(err, "read what crawl %d promised", crawlID)
}

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
const CanGoOn = `(crawls.early = 1 AND crawls.status = 'ended'
	AND NOT EXISTS (SELECT 1 FROM crawls q WHERE q.id = crawls.queue AND ` + over + `)
	AND EXISTS (SELECT 1 FROM frontier WHERE crawl_id = crawls.queue AND status = 'queued')
	AND NOT EXISTS (SELECT 1 FROM crawls later WHERE later.queue = crawls.queue AND later.id > crawls.id))`

// GoOn lets a crawl wait for its next turn that ended since the next pages promised too little. It then goes on until the
// budget with which it began is used, whatever it promises and whether its night is over or not. The error is ErrCannotGoOn
// for any other crawl, and once the topic has a newer one.
func (s *Store) GoOn(ctx context.Context, id int64) error {
	err := s.Must(ctx, ErrCannotGoOn, `UPDATE crawls SET status = 'waiting', stop_reason = '', ended_at = NULL, early = 0,
		options = json_set(options, '$.gone_on', json('true'), '$.stop_below', 0)
		WHERE id = ?1 AND `+CanGoOn, id)
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

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"nightjar/daemon/protocol"
)

// DeleteVisits erases page loads from a session, with their frames: visits, snapshots, marks, links and names, and pages,
// contents and proposed start pages that nothing else refers to. They cannot come back by an import. A submitted session
// that cannot be trained any more is open again, and paused. It also erases the bundles of models that were trained with
// the session, and returns their topics, which must be trained again. The errors are ErrNotInSession and ErrNotFound.
func (s *Store) DeleteVisits(ctx context.Context, uuid string, loads []string) (topics []int64, err error) {
	defer s.erasing()()
	err = s.write(ctx, func(tx *sql.Tx) error {
		one, err := lockedSession(ctx, tx, uuid)
		if err != nil {
			return err
		}
		b := &batch{s: s, tx: tx}
		of := openSession{id: one.ID, topic: one.TopicID, client: one.Client, status: one.Status}
		urls, err := b.urlsOf(ctx, of, loads)
		if err != nil {
			return err
		}
		for _, load := range loads {
			if err := b.withhold(ctx, of, load, protocol.Erased); err != nil {
				return err
			}
		}
		if err := dropStarts(ctx, tx, one.TopicID, urls); err != nil {
			return err
		}
		if one.Status == Submitted {
			if err := b.reconsider(ctx, of, one); err != nil {
				return err
			}
		}
		if err := pruneMilestones(ctx, tx, one.TopicID); err != nil {
			return err
		}
		topics, err = forgetSession(ctx, tx, uuid)
		return err
	})
	if err != nil {
		return nil, err
	}
	return topics, s.scrubAll(ctx)
}

// urlsOf returns the addresses of page loads of a session, or ErrNotInSession.
func (b *batch) urlsOf(ctx context.Context, of openSession, loads []string) ([]string, error) {
	ids, err := json.Marshal(loads)
	if err != nil {
		return nil, err
	}
	urls, err := query(ctx, b.tx, scanText, `SELECT p.url FROM visits v JOIN pages p ON p.id = v.page_id
		WHERE v.session_id = ? AND v.load IN (SELECT value FROM json_each(?))`, of.id, string(ids))
	if err == nil && (len(urls) != len(loads) || len(loads) == 0) {
		err = ErrNotInSession
	}
	return urls, err
}

// dropStarts deletes the start pages that were proposed for pages which no session of the topic visits any more.
func dropStarts(ctx context.Context, tx *sql.Tx, topicID int64, urls []string) error {
	for _, url := range urls {
		if _, err := tx.ExecContext(ctx, `DELETE FROM starts WHERE topic_id = ?1 AND url = ?2 AND source = 'proposed' AND NOT EXISTS (
			SELECT 1 FROM pages p JOIN visits v ON v.page_id = p.id JOIN sessions s ON s.id = v.session_id
			WHERE p.url = ?2 AND s.topic_id = ?1)`, topicID, url); err != nil {
			return err
		}
	}
	return nil
}

// reconsider counts a submitted session again, and opens and pauses it when it cannot be trained any more.
func (b *batch) reconsider(ctx context.Context, of openSession, one Session) error {
	lacks, err := trainable(ctx, b.tx, of.id)
	if err != nil || lacks == nil {
		return err
	}
	_, err = b.tx.ExecContext(ctx, `UPDATE sessions SET status = 'recording', ended_at = NULL, ended_seq = NULL, problem = ? WHERE id = ?`,
		lacks.Error(), of.id)
	if err != nil {
		return err
	}
	events, err := storedEvents(ctx, b.tx, of.id)
	if err != nil {
		return err
	}
	of.problem = lacks.Error()
	return b.rest(ctx, of, events)
}

// SessionVisit is one visit of a session, without the frames in it.
type SessionVisit struct {
	Load   string // of the page load
	URL    string
	Title  string
	Useful bool // its page is marked Useful in the session
}

// SessionVisits lists the visits of a session in order.
func (s *Store) SessionVisits(ctx context.Context, id int64) ([]SessionVisit, error) {
	all, err := query(ctx, s.r, func(row scanner) (v SessionVisit, err error) {
		return v, row.Scan(&v.Load, &v.URL, &v.Title, &v.Useful)
	}, `SELECT v.load, p.url, v.title, coalesce(m.useful, 0) FROM visits v JOIN pages p ON p.id = v.page_id
		LEFT JOIN marks m ON m.session_id = v.session_id AND m.page_id = v.page_id
		WHERE v.session_id = ? AND v.how NOT IN ('frame', 'iframe') ORDER BY v.seq`, id)
	if err != nil {
		return nil, fmt.Errorf("list visits of session %d: %w", id, err)
	}
	return all, nil
}

package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"nightjar/daemon/db"
)

// LastFeedback returns the id of the last mark on a find of the topic or of its members from which a training learns, or
// 0.
func (s *Store) LastFeedback(ctx context.Context, topicID int64) (int64, error) {
	id, err := db.Single[int64](ctx, s.Readers, `
		SELECT coalesce(max(feedback.id), 0) FROM feedback JOIN finds ON finds.id = find_id
		WHERE topic_id IN `+TopicAndMembers+` AND teaches = 1`, topicID)
	return id, db.Wrap(err, "read feedback of topic %d", topicID)
}

// AllMarks is larger than the id of any mark.
const AllMarks = math.MaxInt64

// markUntil selects the id of the mark that a find f had before any mark with an id above ?2.
const markUntil = `(SELECT max(id) FROM feedback WHERE find_id = f.id AND id <= ?2)`

// MarkedFind is a find with the person's present mark.
type MarkedFind struct {
	ID     int64
	Useful bool
	At     time.Time
	Trail  []MarkedStep // from the start page to the find, without steps whose content was deleted
}

// MarkedStep is one page of a marked find's trail.
type MarkedStep struct {
	URL       string // canonical, after redirects
	Requested string // canonical, of the link that was followed
	Anchor    string // of that link, "" for the start page
	HTML      []byte
	Gap       bool // the page behind the next link of the trail is missing, because its content was deleted
}

// MarkedFinds lists the finds of the topic and of its members that are marked Useful or Not useful, oldest first, with
// the contents of their trails. It includes fetched pages that are no finds and were marked in answer to a question.
func (s *Store) MarkedFinds(ctx context.Context, topicID int64) ([]MarkedFind, error) {
	return s.MarkedFindsUntil(ctx, topicID, AllMarks)
}

// MarkedFindsUntil is MarkedFinds as it was before any mark with an id above last.
func (s *Store) MarkedFindsUntil(ctx context.Context, topicID, last int64) ([]MarkedFind, error) {
	type row struct {
		find  MarkedFind
		fetch int64
	}
	rows, err := db.Query(ctx, s.Readers, func(r db.Scanner) (row, error) {
		var one row
		return one, r.Scan(&one.find.ID, &one.fetch, &one.find.Useful, db.TimeOf(&one.find.At))
	}, `
		SELECT f.id, fetch_id, feedback.mark = 'useful', at FROM finds f JOIN feedback ON feedback.id = `+markUntil+`
		WHERE topic_id IN `+TopicAndMembers+` AND feedback.mark IN ('useful', 'not-useful') ORDER BY f.id`, topicID, last)
	if err != nil {
		return nil, fmt.Errorf("list marked finds of topic %d: %w", topicID, err)
	}
	var all []MarkedFind
	for _, one := range rows {
		if one.find.Trail, err = s.trailContents(ctx, one.fetch); err != nil {
			return nil, fmt.Errorf("read trail of find %d: %w", one.find.ID, err)
		}
		all = append(all, one.find)
	}
	return all, nil
}

// trailContents reads the pages from the start page to a fetch, without those whose content is known to be damaged.
func (s *Store) trailContents(ctx context.Context, fetchID int64) ([]MarkedStep, error) {
	var ups []int // links from each page to the fetch
	steps, err := db.Query(ctx, s.Readers, func(r db.Scanner) (MarkedStep, error) {
		var step MarkedStep
		var packed []byte
		var up int
		if err := r.Scan(&step.URL, &step.Requested, &step.Anchor, &packed, &up); err != nil {
			return step, err
		}
		ups = append(ups, up)
		var err error
		step.HTML, err = Unpack(packed)
		return step, err
	}, `
		WITH RECURSIVE trail(id, parent_id, final_url, url, anchor, content_hash, up) AS (
			SELECT id, parent_id, final_url, url, anchor, content_hash, 0 FROM fetches WHERE id = ?
			UNION ALL
			SELECT f.id, f.parent_id, f.final_url, f.url, f.anchor, f.content_hash, up + 1
			FROM fetches f JOIN trail ON f.id = trail.parent_id
			WHERE up < 1000)
		SELECT final_url, url, anchor, gzip, up FROM trail JOIN contents ON hash = content_hash
		WHERE NOT EXISTS (SELECT 1 FROM unsound WHERE kind = 'content' AND row = lower(hex(hash))) ORDER BY up DESC`, fetchID)
	for i := range steps {
		next := -1
		if i+1 < len(ups) {
			next = ups[i+1]
		}
		steps[i].Gap = ups[i] != next+1
	}
	return steps, err
}

// Unpack decompresses a stored content.
func Unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack content: %w", err)
	}
	z.Multistream(false) // what a server sent may be followed by anything
	html, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("unpack content: %w", err)
	}
	return html, nil
}

// Known identifies the data that a training learns from: the submitted sessions, the last mark on a find, the names of pages,
// and the positive pages of documents.
type Known struct {
	Sessions   []string // UUIDs, sorted
	Feedback   int64    // id of the last mark, or 0
	Milestones string   // MilestoneDigest of Milestones
	Positives  string   // Examples.Digest
}

// Empty reports whether there is nothing that a training could learn from: marks and names alone do not suffice.
func (k Known) Empty() bool {
	return len(k.Sessions) == 0 && (k.Positives == "" || k.Positives == paperOnly)
}

// Equal reports whether both identify the same data.
func (k Known) Equal(other Known) bool {
	return k.Feedback == other.Feedback && k.Milestones == other.Milestones && k.Positives == other.Positives &&
		slices.Equal(k.Sessions, other.Sessions)
}

// Known returns what a training of the topic would learn from now.
func (s *Store) Known(ctx context.Context, topicID int64) (k Known, err error) {
	k.Sessions, err = db.Query(ctx, s.Readers, db.ScanText,
		"SELECT uuid FROM sessions WHERE status = 'submitted' AND topic_id IN "+TopicAndMembers+" ORDER BY uuid", topicID)
	if err != nil {
		return k, fmt.Errorf("list sessions of topic %d: %w", topicID, err)
	}
	if k.Feedback, err = s.LastFeedback(ctx, topicID); err != nil {
		return k, err
	}
	names, err := s.Milestones(ctx, topicID)
	if err != nil {
		return k, err
	}
	k.Milestones = MilestoneDigest(names)
	examples, err := s.Examples(ctx, topicID)
	k.Positives = examples.Digest()
	return k, err
}

// SaveStopped stores that the person stopped a training of the topic that would have learned from k.
func (s *Store) SaveStopped(ctx context.Context, topicID int64, k Known) error {
	err := s.Exec(ctx, `INSERT OR REPLACE INTO stopped (topic_id, sessions, feedback, milestones, positives) VALUES (?, ?, ?, ?, ?)`,
		topicID, db.JSONList(k.Sessions), k.Feedback, k.Milestones, k.Positives)
	return db.Wrap(err, "store that the training of topic %d was stopped", topicID)
}

// Stopped returns what the topic's last training would have learned from, if the person stopped it, or ErrNotFound.
func (s *Store) Stopped(ctx context.Context, topicID int64) (Known, error) {
	var k Known
	err := s.Readers.QueryRowContext(ctx, "SELECT sessions, feedback, milestones, positives FROM stopped WHERE topic_id = ?", topicID).
		Scan(db.JSONOf(&k.Sessions), &k.Feedback, &k.Milestones, &k.Positives)
	return db.Found(k, err)
}

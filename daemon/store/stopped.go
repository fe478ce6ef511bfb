package store

import (
	"context"
	"fmt"
	"slices"
)

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
	k.Sessions, err = query(ctx, s.r, scanText,
		"SELECT uuid FROM sessions WHERE status = 'submitted' AND topic_id IN "+parts+" ORDER BY uuid", topicID)
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
	err := s.exec(ctx, `INSERT OR REPLACE INTO stopped (topic_id, sessions, feedback, milestones, positives) VALUES (?, ?, ?, ?, ?)`,
		topicID, jsonList(k.Sessions), k.Feedback, k.Milestones, k.Positives)
	return wrap(err, "store that the training of topic %d was stopped", topicID)
}

// Stopped returns what the topic's last training would have learned from, if the person stopped it, or ErrNotFound.
func (s *Store) Stopped(ctx context.Context, topicID int64) (Known, error) {
	var k Known
	err := s.r.QueryRowContext(ctx, "SELECT sessions, feedback, milestones, positives FROM stopped WHERE topic_id = ?", topicID).
		Scan(jsonOf{&k.Sessions}, &k.Feedback, &k.Milestones, &k.Positives)
	return found(k, err)
}

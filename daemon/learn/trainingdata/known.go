// Package trainingdata reads what a topic's training learns from beside sessions: marked finds, positive pages, and pages of the rest of the web.
package trainingdata

import (
	"context"
	"fmt"
	"slices"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
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

// KnownOf returns what a training of the topic would learn from now.
func KnownOf(ctx context.Context, d *db.DB, topicID int64) (k Known, err error) {
	k.Sessions, err = db.Query(ctx, d.Readers, db.ScanText,
		"SELECT uuid FROM sessions WHERE status = 'submitted' AND topic_id IN "+store.TopicAndMembers+" ORDER BY uuid", topicID)
	if err != nil {
		return k, fmt.Errorf("list sessions of topic %d: %w", topicID, err)
	}
	if k.Feedback, err = LastFeedback(ctx, d, topicID); err != nil {
		return k, err
	}
	names, err := store.Milestones(ctx, d, topicID)
	if err != nil {
		return k, err
	}
	k.Milestones = store.MilestoneDigest(names)
	examples, err := ExamplesOf(ctx, d, topicID)
	k.Positives = examples.Digest()
	return k, err
}

// SaveStopped stores that the person stopped a training of the topic that would have learned from k.
func SaveStopped(ctx context.Context, d *db.DB, topicID int64, k Known) error {
	err := d.Exec(ctx, `INSERT OR REPLACE INTO stopped (topic_id, sessions, feedback, milestones, positives) VALUES (?, ?, ?, ?, ?)`,
		topicID, db.JSONList(k.Sessions), k.Feedback, k.Milestones, k.Positives)
	return db.Wrap(err, "store that the training of topic %d was stopped", topicID)
}

// Stopped returns what the topic's last training would have learned from, if the person stopped it, or ErrNotFound.
func Stopped(ctx context.Context, d *db.DB, topicID int64) (Known, error) {
	var k Known
	err := d.Readers.QueryRowContext(ctx, "SELECT sessions, feedback, milestones, positives FROM stopped WHERE topic_id = ?", topicID).
		Scan(db.JSONOf(&k.Sessions), &k.Feedback, &k.Milestones, &k.Positives)
	return db.Found(k, err)
}

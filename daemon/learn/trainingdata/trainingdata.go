// Package trainingdata reads what a topic's training learns from beside sessions: marked finds, positive pages, and pages of the rest of the web.
package trainingdata

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"nightjar/daemon/browse/topics"
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
		"SELECT uuid FROM sessions WHERE status = 'submitted' AND topic_id IN "+topics.WithMembers+" ORDER BY uuid", topicID)
	if err != nil {
		return k, fmt.Errorf("list sessions of topic %d: %w", topicID, err)
	}
	if k.Feedback, err = LastFeedback(ctx, d, topicID); err != nil {
		return k, err
	}
	names, err := topics.Milestones(ctx, d, topicID)
	if err != nil {
		return k, err
	}
	k.Milestones = topics.MilestoneDigest(names)
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

// LastFeedback returns the id of the last mark on a find of the topic or of its members from which a training learns, or
// 0.
func LastFeedback(ctx context.Context, d *db.DB, topicID int64) (int64, error) {
	id, err := db.Single[int64](ctx, d.Readers, `
		SELECT coalesce(max(feedback.id), 0) FROM feedback JOIN finds ON finds.id = find_id
		WHERE topic_id IN `+topics.WithMembers+` AND teaches = 1`, topicID)
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
// the contents of their trails, as they were before any mark with an id above last. It includes fetched pages that are no finds
// and were marked in answer to a question.
func MarkedFinds(ctx context.Context, d *db.DB, topicID, last int64) ([]MarkedFind, error) {
	type row struct {
		find  MarkedFind
		fetch int64
	}
	rows, err := db.Query(ctx, d.Readers, func(r db.Scanner) (row, error) {
		var one row
		return one, r.Scan(&one.find.ID, &one.fetch, &one.find.Useful, db.TimeOf(&one.find.At))
	}, `
		SELECT f.id, fetch_id, feedback.mark = 'useful', at FROM finds f JOIN feedback ON feedback.id = `+markUntil+`
		WHERE topic_id IN `+topics.WithMembers+` AND feedback.mark IN ('useful', 'not-useful') ORDER BY f.id`, topicID, last)
	if err != nil {
		return nil, fmt.Errorf("list marked finds of topic %d: %w", topicID, err)
	}
	var all []MarkedFind
	for _, one := range rows {
		if one.find.Trail, err = trailContents(ctx, d, one.fetch); err != nil {
			return nil, fmt.Errorf("read trail of find %d: %w", one.find.ID, err)
		}
		all = append(all, one.find)
	}
	return all, nil
}

// trailContents reads the pages from the start page to a fetch, without those whose content is known to be damaged.
func trailContents(ctx context.Context, d *db.DB, fetchID int64) ([]MarkedStep, error) {
	var ups []int // links from each page to the fetch
	steps, err := db.Query(ctx, d.Readers, func(r db.Scanner) (MarkedStep, error) {
		var step MarkedStep
		var packed []byte
		var up int
		if err := r.Scan(&step.URL, &step.Requested, &step.Anchor, &packed, &up); err != nil {
			return step, err
		}
		ups = append(ups, up)
		var err error
		step.HTML, err = store.Unpack(packed)
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

// BackgroundPage is a page with stored content that is not known to belong to a topic.
type BackgroundPage struct {
	Session string // UUID of the session that visited it, or "" when a crawl fetched it
	Crawl   int64  // the crawl that fetched it, or 0 when a session visited it
	URL     string
	Hash    []byte // of its content
}

// Background lists the pages that can represent the rest of the web when a topic's model is trained: finds of the topic that the
// person marked as of another topic, with neither Session nor Crawl, then pages of other topics' submitted sessions, newest session
// first, then pages that crawls of other topics fetched, newest crawl first. Within a session or crawl they are ordered by their
// hash, which is as good as random. Background leaves out the pages that the topic's own sessions visited, the finds marked Useful
// for it, and finds marked as of another topic elsewhere: which one is not known. A page that the topic's own crawls fetched is no
// background, whatever the model took it for: on a web that is about the topic, most pages that a model misses are useful. Marks with
// an id above last do not count.
func Background(ctx context.Context, d *db.DB, topicID, last int64) ([]BackgroundPage, error) {
	r := d.Reads(ctx)
	marked := db.List(r, db.Fields[BackgroundPage], `WITH `+ownPages+`
		SELECT DISTINCT '', 0, f.url, fetches.content_hash
		FROM finds f JOIN feedback ON feedback.id = `+markUntil+` JOIN fetches ON fetches.id = f.fetch_id
		WHERE f.topic_id = ?1 AND feedback.mark = 'off-topic' AND fetches.content_hash IS NOT NULL
			AND f.url NOT IN own_urls AND fetches.content_hash NOT IN own_hashes
		ORDER BY fetches.content_hash, f.url`, topicID, last)
	visited := db.List(r, db.Fields[BackgroundPage], `WITH `+ownPages+`
		SELECT DISTINCT s.uuid, 0, p.url, p.content_hash
		FROM sessions s JOIN visits v ON v.session_id = s.id JOIN pages p ON p.id = v.page_id
		WHERE s.status = 'submitted' AND s.topic_id NOT IN `+topics.WithMembers+` AND p.content_hash IS NOT NULL
			AND p.url NOT IN own_urls AND p.content_hash NOT IN own_hashes
		ORDER BY s.id DESC, p.content_hash, p.url`, topicID, last)
	fetched := db.List(r, db.Fields[BackgroundPage], `WITH `+ownPages+`
		SELECT DISTINCT '', f.crawl_id, f.final_url, f.content_hash
		FROM fetches f JOIN crawls c ON c.id = f.crawl_id
		WHERE c.topic_id NOT IN `+topics.WithMembers+` AND f.content_hash IS NOT NULL AND f.final_url NOT IN own_urls AND f.content_hash NOT IN own_hashes
			AND f.final_url NOT IN (SELECT url FROM finds f JOIN feedback ON feedback.id = `+markUntil+` WHERE feedback.mark = 'off-topic')
		ORDER BY f.crawl_id DESC, f.content_hash, f.final_url`, topicID, last)
	return slices.Concat(marked, visited, fetched), db.Wrap(r.Err, "list pages of the rest of the web")
}

// ownPages selects a topic's own addresses and contents: visited in its sessions, or marked Useful for it.
const ownPages = `own(url, hash) AS (
		SELECT p.url, p.content_hash FROM sessions s JOIN visits v ON v.session_id = s.id JOIN pages p ON p.id = v.page_id
		WHERE s.topic_id IN ` + topics.WithMembers + `
		UNION
		SELECT f.url, fetches.content_hash FROM finds f JOIN feedback ON feedback.id = ` + markUntil + ` JOIN fetches ON fetches.id = f.fetch_id
		WHERE f.topic_id IN ` + topics.WithMembers + ` AND feedback.mark = 'useful'),
	own_urls AS (SELECT url FROM own),
	own_hashes AS (SELECT hash FROM own WHERE hash IS NOT NULL)`

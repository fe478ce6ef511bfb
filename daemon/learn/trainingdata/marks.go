package trainingdata

import (
	"context"
	"fmt"
	"math"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// LastFeedback returns the id of the last mark on a find of the topic or of its members from which a training learns, or
// 0.
func LastFeedback(ctx context.Context, d *db.DB, topicID int64) (int64, error) {
	id, err := db.Single[int64](ctx, d.Readers, `
		SELECT coalesce(max(feedback.id), 0) FROM feedback JOIN finds ON finds.id = find_id
		WHERE topic_id IN `+store.TopicAndMembers+` AND teaches = 1`, topicID)
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
func MarkedFinds(ctx context.Context, d *db.DB, topicID int64) ([]MarkedFind, error) {
	return MarkedFindsUntil(ctx, d, topicID, AllMarks)
}

// MarkedFindsUntil is MarkedFinds as it was before any mark with an id above last.
func MarkedFindsUntil(ctx context.Context, d *db.DB, topicID, last int64) ([]MarkedFind, error) {
	type row struct {
		find  MarkedFind
		fetch int64
	}
	rows, err := db.Query(ctx, d.Readers, func(r db.Scanner) (row, error) {
		var one row
		return one, r.Scan(&one.find.ID, &one.fetch, &one.find.Useful, db.TimeOf(&one.find.At))
	}, `
		SELECT f.id, fetch_id, feedback.mark = 'useful', at FROM finds f JOIN feedback ON feedback.id = `+markUntil+`
		WHERE topic_id IN `+store.TopicAndMembers+` AND feedback.mark IN ('useful', 'not-useful') ORDER BY f.id`, topicID, last)
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

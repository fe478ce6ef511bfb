package crawls

import (
	"context"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// over is true of a crawl q that began a queue that no crawl opens any more: its crawls have ended, no night will go on with it, and
// its topic was crawled again since.
const over = `(q.queue = q.id AND NOT EXISTS (SELECT 1 FROM topics WHERE q.id IN (queue, queue_before))
	AND NOT EXISTS (SELECT 1 FROM crawls c WHERE c.queue = q.id AND c.status <> 'ended')
	AND EXISTS (SELECT 1 FROM crawls c WHERE c.topic_id = q.topic_id AND c.id > (SELECT max(id) FROM crawls WHERE queue = q.id)))`

// linksAtOnce is how many links of a queue are deleted in one transaction: other writes, such as those of events, wait that long.
const linksAtOnce = 500

// DropQueues deletes the queues that no crawl opens any more, with what was learned from them and the pages that were kept for
// them. Its transactions are short. A call that was interrupted leaves the rest to the next one.
func DropQueues(ctx context.Context, d *db.DB) error {
	return dropQueues(ctx, d, `SELECT id FROM crawls q WHERE EXISTS (SELECT 1 FROM frontier WHERE crawl_id = q.id) AND `+over)
}

// DropTopicQueues deletes the queues of a topic that is to be deleted; see DeleteTopic. If the rest cannot be deleted, the topic's next
// night begins at the start pages. The error is ErrLive while a session of the topic is recording.
func DropTopicQueues(ctx context.Context, d *db.DB, id int64) error {
	live, err := sessions.TopicLive(ctx, d, id)
	if err != nil {
		return err
	}
	if live {
		return sessions.ErrLive
	}
	if err := setQueue(ctx, d, id, `UPDATE topics SET queue = NULL, queue_before = NULL WHERE id = ?`); err != nil {
		return err
	}
	return dropQueues(ctx, d, `SELECT id FROM crawls WHERE topic_id = ? AND queue = id`, id)
}

// dropQueues deletes the selected queues.
func dropQueues(ctx context.Context, d *db.DB, selected string, args ...any) error {
	queues, err := db.Query(ctx, d.Readers, db.ScanID, selected, args...)
	for _, queue := range queues {
		if err == nil {
			err = dropQueue(ctx, d, queue)
		}
	}
	return db.Wrap(err, "delete queues of links")
}

// dropQueue deletes the links last: as long as there are any, the rest may not be deleted yet.
func dropQueue(ctx context.Context, d *db.DB, queue int64) error {
	crawls, err := db.Query(ctx, d.Readers, db.ScanID, `SELECT id FROM crawls WHERE queue = ?`, queue)
	for _, id := range crawls {
		if err == nil {
			err = d.Commit(ctx, func(w *db.Work) { store.DropUseless(w, id) })
		}
	}
	if err == nil {
		err = d.Exec(ctx, `DELETE FROM learned WHERE crawl_id = ?`, queue)
	}
	for more := true; more && err == nil; {
		more, err = dropLinks(ctx, d, queue)
	}
	return err
}

// dropLinks deletes some links of a queue, and reports whether more may be left.
func dropLinks(ctx context.Context, d *db.DB, queue int64) (more bool, err error) {
	n, err := d.Change(ctx, `DELETE FROM frontier WHERE crawl_id = ?1 AND url IN (SELECT url FROM frontier WHERE crawl_id = ?1 LIMIT ?2)`,
		queue, linksAtOnce)
	return n == linksAtOnce, err
}

package crawls

import (
	"strings"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

const (
	maybeOfCrawl = 100  // the best pages of a crawl
	maybeCrawls  = 3    // newest crawls of a topic whose pages are listed
	maybeLeast   = 0.01 // probability of being useful
)

// forFinds is the condition on crawls that bring finds: a crawl for a map brings none.
const forFinds = `coalesce(options ->> 'for_map', 0) = 0`

// insertMaybe stores the best pages of a topic's (?1) crawl (?2), at most ?3, that are useful with a probability of at least
// ?4 and neither finds nor known to the person.
var insertMaybe = `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, asked, maybe)
	SELECT ?1, crawl_id, id, final_url, title, '', similarity, at, useful, 1, 1 FROM fetches o
	WHERE crawl_id = ?2 AND outcome = 'ok' AND relevant = 0 AND credit = 1 AND look IS NULL AND content_hash IS NOT NULL AND useful >= ?4
		AND NOT (` + strings.ReplaceAll(visitedBefore, "?1", "o.final_url") + `) AND NOT (` + strings.ReplaceAll(visitedBefore, "?1", "o.url") + `)
		AND NOT ` + strings.NewReplacer("?2", "o.final_url", "?3", "o.text_hash").Replace(foundBefore) + `
	ORDER BY useful DESC, similarity DESC, id LIMIT ?3
	ON CONFLICT (topic_id, url) DO UPDATE SET crawl_id = excluded.crawl_id, fetch_id = excluded.fetch_id, title = excluded.title,
		similarity = excluded.similarity, found_at = excluded.found_at, useful = excluded.useful, maybe = 1
		WHERE asked = 1 AND mark = 'none'`

// dropMaybe deletes the pages of a topic (?1) that earlier crawls than its last ?2 left under Maybe and that never had a mark.
const dropMaybe = `DELETE FROM finds AS f WHERE ` + store.Maybe + ` AND f.topic_id = ?1
		AND f.crawl_id NOT IN (SELECT id FROM crawls WHERE topic_id = ?1 AND ` + forFinds + ` ORDER BY id DESC LIMIT ?2)
		AND NOT EXISTS (SELECT 1 FROM feedback WHERE find_id = f.id)
	RETURNING crawl_id`

// renewMaybe lists the pages of a crawl that ended under Maybe, and drops those of the topic's old crawls.
func renewMaybe(w *db.Work, crawlID int64) {
	var topic int64
	if !w.Row("SELECT topic_id FROM crawls JOIN own_topics t ON t.id = topic_id WHERE crawls.id = ? AND "+forFinds, crawlID).Find(&topic) {
		return
	}
	w.Exec(insertMaybe, topic, crawlID, maybeOfCrawl, maybeLeast)
	for _, old := range db.Distinct(db.List(w, db.ScanID, dropMaybe, topic, maybeCrawls)) {
		store.DropUseless(w, old)
	}
}

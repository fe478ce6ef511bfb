package store

import (
	"strconv"

	"nightjar/daemon/db"
)

// Lasts is true when a later night opens the queue of the crawl ?1.
const Lasts = `EXISTS (SELECT 1 FROM crawls c JOIN topics t ON t.id = c.topic_id WHERE c.id = ?1 AND c.queue IN (t.queue, t.queue_before))`

// useless selects the fetches with contents of pages that are neither relevant, marked or asked about, nor positive pages of
// a document, nor on the trail of such a page. A crawl that a map shows has none: the map may be drawn again. Of a queue that a later
// night opens, the last pages are none: its model may be another one, and then reads them again.
var useless = `FROM fetches WHERE crawl_id = ?1 AND content_hash IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM maps WHERE crawl_id = ?1)
	AND NOT (` + Lasts + ` AND n > ` + strconv.Itoa(-KeptTexts) + ` + (` + LastOf + `)) AND id NOT IN (
	WITH RECURSIVE chain(id) AS (SELECT id FROM crawls WHERE queue = (SELECT queue FROM crawls WHERE id = ?1)),
	kept(id) AS (
		SELECT id FROM fetches WHERE crawl_id IN chain AND relevant = 1
		UNION
		SELECT fetch_id FROM finds WHERE crawl_id IN chain
		UNION
		SELECT q.fetch_id FROM questions q JOIN fetches ON fetches.id = q.fetch_id WHERE crawl_id IN chain
		UNION
		SELECT id FROM fetches WHERE crawl_id IN chain AND final_url IN (SELECT url FROM positives)
		UNION
		SELECT f.parent_id FROM fetches f JOIN kept ON kept.id = f.id WHERE f.parent_id IS NOT NULL)
	SELECT id FROM kept)`

// linksRead is true of a fetch whose links do not wait to be read. Links that were not read cannot be read any more once the
// content is gone.
const linksRead = ` AND final_url NOT IN (SELECT url FROM link_queue)`

// KeptTexts is the number of pages of a lasting queue whose texts are kept for another model: about 200 MB, which are read again within
// a minute or two. Links on older ones then wait behind all others.
const KeptTexts = 20_000

// LastOf is the number of the last attempt from the queue of the crawl ?1.
const LastOf = `SELECT max(f.n) FROM crawls c JOIN fetches f ON f.crawl_id = c.id WHERE c.queue = (SELECT queue FROM crawls WHERE id = ?1)`

// DropUseless deletes the contents of the fetches that useless selects. Those whose links wait to be read stay until DropRead.
func DropUseless(w *db.Work, crawlID int64) {
	hashes := db.List(w, db.ScanBytes, "SELECT DISTINCT content_hash "+useless+linksRead, crawlID)
	w.Exec("UPDATE fetches SET content_hash = NULL WHERE id IN (SELECT id "+useless+linksRead+")", crawlID)
	w.Exec("UPDATE crawls SET unread = EXISTS (SELECT 1 "+useless+") WHERE id = ?1 AND status = 'ended'", crawlID)
	DropContents(w, hashes)
}

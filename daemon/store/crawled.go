package store

import (
	"context"
	"database/sql"
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

// ForgetLearned deletes what strategies learned in the crawls of erased models, since it is based on these models.
func ForgetLearned(ctx context.Context, tx *sql.Tx) error {
	return forgetQueues(ctx, tx, `SELECT crawls.queue FROM crawls JOIN models ON models.id = model_id WHERE length(bundle) = 0`)
}

// forgetQueues deletes what was learned from the queues that a query selects. Their next turn reads the stored pages again.
func forgetQueues(ctx context.Context, tx *sql.Tx, queues string, args ...any) error {
	for _, text := range []string{`UPDATE crawls SET valued = 0 WHERE queue IN (`, `DELETE FROM learned WHERE crawl_id IN (`} {
		if _, err := tx.ExecContext(ctx, text+queues+`)`, args...); err != nil {
			return err
		}
	}
	return nil
}

// EraseLearned deletes what crawls learned from a host's pages: the state of every queue from which one was fetched or in which one
// waits, and what is stored about the links on these pages, which holds their words.
func EraseLearned(ctx context.Context, tx *sql.Tx, ids, frontier []int64) error {
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, `UPDATE fetches SET anchor = '', why = '[]' WHERE parent_id = ?`, id); err != nil {
			return err
		}
	}
	fetches := db.JSONList(ids)
	const erased = `FROM fetches f JOIN crawls c ON c.id = f.crawl_id WHERE f.id IN (SELECT value FROM json_each(?))`
	if err := db.ExecAll(ctx, tx, []string{
		`UPDATE frontier SET anchor = '', note = NULL WHERE (crawl_id, parent_n) IN (SELECT c.queue, f.n ` + erased + `)`,
		// What a strategy that is made of two keeps about a link may come from any page of the queue.
		`UPDATE frontier SET note = NULL WHERE note IS NOT NULL AND crawl_id IN (SELECT c.queue ` + erased + `)
			AND EXISTS (SELECT 1 FROM crawls t WHERE t.queue = frontier.crawl_id AND json_extract(t.options, '$.second') <> '')`,
	}, fetches); err != nil {
		return err
	}
	return forgetQueues(ctx, tx, `SELECT c.queue `+erased+` UNION SELECT value FROM json_each(?)`, fetches, db.JSONList(db.Distinct(frontier)))
}

// dropVisited takes out of the queues of a topic, and of the combined topics that it is part of, what its crawls read on pages that no
// session has any more: the pages, and the links that no other page gave.
func DropVisited(w *db.Work, topicID int64) {
	type page struct {
		id, queue int64
		n         int
		url       string
	}
	gone := db.List(w, func(row db.Scanner) (p page, err error) {
		return p, row.Scan(&p.id, &p.queue, &p.n, &p.url)
	}, `SELECT f.id, c.queue, f.n, f.final_url FROM crawls c CROSS JOIN fetches f ON f.crawl_id = c.id AND f.outcome = 'visited'
		WHERE c.topic_id IN (SELECT ?1 UNION SELECT topic_id FROM combined WHERE member_id = ?1)
		AND NOT EXISTS (SELECT 1 FROM pages p JOIN visits v ON v.page_id = p.id JOIN sessions s ON s.id = v.session_id
			WHERE p.url = f.final_url AND (s.topic_id = c.topic_id OR s.topic_id IN (SELECT member_id FROM combined WHERE topic_id = c.topic_id)))`, topicID)
	of := map[int64][]int64{}
	var ids []int64
	for _, p := range gone {
		ids = append(ids, p.id)
		of[p.queue] = append(of[p.queue], int64(p.n))
		w.Exec(`DELETE FROM frontier WHERE crawl_id = ? AND url = ?`, p.queue, p.url)
	}
	for queue, numbers := range of {
		w.Exec(`DELETE FROM frontier NOT INDEXED WHERE crawl_id = ?1 AND parent_n IN (SELECT value FROM json_each(?2))
			AND NOT EXISTS (SELECT 1 FROM crawls c CROSS JOIN fetches f ON f.crawl_id = c.id AND f.url = frontier.url WHERE c.queue = ?1)`, queue, db.JSONList(numbers))
	}
	hashes := db.List(w, db.ScanBytes, `SELECT DISTINCT content_hash FROM fetches WHERE id IN (SELECT value FROM json_each(?)) AND content_hash IS NOT NULL`, db.JSONList(ids))
	w.Exec(`DELETE FROM fetches WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(ids))
	DropContents(w, hashes)
}

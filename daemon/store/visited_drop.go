package store

import (
	"nightjar/daemon/db"
)

// dropVisited takes out of the queues of a topic, and of the combined topics that it is part of, what its crawls read on pages that no
// session has any more: the pages, and the links that no other page gave.
func dropVisited(w *db.Work, topicID int64) {
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
